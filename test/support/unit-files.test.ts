// unit-files.ts and nothing-real.ts: which files are unit tests, and what happens to one that needs something real.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { importsOf, testFiles } from './unit-files.ts'

test('an import of a type or in a text does not count, one over several lines does', () => {
  const text = `import type { Socket } from 'node:net'
import {
  once,
  type EventEmitter,
} from 'node:events'
import './support/a.ts'
export * from './b.ts'
const text = " from 'node:http'"
`
  expect(importsOf(text)).toEqual(['node:events', './support/a.ts', './b.ts'])
})

test('a file of ours is a real test by what it imports, also through other files of test/', () => {
  const root = mkdtempSync(join(tmpdir(), 'unit-files-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  mkdirSync(join(root, 'test/bench/peers/node_modules/send'), { recursive: true })
  const files = {
    'pure.test.ts': "import { join } from 'node:path'\nimport '../src/server.ts'\nimport './helper.ts'\n",
    'helper.ts': "import type { Server } from 'node:http'\nimport './pure.test.ts'\n",
    'direct.test.ts': "import { Client } from 'pg'\n",
    'through.test.ts': "import { start } from './start.ts'\n",
    'start.ts': "import { spawn } from 'node:child_process'\n",
    'marked.test.ts': '// real test: a large file\n',
    'said.test.ts': '// What it does. real test: it waits\n',
    'long.test.ts': '// Every case of it. long test: hundreds of releases\n',
    'bench/peers/node_modules/send/send.test.ts': "import '.'\n",
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(join(root, 'test', name), text)
  expect(testFiles(root)).toEqual({
    unit: ['test/pure.test.ts'],
    real: ['test/direct.test.ts', 'test/marked.test.ts', 'test/said.test.ts', 'test/through.test.ts'],
    long: ['test/long.test.ts'],
  })
})

describe('a unit test must not', () => {
  const { spawn, execFileSync } = process.getBuiltinModule('node:child_process')
  const net = process.getBuiltinModule('node:net')
  const http = process.getBuiltinModule('node:http')
  test.each<[string, RegExp, () => unknown]>([
    ['start a process', /must not start a process \(spawn\)/, () => spawn('true')],
    ['wait for a process', /must not start a process \(execFileSync\)/, () => execFileSync('true')],
    ['connect', /must not open a socket \(connect\)/, () => net.connect(1)],
    ['send a request', /must not open a socket \(connect\)/, () => http.get('http://127.0.0.1:1/')],
    ['listen', /must not open a socket \(listen\)/, () => http.createServer().listen(0)],
  ])('%s', (_, message, act) => {
    expect(act).toThrow(message)
  })
})
