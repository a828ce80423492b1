// Sixteen days of builds with five corrections of the past, one of them accepted, and a rollback: what the public can read of it,
// and that the log of days is checked by the scripts of docs/api.md, which share nothing with src/.
// real test: it builds from a database.
import { execFile } from 'node:child_process'
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { releaseNamed } from '../../src/builder/commands/which-release.ts'
import { releasePaths } from '../../src/release/format/paths.ts'
import { verifyRelease } from '../../src/release/verify/verify.ts'
import { resume, rollback } from '../../src/release/past/rollback.ts'
import { loadMapping } from '../../src/source/mapping/mapping.ts'
import { openNativeDatabase } from '../oracle/random-database.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { buildAt } from '../support/library-build.ts'
import { describeWithPostgres } from '../support/postgres.ts'
import { siteOf } from '../support/site.ts'

const run = promisify(execFile)
const API = readFileSync('docs/api.md', 'utf8')
const scriptOf = (language: string): string =>
  [...API.matchAll(new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 'gs'))]
    .map(([, text = '']) => text)
    .find((text) => /hashlib|sha256sum/.test(text)) ?? ''

/** What both scripts print of a log at an address, and of a line that was saved of it. */
async function checkedBy(address: string, saved: string): Promise<readonly string[]> {
  const shell = scriptOf('sh').replace('https://ideas.example.org/snapshots/log.csv', address)
  const ran = [run('python3', ['-c', scriptOf('python'), address, saved]), run('sh', ['-c', shell])]
  return Promise.all(
    ran.map((one) =>
      one.then(
        ({ stdout }) => stdout,
        ({ stderr }: { stderr: string }) => stderr,
      ),
    ),
  )
}

