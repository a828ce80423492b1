// What the gate makes of a site's past when rows of a real PostgreSQL change behind it: corruptions and a busy night.
// long test: builds and serves for each case
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { BuildRequest } from '../../src/builder/run/context.ts'
import { runBuild, type BuildOutcome } from '../../src/builder/run/run-build.ts'
import type { Log } from '../../src/process/log.ts'
import { releasePaths } from '../../src/release/format/paths.ts'
import { currentId } from '../../src/release/reading/release-list.ts'
import { resume, rollback } from '../../src/release/past/rollback.ts'
import { run } from '../builder/build-program.ts'
import { createSmallPlatform } from '../builder/small-platform.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { effectsAt, requestOf } from '../support/library-build.ts'
import { describeWithPostgres } from '../support/postgres.ts'

const TABLES = ['users', 'ideas', 'idea_categories', 'votes', 'comments']

describeWithPostgres('a past that changed', (postgres) => {
  let url: string
  const snapshots = temporaryFolder(afterAll)
  let logged: string[] = []
  const sql = (text: string): Promise<string> => postgres().psql(text, 'revised')

  beforeAll(async () => {
    url = await createSmallPlatform(postgres(), 'revised')
    await sql(TABLES.map((table) => `CREATE TABLE kept_${table} AS TABLE ${table};`).join('\n'))
    expect(await build()).toMatchObject({
      kind: 'published',
      report: { revisions: null, withoutPast: 'no release is current' },
    })
    expect(logged).toEqual([])
  })

  /** As it was before a corruption. */
  const restore = (): Promise<string> =>
    sql(
      `TRUNCATE ${TABLES.join(', ')};\n${TABLES.map((table) => `INSERT INTO ${table} TABLE kept_${table};`).join('\n')}`,
    )

  function build(change: Partial<BuildRequest> = {}): Promise<BuildOutcome> {
    logged = []
    const say = (_: object, text: string): void => void logged.push(text)
    const log: Log = { info: say, warn: say, error: say }
    return runBuild(requestOf(url, snapshots, change), { ...effectsAt(Date.now), log })
  }

  const CORRUPTIONS: readonly [what: string, sql: string, reasons: readonly RegExp[]][] = [
    [
      'votes that are there twice',
      'INSERT INTO votes TABLE votes',
      [/^votes: the past changed by [\d,]+ of [\d,]+ rows \(100\.0 %, allowed 10 %\): \d{4}-\d\d .*--accept-revision$/],
    ],
    [
      'ideas with new ids',
      'UPDATE votes SET idea_id = idea_id + 1000; UPDATE comments SET idea_id = idea_id + 1000; DELETE FROM idea_categories; UPDATE ideas SET id = id + 1000; INSERT INTO idea_categories SELECT idea_id + 1000, category FROM kept_idea_categories',
      [
        /^titles: 150 of 150 /,
        /^votes of ideas: [\d,]+ of [\d,]+ votes compared are of other ideas \(100.0 %/,
        /^comments of ideas: /,
      ],
    ],
    [
      'categories that are addresses of people',
      "DELETE FROM idea_categories; INSERT INTO idea_categories SELECT id, id % 20 || '@example.org' FROM ideas",
      [/^categories of ideas: 1[34]\d of 150 /],
    ],
  ]
  it.each(CORRUPTIONS)('is rejected: %s', async (what, corruption, reasons) => {
    const paths = releasePaths(snapshots)
    const before = await currentId(paths)
    await sql(corruption)
    const outcome = await build()
    if (outcome.kind !== 'refused') throw new Error(outcome.kind)
    expect(outcome.reasons).toEqual(reasons.map((reason) => expect.stringMatching(reason)))
    expect(logged).toEqual(
      what === 'categories that are addresses of people'
        ? [
            expect.stringMatching(
              /^20 of 24 categories look like e-mail addresses, such as .*@example\.org: everybody can read/,
            ),
          ]
        : [],
    )
    expect(await currentId(paths)).toBe(before)
    // By month, from what was kept of the candidate.
    const kept = readdirSync(join(snapshots, 'releases')).find((name) => name.startsWith('.refused-')) ?? ''
    const shown = await run(['diff', 'current', kept, '--snapshots', snapshots])
    expect(shown).toMatchObject({ code: 0, stderr: '' })
    expect(shown.stdout).toMatch(
      /\nthe past of A is not so in B; .*\n {2}\w+ .*(?: rows \(.*\):\n {4}(?:undated|\d{4}-\d\d) [\d,]+ to [\d,]+|\d of [\d,]+ \(.* %\))/,
    )
    await restore()
    expect(await build()).toMatchObject({ kind: 'published' })
    expect(logged).toEqual([])
  })

  it('is not what a busy night does, nor the deletion of some rows', async () => {
    await sql(`INSERT INTO votes SELECT i % 150 + 1, i, 1, now() FROM generate_series(1, 9000) i;
               INSERT INTO users SELECT i, now() FROM generate_series(1000, 4000) i;
               DELETE FROM votes WHERE idea_id = 7; DELETE FROM comments WHERE id % 50 = 0`)
    const outcome = await build()
    expect(outcome).toMatchObject({ kind: 'published', report: { revisions: expect.any(Array) as unknown } })
    await restore()
    // Nothing that is gone now was there before the cut.
    expect(await build()).toMatchObject({ kind: 'published' })
  })

  it('is published once with --accept-revision, and is the past from then on', async () => {
    await sql('DELETE FROM votes WHERE idea_id % 3 = 0')
    expect(await build()).toMatchObject({ kind: 'refused' })
    expect(await build({ maxRevision: 60 })).toMatchObject({ kind: 'published' })
    expect(await build()).toMatchObject({ kind: 'published' })
    await restore()
    expect(await build()).toMatchObject({ kind: 'refused' })
    expect(await build({ acceptRevision: true })).toMatchObject({ kind: 'published' })
    expect(await build()).toMatchObject({ kind: 'published' })
  })

  it('is compared with that of the release that a rollback made current', async () => {
    const paths = releasePaths(snapshots)
    await sql('DELETE FROM votes WHERE idea_id % 3 = 0')
    expect(await build({ acceptRevision: true })).toMatchObject({ kind: 'published' })
    await rollback(paths, null, Date.now())
    await resume(paths, Date.now())
    expect(await build()).toMatchObject({ kind: 'refused' })
    await restore()
    expect(await build()).toMatchObject({ kind: 'published' })
  })

  it('is not known without .state, which is refused until somebody accepts it, and known again after that', async () => {
    const paths = releasePaths(snapshots)
    const status = async (): Promise<string> => (await run(['status', '--snapshots', snapshots])).stdout
    expect(await status()).not.toContain('past')
    rmSync(paths.state, { recursive: true })
    expect(await status()).toContain(
      'what was kept of the past of the current release is lost: the next build is rejected unless somebody accepts it',
    )
    await sql('INSERT INTO votes TABLE votes')
    expect(await build()).toMatchObject({ kind: 'refused', reasons: [expect.stringMatching(/^nothing is known of/)] })
    expect(await build({ acceptRevision: true })).toMatchObject({ kind: 'published', report: { revisions: null } })
    expect(logged).toEqual([expect.stringMatching(/^nothing is known of the past of .*: the past was not compared$/)])
    await restore()
    expect(await build()).toMatchObject({ kind: 'refused' })
  })

  it('is rejected without its journal until somebody accepts it, and goes on with all that was published', async () => {
    const paths = releasePaths(snapshots)
    expect(await build({ acceptRevision: true })).toMatchObject({ kind: 'published' })
    const history = (): string[] =>
      readFileSync(join(paths.current, 'analytics/export/history/all.csv'), 'utf8').split('\r\n')
    const before = history()
    rmSync(paths.journal)
    const reason = expect.stringMatching(
      /^there is no .*\.journal: put it back from a backup, or look at the new numbers/,
    )
    expect(await build()).toMatchObject({ kind: 'refused', reasons: [reason] })
    expect(await build({ acceptRevision: true })).toMatchObject({ kind: 'published' })
    expect(await build()).toMatchObject({ kind: 'published', report: { withoutPast: null } })
    expect(history().slice(0, -2)).toEqual(before.slice(0, -2))
    // Of another folder, or damaged.
    const own = readFileSync(paths.journal, 'utf8')
    writeFileSync(paths.journal, own.replaceAll(/"id":"\d{4}/g, '"id":"2001'))
    await expect(build()).rejects.toThrow(/\.journal does not name .*, which is current/)
    writeFileSync(paths.journal, own.replace('{', '['))
    await expect(build()).rejects.toThrow(/\.journal: line 1 is damaged/)
    writeFileSync(paths.journal, own)
    expect(await build()).toMatchObject({ kind: 'published' })
  })
})
