// `verify` accuses nobody: sites of which everything happens that an operator may do, and what may happen to him, and after each step
// their current release, another one that is there, and an archive are proved with the log of days.
// long test: builds and verifies for each step
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { releaseNamed } from '../../src/builder/commands/which-release.ts'
import type { BuildRequest } from '../../src/builder/run/context.ts'
import { pick, randomStream } from '../../src/demo/random.ts'
import { releasePaths } from '../../src/release/format/paths.ts'
import { readCurrent } from '../../src/release/reading/folder-reader.ts'
import { currentId, listReleases, namesBelow } from '../../src/release/reading/release-list.ts'
import type { FoundRelease } from '../../src/release/reading/release-reader.ts'
import { FoundFaults } from '../../src/release/verify/file-reading.ts'
import { SaidOfPast } from '../../src/release/verify/verify-past.ts'
import { verifyRelease } from '../../src/release/verify/verify.ts'
import { readLogged } from '../../src/release/past/day-log.ts'
import { note } from '../../src/release/past/past.ts'
import { resume, rollback } from '../../src/release/past/rollback.ts'
import { prune } from '../../src/release/writing/prune.ts'
import { loadMapping } from '../../src/source/mapping/mapping.ts'
import { openNativeDatabase } from '../oracle/random-database.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { buildAt } from '../support/library-build.ts'
import { describeWithPostgres } from '../support/postgres.ts'
import { SITE } from '../support/site.ts'

const STEPS = 60
const SEEDS = (process.env['TRUE_SEEDS'] ?? '1,2,3').split(',').map(Number)
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
const ZONES = ['UTC', 'Pacific/Kiritimati', 'Europe/Berlin', 'America/Los_Angeles', 'Etc/GMT+12']
/** A build every five minutes, hours, a night, days without one, a month. */
const GAPS_MS = [5 * MINUTE_MS, 5 * MINUTE_MS, 3 * HOUR_MS, 11 * HOUR_MS, DAY_MS, DAY_MS, 3 * DAY_MS, 20 * DAY_MS]

describeWithPostgres('a true history', (postgres) => {
  let [url, client] = ['', undefined as pg.Client | undefined]
  beforeAll(async () => {
    ;({ url, client } = await openNativeDatabase(postgres(), 'true_histories'))
    await client.query(`INSERT INTO users SELECT n, '2026-05-01' FROM generate_series(1, 20) n`)
  })
  afterAll(() => client?.end())

  test.each(SEEDS)('is not accused of anything: %i', { timeout: 600_000 }, async (seed) => {
    const snapshots = temporaryFolder()
    const paths = releasePaths(snapshots)
    const closing = join(temporaryFolder(), 'closing.sql')
    const native = readFileSync('src/source/mapping/built-in/native/mapping.sql', 'utf8')
    writeFileSync(closing, `${native}\n-- section closed\nSELECT true AS closed\n`)
    const random = randomStream(seed, 'true histories')
    const counted: Record<string, number> = {}
    let nowMs = Date.parse('2026-06-28T05:00:00.000Z') + seed * 7 * HOUR_MS
    let numbers: Pick<BuildRequest, 'people' | 'timeZone'> = { people: 'exact', timeZone: pick(random, ZONES) }
    const proved = new Set<string>()
    /** Files of a release do not change: once they are proved, what binds it to all else is proved again, and all at the end. */
    const accusations = async (found: FoundRelease): Promise<readonly string[]> => {
      const own = JSON.stringify(found.manifest)
      if (proved.has(own)) {
        const others = new FoundFaults()
        const past = new SaidOfPast(found, others)
        await past.verify(null)
        return [...past.faults, ...others.unread]
      }
      proved.add(own)
      const { faults, unread } = await verifyRelease(found)
      return [...faults, ...unread]
    }
    const verified = async (which: string, after: string): Promise<void> => {
      const found = await releaseNamed(paths, which)
      const faults = await accusations(found)
      await found.reader.close()
      const log = readdirSync(snapshots).includes('log.csv') ? readFileSync(paths.log, 'utf8') : ''
      expect(faults, `${which} after ${after}\n${log}`).toEqual([])
    }
    const build = async (change: Partial<BuildRequest> = {}): Promise<string> => {
      nowMs += Math.round(pick(random, GAPS_MS) * (0.8 + 0.4 * random()))
      const id = Math.round(nowMs / 1000)
      await client!.query(`INSERT INTO ideas (id, title, created_at) VALUES ($1, 'Idea', $2)`, [
        id,
        new Date(nowMs - 1),
      ])
      const site = random() < 0.2 ? SITE : null
      return (await buildAt(nowMs, url, snapshots, { site, keep: 4, ...numbers, acceptRevision: true, ...change })).kind
    }
    const steps: Readonly<Record<string, () => Promise<unknown>>> = {
      build,
      'many builds': async () => {
        for (const _ of Array(3)) await build()
      },
      'a rollback': async () => {
        const others = (await listReleases(paths)).filter((id) => id !== undefined)
        const current = await readCurrent(paths)
        if (others.length > 1 && current?.closed !== true)
          await rollback(paths, pick(random, others), nowMs + MINUTE_MS)
      },
      'a rollback that was killed': async () => {
        const current = await readCurrent(paths)
        const id = pick(random, await listReleases(paths))
        const pin = { since: new Date(nowMs).toISOString(), id }
        const days = [{ date: '2026-06-01', id, sha256: 'a'.repeat(64), rows: { ideas: 1, votes: 1, comments: 1 } }]
        if (current?.closed !== true && id !== (await currentId(paths)))
          await note(paths, (await readLogged(paths)).past, { id, pin, days })
      },
      'another time zone': async () => {
        numbers = { ...numbers, timeZone: pick(random, ZONES) }
      },
      'another mode of people': async () => {
        numbers = { ...numbers, people: pick(random, ['exact', 'rounded', 'off'] as const) }
      },
      'a closing': async () => {
        if (random() < 0.5) expect(await build({ mapping: loadMapping(closing, {}) })).toBe('published')
      },
      'a prune': () => prune(paths, { keep: 1, keepMonths: 2 }, nowMs + 40 * DAY_MS),
      'a damaged history': async () => {
        const id = (await currentId(paths)) ?? ''
        writeFileSync(join(paths.releases, id, 'analytics/export/history/all.json'), 'no longer what it was')
        damaged.add(id)
      },
      'a log that is lost': async () => {
        if (random() < 0.3) writeFileSync(paths.log, '')
      },
    }
    const damaged = new Set<string>()
    const wholeOnes = async (): Promise<string[]> => (await listReleases(paths)).filter((id) => !damaged.has(id))
    const months = (): Promise<string[]> => namesBelow(paths, /^\d{4}-\d\d$/)
    await build()
    for (let n = 0; n < STEPS; n += 1) {
      const name = random() < 0.5 ? 'build' : pick(random, Object.keys(steps))
      await steps[name]?.()
      counted[name] = (counted[name] ?? 0) + 1
      if (random() < 0.6) await resume(paths, nowMs)
      const whole = await wholeOnes()
      const current = (await currentId(paths)) ?? ''
      for (const which of new Set([current, pick(random, whole.length > 0 ? whole : [current])]))
        if (!damaged.has(which)) await verified(which, `${n}: ${name}`)
      const archives = await months()
      if (archives.length > 0) await verified(pick(random, archives), `${n}: ${name}`)
    }
    proved.clear()
    for (const which of [...(await wholeOnes()), ...(await months())]) await verified(which, 'all of it')
    expect(Object.keys(counted).length).toBeGreaterThan(6)
  })
})
