#!/usr/bin/env node
import { main } from '../dist/start/main.js'

process.exitCode = await main()
