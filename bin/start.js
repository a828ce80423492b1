#!/usr/bin/env node
import { load } from './load.js'

// Not exitCode: on that way out Node gives signals back to their default actions, and what npm repeats would end this by SIGINT.
load('start/main.js', (code) => process.exit(code))
