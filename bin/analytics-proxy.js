#!/usr/bin/env node
import { main } from '../dist/proxy/main.js'

// exit, not exitCode: a Redis client that waits to reconnect would keep a stopped proxy alive for seconds.
process.exit(await main(process.argv.slice(2)))