describeWithPostgres('sixteen days', (postgres) => {
  let [url, client] = ['', undefined as pg.Client | undefined]
  beforeAll(async () => {
    ;({ url, client } = await openNativeDatabase(postgres(), 'sixteen_days'))
  })
  afterAll(() => client?.end())

  test(
    'five corrections and a rollback are published, and the days are chained',
    { timeout: 240_000 },
    async ({ onTestFinished }) => {
      const snapshots = temporaryFolder(onTestFinished)
      const paths = releasePaths(snapshots)
      const query = (text: string): Promise<unknown> => client!.query(text)
      const at = (day: number, hour = 8): number => Date.UTC(2026, 5, day, hour)
      const build = async (day: number, hour: number, acceptRevision = false): Promise<string> => {
        const site = day < 16 ? null : siteOf({ publicUrl: 'https://numbers.example', languages: ['en', 'de'] })
        const change = { site, siblings: site !== null, acceptRevision, keep: 50 }
        return (await buildAt(at(day, hour), url, snapshots, change)).kind
      }
      await query(`INSERT INTO users SELECT n, '2026-05-01' FROM generate_series(1, 80) n`)
      await query(
        `INSERT INTO ideas (id, title, created_at) VALUES (1, 'Shade', '2026-05-02'), (2, 'Trees', '2026-05-03')`,
      )
      await query(
        `INSERT INTO votes (idea_id, user_id, created_at, value) SELECT 1, n, '2026-05-10', 1 FROM generate_series(1, 80) n`,
      )
      await query(
        `INSERT INTO comments (id, idea_id, user_id, created_at) SELECT n, 2, n, '2026-05-12' FROM generate_series(1, 30) n`,
      )
      const events: Readonly<Record<number, () => Promise<unknown>>> = {
        2: () => query(`DELETE FROM votes WHERE user_id IN (1, 2)`),
        4: () => query(`DELETE FROM comments WHERE id = 1`),
        6: () => query(`UPDATE comments SET created_at = '2026-04-30' WHERE id = 2`),
        // A purge, which the gate rejects until somebody accepts it.
        8: async () => {
          await query(`DELETE FROM votes WHERE user_id BETWEEN 31 AND 60`)
          expect(await build(8, 7)).toBe('refused')
          expect(await build(8, 8, true)).toBe('published')
        },
        11: () => query(`INSERT INTO votes (idea_id, user_id, created_at, value) VALUES (2, 9, '2026-05-20', 1)`),
      }
      let saved = ''
      for (let day = 1; day <= 16; day++) {
        await query(
          `INSERT INTO ideas (id, title, created_at) VALUES (${100 + day}, 'New', '${new Date(at(day, 3)).toISOString()}')`,
        )
        await events[day]?.()
        expect(await build(day, 20)).toBe('published')
        if (day === 9) saved = readFileSync(paths.log, 'utf8').trimEnd().split('\n').at(-1) ?? ''
        if (day === 13) {
          // A wrong import was published at 20:00, and is taken back.
          await query(`INSERT INTO votes (idea_id, user_id, created_at, value) VALUES (2, 12, '2026-05-21', 1)`)
          expect(await build(13, 21)).toBe('published')
          await rollback(paths, null, at(13, 22))
          await query(`DELETE FROM votes WHERE user_id = 12 AND idea_id = 2`)
          await resume(paths, 0)
        }
      }

      const revisions = readFileSync(join(paths.current, 'analytics/export/revisions/all.json'), 'utf8')
      const { data: rows } = JSON.parse(revisions) as { data: object[] }
      expect(rows.map((row) => Object.values(row))).toEqual([
        ['2026-06-02', 'votes', '2026-05-01', 80, 78, false],
        ['2026-06-04', 'comments', '2026-05-01', 30, 29, false],
        ['2026-06-06', 'comments', '2026-04-01', 0, 1, false],
        ['2026-06-06', 'comments', '2026-05-01', 29, 28, false],
        ['2026-06-08', 'votes', '2026-05-01', 78, 48, true],
        ['2026-06-11', 'votes', '2026-05-01', 48, 49, false],
        ['2026-06-13', 'votes', '2026-05-01', 49, 50, false],
        ['2026-06-14', 'votes', '2026-05-01', 50, 49, false],
      ])
      const page = readFileSync(join(paths.current, 'index.html'), 'utf8')
      expect(page).toContain('<li>May 2026, Votes: 48 instead of 78, since 8 June 2026, accepted by the publisher</li>')
      expect(page).toContain('<li>April 2026, Comments: 1 instead of 0, since 6 June 2026</li>')
      const german = readFileSync(join(paths.current, 'de/index.html'), 'utf8')
      expect(german).toContain('<li>Mai 2026, Stimmen: 50 statt 49, seit dem 13. Juni 2026</li>')

      const log = readFileSync(paths.log, 'utf8')
      const lines = log.trimEnd().split('\n')
      const days = Array.from({ length: 15 }, (_, i) => `2026-06-${String(i + 1).padStart(2, '0')}`)
      expect(lines.slice(1).map((line) => line.slice(0, 10))).toEqual(days)
      expect(page).toContain(`<code>${lines.at(-1)}</code>`)
      const found = await releaseNamed(paths, 'current')
      expect((await verifyRelease(found, undefined, saved)).faults).toEqual([])
      await found.reader.close()

      // By scripts that share nothing with the program.
      const savedFile = join(snapshots, 'saved.csv')
      writeFileSync(savedFile, `${saved}\n`)
      let served = log
      const server = createServer((_, answer) => answer.end(served)).listen(0, '127.0.0.1')
      onTestFinished(() => void server.close())
      await new Promise((resolve) => server.once('listening', resolve))
      const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/snapshots/log.csv`
      const check = (): Promise<readonly string[]> => checkedBy(address, savedFile)
      expect(await check()).toEqual(['unchanged\n', ''])
      served = log.replace(/(?<=2026-06-05,.*,.*,)\d+(?=,\d+,\d+,)/, '99')
      const [python = '', shell = ''] = await check()
      expect([python, shell]).toEqual([
        expect.stringContaining('2026-06-05 does not follow'),
        expect.stringMatching(/^changed: 2026-06-05/),
      ])
    },
  )

  test('what happens to a log is honest history, or named by a line that was saved before', async ({
    onTestFinished,
  }) => {
    const snapshots = temporaryFolder(onTestFinished)
    const closing = join(temporaryFolder(onTestFinished), 'closing.sql')
    const native = readFileSync('src/source/mapping/built-in/native/mapping.sql', 'utf8')
    writeFileSync(closing, `${native}\n-- section closed\nSELECT true AS closed\n`)
    const build = async (day: number, folder = snapshots, mapping = 'native'): Promise<string> => {
      const change = { keep: 50, mapping: loadMapping(mapping, {}), site: null, siblings: false }
      return (await buildAt(Date.UTC(2027, 0, day, 12), url, folder, change)).kind
    }
    const logOf = (folder = snapshots): string => readFileSync(releasePaths(folder).log, 'utf8')
    const days = (folder?: string): string[] =>
      logOf(folder)
        .split('\n')
        .slice(1, -1)
        .map((line) => line.slice(8, 10))
    const faultsOf = async (saved: string, folder = snapshots): Promise<readonly string[]> => {
      const found = await releaseNamed(releasePaths(folder), 'current')
      const { faults } = await verifyRelease(found, undefined, saved)
      await found.reader.close()
      return faults
    }

    for (const day of [1, 2, 3]) await build(day)
    const early = logOf()
    const backup = join(temporaryFolder(onTestFinished), 'copy')
    cpSync(snapshots, backup, { recursive: true, verbatimSymlinks: true })
    // Away for a week: the release of the third was current on every day of it.
    await build(11)
    // A clock that went back publishes nothing.
    expect(await build(9)).toBe('refused')
    await rollback(releasePaths(snapshots), null, Date.UTC(2027, 0, 11, 13))
    await resume(releasePaths(snapshots), 0)
    await build(12)
    await build(13)
    expect(days()).toEqual(['01', '02', '03', '11', '12'])
    expect(await faultsOf(early)).toEqual([])
    const late = logOf()

    // Another builder goes on from the copy.
    await build(5, backup)
    await build(6, backup)
    expect(await faultsOf(late, backup)).toEqual([
      expect.stringMatching(/^2027-01-11 stands in a fork: after 2027-01-03 the log goes on with 2027-01-05/),
    ])
    expect(await faultsOf(early, backup)).toEqual([])

    // The manifest of a release that another one names is written anew.
    const manifest = join(releasePaths(backup).releases, late.split('\n')[3]?.split(',')[1] ?? '', 'manifest.json')
    writeFileSync(manifest, readFileSync(manifest, 'utf8').replace('"programVersion":"', '"programVersion":"9'))
    expect(await faultsOf(early, backup)).toEqual([
      expect.stringMatching(/^releases\/\S+\/manifest\.json: manifest of \S+ is \w+, but \w+ in previous of \S+$/),
    ])

    expect(await build(14, snapshots, closing)).toBe('published')
    expect(readdirSync(snapshots).filter((name) => /log|revisions/.test(name))).toEqual([])
    expect(await faultsOf(late)).toEqual([expect.stringMatching(/^log\.csv: there is none/)])
    for (const day of [15, 16]) await build(day)
    expect(days()).toEqual(['15'])
    expect(await faultsOf(late.split('\n')[5] ?? '')).toEqual([
      expect.stringMatching(/^2027-01-12 is gone: the log has 1 days up to 2027-01-15/),
    ])
  })
})
