#!/usr/bin/env node
import { setFlagsFromString } from 'node:v8'
import { main } from '../dist/build/main.js'

// A build makes much garbage beside little that stays, and V8 lets the heap grow to several times that before it looks:
// 284 MiB with 20 million votes, 197 with this, in the same time (measured, Node 20).
setFlagsFromString('--heap-growing-percent=50')
process.exitCode = await main(process.argv.slice(2))
