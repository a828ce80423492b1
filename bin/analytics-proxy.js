#!/usr/bin/env node
import { load } from './load.js'

// exit, not exitCode: a Redis client that waits to reconnect would keep a stopped proxy alive for seconds.
load('proxy/main.js', (code) => process.exit(code))
