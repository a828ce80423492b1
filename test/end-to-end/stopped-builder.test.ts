// A builder that is stopped (SIGSTOP, as a frozen container or a suspended machine) at each place of a build: when its time is over the
// platform's ALTER TABLE goes on. Tests src/source/database/guest.ts.
// long test: each place waits for the end of a build's time, over TCP, through a pooler and over a socket
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { packagePath } from '../../src/process/package-root.ts'
import { begin, run } from '../builder/build-program.ts'
import { createSmallPlatform } from '../builder/small-platform.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { pgbouncerAvailable, startPgBouncer, type PgBouncer } from '../support/pgbouncer.ts'
import { describeWithPostgres } from '../support/postgres.ts'
import { describeWithComponent } from '../support/real-component.ts'

const PRELOAD = pathToFileURL(packagePath('test', 'support', 'stopped-program.mjs')).href
const DEADLINE_S = 16
const WAIT_S = 3

interface Place {
  readonly query: string
  readonly when: 'before' | 'after'
  readonly nth?: number
}

/** More than the buffers of two sockets hold, so that the server waits for its reader. */
const MANY_BYTES = `INSERT INTO ideas (id, title, created_at, launched, url, author_id, status)
  SELECT 1000 + n, repeat('x', 5000), '2026-01-01Z', false, '/i', 1, 'open' FROM generate_series(1, 10000) n`
const LAST_COPY = 'COPY .*left\\(title'

const PLACES: Readonly<Record<string, Place>> = {
  'after BEGIN': { query: 'pg_is_in_recovery', when: 'before' },
  'while the columns are asked for': { query: 'LIMIT 0', when: 'after', nth: 6 },
  'between two COPYs': { query: LAST_COPY, when: 'before' },
  'in the middle of a COPY': { query: LAST_COPY, when: 'after' },
  'after the last row, with files to write': { query: 'ROLLBACK', when: 'before' },
}

describeWithPostgres('a builder that is stopped', (postgres) => {
  let pooler: PgBouncer | undefined
  beforeAll(async () => {
    await createSmallPlatform(postgres(), 'template_of_stops')
    if (pgbouncerAvailable().ok) pooler = await startPgBouncer(postgres())
  })
  afterAll(() => pooler?.stop())
  const onSocket = (database: string): string =>
    `postgresql://postgres@/${database}?host=${postgres().socketDir}&port=${postgres().port}`

  /** Seconds until an ALTER TABLE goes on that is sent once the builder has stopped, and what was left then. */
  async function stoppedAt(place: Place, database: string, url: string) {
    await postgres().psql(`CREATE DATABASE ${database} TEMPLATE template_of_stops`)
    if (place.when === 'after') await postgres().psql(MANY_BYTES, database)
    const snapshots = join(temporaryFolder(onTestFinished), 'snapshots')
    const STOP_AT = JSON.stringify({ ...place, waitMs: WAIT_S * 1000, deadlineMs: DEADLINE_S * 1000 })
    const args = ['build', '--snapshots', snapshots, '--database-url', url, '--deadline', `${DEADLINE_S}s`]
    const { child, done } = begin(args, { STOP_AT, NODE_OPTIONS: `--import=${PRELOAD}` })
    onTestFinished(() => void child.kill('SIGKILL'))
    const left = await new Promise<number>((resolve, reject) => {
      child.stderr?.on('data', (text: Buffer) => {
        const [, seconds] = /^left (.*) s$/m.exec(String(text)) ?? []
        if (seconds !== undefined) resolve(Number(seconds))
      })
      void done.then(({ code, stderr }) => reject(new Error(`it ended first, with ${code}: ${stderr}`)))
    })
    const startMs = performance.now()
    const since = (): number => Math.round(performance.now() - startMs) / 1000
    // What was sent before the stop is under way.
    await sleep(300)
    const session = `SELECT string_agg(state || ' ' || coalesce(wait_event, ''), ',') FROM pg_stat_activity
      WHERE datname = '${database}' AND application_name = 'analytics-build' AND state <> 'idle'`
    const state = await postgres().psql(session)
    const altered = postgres()
      .psql('ALTER TABLE votes ADD COLUMN more int', database)
      .then(() => since())
    const gone = async (): Promise<number> => {
      while ((await postgres().psql(session)) !== '') await sleep(100)
      return since()
    }
    const patience = sleep((left + 4) * 1000, Number.POSITIVE_INFINITY)
    const [alteredS, goneS] = await Promise.all([altered, gone()].map((one) => Promise.race([one, patience])))
    child.kill('SIGKILL')
    await Promise.all([altered, done])
    return { state, left, alteredS: alteredS ?? 0, goneS: goneS ?? 0 }
  }

  function stops(name: string, urlOf: (database: string) => string, ends: (place: string) => boolean): void {
    it(`${name} lets the platform go on when its time is over`, async () => {
      const all = Object.entries(PLACES).map(async ([what, place], i) => {
        const database = `stop_${name.replaceAll(/\W/g, '').toLowerCase()}_${i}`
        return { what, ...(await stoppedAt(place, database, urlOf(database))) }
      })
      for (const { what, state, left, alteredS, goneS } of await Promise.all(all)) {
        console.log(`${name}, ${what}: ${state}; left ${left.toFixed(2)} s, ALTER ${alteredS} s, session ${goneS} s`)
        expect(left, what).toBeLessThan(DEADLINE_S - WAIT_S + 0.1)
        // Every place but the first has locks on what it reads.
        if (what === 'after BEGIN') expect(alteredS).toBeLessThan(2)
        else if (ends(what)) expect(alteredS, what).toBeGreaterThan(left - 0.1)
        expect([what, goneS < Number.POSITIVE_INFINITY]).toEqual([what, ends(what)])
        // What is left is of when the last query was sent, which may be the wait before the stop.
        if (ends(what)) expect(Math.max(alteredS, goneS), what).toBeLessThan(left + WAIT_S + 3)
        if (what === 'in the middle of a COPY') expect(state).toBe('active ClientWrite')
      }
    }, 120_000)
  }

  stops(
    'TCP',
    (database) => postgres().url(database),
    () => true,
  )
  describeWithComponent('through PgBouncer', pgbouncerAvailable(), () => {
    stops(
      'PgBouncer',
      (database) => pooler?.url(database) ?? '',
      () => true,
    )
  })
  describe('over a Unix socket', () => {
    stops('a socket', onSocket, (place) => place !== 'in the middle of a COPY')

    it('is what check warns of', async () => {
      const { stdout } = await run(['check', '--database-url', onSocket('template_of_stops')])
      expect(stdout).toMatch(/^warning connection: a Unix socket: .* ALTER TABLE waits/m)
      expect(stdout).toContain('SELECT pg_terminate_backend(pid) FROM pg_stat_activity')
      const overTcp = await run(['check', '--database-url', postgres().url('template_of_stops')])
      expect(overTcp.stdout).not.toContain('connection')
    })
  })
})
