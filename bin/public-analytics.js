#!/usr/bin/env node
// Owns the one command that has both programs: `public-analytics build …` is analytics-build, `public-analytics proxy …` is
// analytics-proxy, and without either it is the demo.
import { fileURLToPath } from 'url'
import { load } from './load.js'

const program = new Map([
  ['build', './analytics-build.js'],
  ['proxy', './analytics-proxy.js'],
]).get(process.argv[2])
if (program === undefined) load('demo/serve-demo.js', (code) => process.exit(code))
else {
  const url = new URL(program, import.meta.url)
  // As if it had been started itself: its commands and messages are those of that program.
  process.argv.splice(1, 2, fileURLToPath(url))
  void import(url.href)
}
