// No id of a person leaves the server (SECURITY.md): neither the memory of a build nor its log has one.
import { closeSync, openSync, readFileSync, readSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import { expect, it, onTestFinished } from 'vitest'
import { packagePath } from '../../src/process/package-root.ts'
import { begin } from '../builder/build-program.ts'
import { createSmallPlatform } from '../builder/small-platform.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { describeWithPostgres } from '../support/postgres.ts'

const NATIVE = readFileSync(packagePath('src', 'source', 'mapping', 'built-in', 'native', 'mapping.sql'), 'utf8')
/** Ids as no other text is; and the comments wait for a lock. */
const NAMED = NATIVE.replace('-- mapping: native', '-- mapping: named')
  .replaceAll(/^-- requires.*\n/gm, '')
  .replaceAll(/(user|author)_id, /g, "'who-' || $1_id AS $1_id, ")
  .replace('FROM comments', 'FROM comments, (SELECT pg_advisory_xact_lock(7)) AS held')
const WAITING = `SELECT count(*) FROM pg_stat_activity WHERE application_name = 'analytics-build' AND wait_event_type = 'Lock'`

/** All that a process can write to, as Latin-1 (proc(5), "maps" and "mem"). */
function* memoryOf(pid: number): Generator<string> {
  const memory = openSync(`/proc/${pid}/mem`, 'r')
  for (const line of readFileSync(`/proc/${pid}/maps`, 'utf8').split('\n')) {
    const [, from = '', to = ''] = /^(\w+)-(\w+) rw.*(?<!\[v\w+\])$/.exec(line) ?? []
    const part = Buffer.alloc(Number.parseInt(to, 16) - Number.parseInt(from, 16) || 0)
    readSync(memory, part, 0, part.length, Number.parseInt(from, 16) || 0)
    yield part.toString('latin1')
  }
  closeSync(memory)
}

describeWithPostgres('the ids of people', (postgres) => {
  it('are neither in memory while a build reads nor in its log', async () => {
    const url = await createSmallPlatform(postgres(), 'small')
    const folder = temporaryFolder(onTestFinished)
    const source = join(folder, 'named.sql')
    writeFileSync(source, NAMED)
    const admin = new Client(url)
    await admin.connect()
    onTestFinished(() => admin.end())
    // Authors and votes are read when it waits.
    await admin.query('SELECT pg_advisory_lock(7)')
    const { child, done } = begin(['--source', source, '--database-url', url, '--snapshots', join(folder, 'snapshots')])
    await expect.poll(() => postgres().psql(WAITING), { timeout: 20_000 }).toBe('1')
    const memory = [...memoryOf(child.pid ?? 0)]
    await admin.query('SELECT pg_advisory_unlock(7)')
    const { code, stdout, stderr } = await done
    expect(code, stderr).toBe(0)
    // What it has read, and what it has asked.
    for (const text of ['Ops, "more" & more', "'who-' || user_id"])
      expect(memory.some((part) => part.includes(text))).toBe(true)
    for (const text of [...memory, stdout, stderr]) expect(/who-\d/.test(text)).toBe(false)
  })
})
