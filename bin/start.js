#!/usr/bin/env node
import { load } from './load.js'

const { main } = await load('start/main.js')

process.exitCode = await main(process.argv.slice(2))
