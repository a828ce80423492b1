// The lookup of connect.ts.
// real test: the helper is a process, and its environment is what is tested.
import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, it, vi } from 'vitest'
import { lookupUntil } from '../../../src/source/database/connect.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const node = process.execPath
afterEach(() => {
  process.execPath = node
  vi.unstubAllEnvs()
})

it('tells the process that asks the name server nothing but what the resolver reads', async () => {
  const folder = temporaryFolder()
  const helper = join(folder, 'helper')
  const told = join(folder, 'told')
  const answer = JSON.stringify({ addresses: [{ address: '192.0.2.1', family: 4 }] })
  writeFileSync(helper, `#!/bin/sh\n/usr/bin/env >'${told}'\nprintf %s '${answer}'\n`)
  chmodSync(helper, 0o755)
  process.execPath = helper
  for (const name of ['DATABASE_URL', 'PGPASSWORD', 'ANALYTICS_RATE_STORE', 'AWS_SECRET_ACCESS_KEY'])
    vi.stubEnv(name, 'S3CRET')
  vi.stubEnv('NODE_OPTIONS', '--max-old-space-size=100')
  vi.stubEnv('RES_OPTIONS', 'timeout:1')
  vi.stubEnv('LOCALDOMAIN', 'example.org')

  const address = await new Promise((resolve, reject) => {
    lookupUntil(new AbortController().signal)('db.example.org', {}, (error, found) =>
      error === null ? resolve(found) : reject(error),
    )
  })
  expect(address).toBe('192.0.2.1')
  const lines = readFileSync(told, 'utf8').split('\n')
  expect(lines).toEqual(expect.arrayContaining(['RES_OPTIONS=timeout:1', 'LOCALDOMAIN=example.org']))
  // Those of the shell itself.
  const own = /^(?:PWD|SHLVL|_|OLDPWD|LD_\w+|NSS_\w+|RES_OPTIONS|LOCALDOMAIN)=|^$/
  expect(lines.filter((line) => !own.test(line))).toEqual([])
})
