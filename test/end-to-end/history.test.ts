// The history over 400 builds of 60 days, while everything happens that an operator meets: rejections, rollbacks back and
// forth, resumes, another mapping, damaged releases, pruning, and builds that are killed at each step of publishing.
// What it must be is known from one list: the releases that are published and not taken back, in their order.
// long test: builds and serves for each case
// depends on: test/support/killed-build.mjs
import { spawn } from 'node:child_process'
import { existsSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { BuildRequest } from '../../src/builder/run/context.ts'
import { runBuild } from '../../src/builder/run/run-build.ts'
import type { HistoryRow } from '../../src/contract/kinds/history.ts'
import { PERIODS } from '../../src/contract/windows.ts'
import { pick, randomStream } from '../../src/demo/random.ts'
import { packagePath } from '../../src/process/package-root.ts'
import { logLines } from '../../src/release/format/day-log.ts'
import { releasePaths } from '../../src/release/format/paths.ts'
import { manifestFile } from '../../src/release/reading/folder-reader.ts'
import { currentId, listReleases } from '../../src/release/reading/release-list.ts'
import { savedLogFaults } from '../../src/release/verify/verify-log.ts'
import { resume, rollback } from '../../src/release/past/rollback.ts'
import { loadMapping } from '../../src/source/mapping/mapping.ts'
import { openNativeDatabase } from '../oracle/random-database.ts'
import { wholeCurrent } from '../release/sample-release.ts'
import { effectsAt, requestOf } from '../support/library-build.ts'
import { describeWithPostgres } from '../support/postgres.ts'
import { SITE } from '../support/site.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const BUILDS = 400
const DAYS = 60
const HOUR_MS = 3_600_000
const BEGIN_MS = Date.parse('2024-01-20T05:00:00.000Z')
/** One release in so many is a website, too: most of a small build is its pages, and the history asks nothing of them. */
const SITE_EVERY = 8
const SEED = Number(process.env['HISTORY_SEED'] ?? 8)

const LOG: string = '^log\\.csv$'
const JOURNAL: string = '^\\.journal$'

/** Each step of publishing: the journal gets a line, the release its name, the link is made and replaces the last one; log.csv gets the day that has ended. */
const KILLS = [
  { call: 'add', to: JOURNAL, when: 'before' },
  { call: 'add', to: JOURNAL, when: 'middle' },
  { call: 'add', to: JOURNAL, when: 'after' },
  { call: 'rename', to: JOURNAL, when: 'before' },
  { call: 'rename', to: JOURNAL, when: 'after' },
  { call: 'rename', to: '^\\d{8}T\\d{9}Z-', when: 'before' },
  { call: 'rename', to: '^\\d{8}T\\d{9}Z-', when: 'after' },
  { call: 'symlink', to: '^\\.tmp-current-', when: 'after' },
  { call: 'rename', to: '^current$', when: 'before' },
  { call: 'rename', to: '^current$', when: 'after' },
  { call: 'rename', to: LOG, when: 'before' },
  { call: 'rename', to: LOG, when: 'after' },
] as const

describeWithPostgres('a history of 60 days', (postgres) => {
  let client: pg.Client
  let url = ''
  const folder = temporaryFolder(afterAll)
  beforeAll(async () => {
    ;({ url, client } = await openNativeDatabase(postgres()))
  })
  afterAll(() => client?.end())

  it(`is right after each of ${BUILDS} builds`, { timeout: 900_000 }, async () => {
    const paths = releasePaths(folder)
    const random = randomStream(SEED, 'history')
    const mapping = loadMapping('native', {})
    const other = { ...mapping, sha256: 'fedcba98'.repeat(8) }
    const counted = {
      published: 0,
      refused: 0,
      held: 0,
      back: 0,
      forth: 0,
      resumed: 0,
      damaged: 0,
      killed: 0,
      inJournal: 0,
      logged: 0,
      mapping: 0,
    }

    /** Published and not taken back, in the order of publication; by release what it was when that was published. */
    let line: readonly string[] = []
    const lines = new Map<string, readonly string[]>()
    const rowsOf = new Map<string, readonly HistoryRow[]>()
    let asOfMs = BEGIN_MS
    let nth = 0
    let usual = mapping
    let pinned = false
    /** Whether the current release is the first one after a rollback: in time, what was taken back comes just before it. */
    let isFirstAfterRollback = false
    let isRolledBack = false
    const damaged = new Set<string>()

    const request = (): BuildRequest =>
      requestOf(url, folder, { mapping: usual, site: nth % SITE_EVERY === 0 ? SITE : null, keep: 6, asOfMs })
    const build = async (asked: BuildRequest, nowMs = (asked.asOfMs ?? 0) + 1_000): Promise<string> => {
      const effects = effectsAt(() => nowMs)
      return (await runBuild({ ...asked, siblings: false }, effects)).kind
    }

    const killedBuild = async (kill: (typeof KILLS)[number]): Promise<void> => {
      const program = packagePath('test', 'support', 'killed-build.mjs')
      const asked = JSON.stringify({ dist: packagePath('dist'), request: request(), nowMs: asOfMs + 1_000, kill })
      const child = spawn(process.execPath, [program, asked], { stdio: ['ignore', 'pipe', 'inherit'] })
      const [code, signal] = await new Promise<[number | null, string | null]>((resolve) =>
        child.once('close', (...how) => resolve(how)),
      )
      // A pinned build does not come to publishing. Most builds are of the day of the last and add a line, others write all anew.
      if ([LOG, JOURNAL].includes(kill.to) && code === 0) return
      if (!pinned && kill.to === JOURNAL) counted.inJournal += 1
      expect([code, signal]).toEqual(pinned ? [0, null] : [null, 'SIGKILL'])
    }

    let log = ''
    const manifestSha = new Map<string, string>()
    /** Whatever happens, the log only grows, and names releases as they were published. */
    const checkLog = (): void => {
      const path = join(folder, 'log.csv')
      const now = existsSync(path) ? readFileSync(path, 'utf8') : ''
      if (log !== '') expect(savedLogFaults(log, now)).toEqual([])
      for (const added of logLines(now).slice(logLines(log).length)) {
        const [date = '', id = '', sha256] = added.split(',')
        expect([id, sha256]).toEqual([id, manifestSha.get(id)])
        expect(date >= `${id.slice(0, 4)}-${id.slice(4, 6)}-${id.slice(6, 8)}`).toBe(true)
        counted.logged += 1
      }
      log = now
    }

    /** What the history of a release must be, by what was published. */
    const expected = (ids: readonly string[]): HistoryRow[] => {
      let rows: readonly HistoryRow[] = []
      for (const id of ids) {
        const own = (rowsOf.get(id) ?? []).slice(-1)
        rows = [...rows.filter(({ date }) => date < (own[0]?.date ?? '')), ...own]
      }
      return [...rows]
    }

    /**
     * A release was made current: it carries on the newest one of the line that was there and whole.
     * @param there before it was built
     */
    const published = (id: string, there: ReadonlySet<string>): void => {
      const base = line.findLastIndex((one) => there.has(one) && !damaged.has(one))
      line = [...line.slice(0, base + 1), id]
      lines.set(id, line)
      const read = (period: string): HistoryRow[] => {
        const text = readFileSync(join(paths.current, `analytics/export/history/${period}.json`), 'utf8')
        return (JSON.parse(text) as { data: HistoryRow[] }).data
      }
      const rows = read('all')
      rowsOf.set(id, rows)
      expect(rows.at(-1)).toMatchObject({ dataAsOf: new Date(asOfMs).toISOString(), mapping: usual.sha256.slice(0, 8) })
      expect(rows).toEqual(expected(line))
      expect(new Set(rows.map(({ date }) => date)).size).toBe(rows.length)
      for (const part of PERIODS.map(read)) expect(rows.slice(-part.length)).toEqual(part)
      utimesSync(join(paths.releases, id), asOfMs / 1000, asOfMs / 1000)
      counted.published += 1
    }

    for (let n = 0; n < BUILDS; n += 1) {
      nth = n
      asOfMs += Math.round((0.5 + random()) * ((DAYS * 24 * HOUR_MS) / BUILDS))
      await client.query(`INSERT INTO users VALUES ($1, $2)`, [n, new Date(asOfMs - 1)])
      await client.query(`INSERT INTO ideas (id, title, created_at) VALUES ($1, 'Idea', $2)`, [n, new Date(asOfMs - 1)])
      const before = await currentId(paths)
      const chance = random()
      if (chance < 0.06) {
        expect(await build(request(), asOfMs - HOUR_MS), 'the clock of the database is ahead').toBe('refused')
        counted.refused += 1
      } else if (chance < 0.13) {
        const whole = (await listReleases(paths)).filter((id) => lines.has(id) && id !== before && !damaged.has(id))
        const taken = whole.filter((id) => !line.includes(id))
        if (whole.length > 0) {
          const id = pick(random, taken.length > 0 && random() < 0.5 ? taken : whole)
          counted[line.includes(id) ? 'back' : 'forth'] += 1
          await rollback(paths, id, asOfMs)
          line = lines.get(id) ?? []
          pinned = true
          isRolledBack = true
        }
      } else if ((chance < 0.17 || (isFirstAfterRollback && chance < 0.5)) && before !== null && !pinned) {
        const path = random() < 0.5 ? 'manifest.json' : 'analytics/export/history/all.json'
        writeFileSync(join(paths.releases, before, path), 'no longer what it was')
        damaged.add(before)
        counted.damaged += 1
      } else if (chance < 0.2) {
        usual = usual === mapping ? other : mapping
        counted.mapping += 1
      }
      const there = new Set(await listReleases(paths))
      if (pinned && random() < 0.4) {
        await resume(paths, asOfMs)
        pinned = false
        counted.resumed += 1
      }
      if (before !== null && !pinned && n % 19 === 0) {
        await killedBuild(KILLS[counted.killed % KILLS.length] ?? KILLS[0])
        counted.killed += 1
      } else {
        const kind = await build(request())
        expect(kind).toBe(pinned ? 'held' : 'published')
        if (pinned) counted.held += 1
      }
      const now = await currentId(paths)
      if (now !== null && !damaged.has(now)) manifestSha.set(now, (await manifestFile(paths, now)).sha256)
      checkLog()
      if (now !== null && !pinned && !lines.has(now)) {
        published(now, there)
        isFirstAfterRollback = isRolledBack
        isRolledBack = false
      }
      if (n % 40 === 0 && !pinned && now !== null && !damaged.has(now)) await wholeCurrent(folder)
    }
    expect((asOfMs - BEGIN_MS) / (24 * HOUR_MS)).toBeGreaterThan(50)
    for (const [what, times] of Object.entries(counted)) expect(times, what).toBeGreaterThan(3)
    expect(Math.max(...[...rowsOf.values()].map((rows) => rows.length)), 'days in one history').toBeGreaterThan(10)
  })
})
