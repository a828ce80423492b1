#!/usr/bin/env node
import { load } from './load.js'

const { main } = await load('start/main.js')

// Not exitCode: on that way out Node gives signals back to their default actions, and what npm repeats would end this by SIGINT.
process.exit(await main(process.argv.slice(2)))
