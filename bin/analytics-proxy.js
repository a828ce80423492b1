#!/usr/bin/env node
import { load } from './load.js'

const { main } = await load('proxy/main.js')

// exit, not exitCode: a Redis client that waits to reconnect would keep a stopped proxy alive for seconds.
process.exit(await main(process.argv.slice(2)))
