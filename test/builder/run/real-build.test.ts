// long test: a build for each of its properties
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { siteKindOf } from '../../../src/contract/site-paths.ts'
import { runBuild } from '../../../src/builder/run/run-build.ts'
import { NO_PROGRESS, type Progress } from '../../../src/process/progress.ts'
import { RELEASE_ID } from '../../../src/release/format/manifest.ts'
import { wholeCurrent } from '../../release/sample-release.ts'
import { readCurrent } from '../../../src/release/reading/folder-reader.ts'
import { releasePaths } from '../../../src/release/format/paths.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { asRoot } from '../../support/as-root.ts'
import { effectsAt, requestOf } from '../../support/library-build.ts'
import { describeWithPostgres } from '../../support/postgres.ts'
import { failureOf, logOf, run, type Ran, PROGRAM } from '../build-program.ts'
import { createSmallPlatform } from '../small-platform.ts'

const AS_OF_MS = Date.parse('2024-03-31T23:45:00.000Z')

/** Path → content of everything below a folder; a symbolic link's content is where it points. */
function contentOf(folder: string): Map<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return new Map(
    files
      .map((entry) => join(entry.parentPath, entry.name))
      // Node.js 24 follows the link to a release, Node.js 20 does not.
      .filter((path) => !path.startsWith(join(folder, 'current/')))
      .sort()
      .map((path) => [path.slice(folder.length + 1), readFileSync(path, 'latin1')]),
  )
}

describeWithPostgres('a build of a small platform', (postgres) => {
  let url: string
  const snapshots = temporaryFolder(afterAll)
  const program = (...args: string[]): Promise<Ran> => run(args, { DATABASE_URL: url, ANALYTICS_SNAPSHOTS: snapshots })

  beforeAll(async () => {
    url = await createSmallPlatform(postgres(), 'small')
  })

  const current = (): Promise<string> => wholeCurrent(snapshots)
  const hidden = (): string[] => readdirSync(join(snapshots, 'releases')).filter((name) => name.startsWith('.'))
  const sql = (text: string): Promise<string> => postgres().psql(text, 'small')

  it('publishes, and says what', async () => {
    const built = await program()
    expect(built).toMatchObject({ code: 0 })
    const id = await current()
    expect(built.stdout).toMatch(new RegExp(`^published ${id}\n  data as of   \\d{4}-[^ ]*Z\n  users `))
    const counted = [...built.stdout.matchAll(/^ {2}(\w+) +([\d,]+)$/gm)].map(([, label, value]) => `${value} ${label}`)
    expect(counted.slice(0, -1)).toEqual([
      '300 users',
      '150 ideas',
      '50 launched',
      '2,728 votes',
      '1,000 comments',
      '5 categories',
    ])
    expect(logOf(built), 'it is told once').toEqual([])
    expect(hidden()).toEqual([])
    expect(readdirSync(snapshots).sort()).toEqual(['.journal', '.last-build', '.state', 'current', 'releases'])
  })

  it('publishes the next one beside it, as JSON when asked to', async () => {
    const before = await current()
    const { stdout } = await program('build', '--json')
    const id = await current()
    const { dataAsOf, nextUpdateAt } = (await readCurrent(releasePaths(snapshots)))!
    expect(Date.parse(nextUpdateAt) - Date.parse(dataAsOf), 'by default each hour').toBe(3_600_000)
    expect(id > before).toBe(true)
    expect(JSON.parse(stdout)).toMatchObject({
      kind: 'published',
      id,
      rows: { users: 300, ideas: 150, votes: 2_728, comments: 1_000, launchedIdeas: 50, categories: 5 },
      withoutPast: null,
      pruned: [],
    })
  })

  it('is found whole by verify', async () => {
    const id = await current()
    const { code, stdout, stderr } = await program('verify')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(new RegExp(`^${id} is whole: \\d+ files, [\\d.]+ [KM]iB\nnot proved:\n(  - .+\n)+$`))
    const first =
      readdirSync(join(snapshots, 'releases'))
        .filter((name) => RELEASE_ID.test(name))
        .sort()[0] ?? ''
    const named = JSON.parse((await program('verify', first, '--json')).stdout) as { id: string; faults: string[] }
    expect(named).toMatchObject({ id: first, faults: [] })
  })

  it('is listed by status, the current one marked', async () => {
    const id = await current()
    // As a folder of the temporary folder is made.
    chmodSync(snapshots, 0o700)
    expect((await program('status')).stdout).toContain('\nonly its owner may read ')
    chmodSync(snapshots, 0o755)
    const { code, stdout } = await program('status')
    expect(code).toBe(0)
    const lines = stdout.trimEnd().split('\n')
    expect(lines).toHaveLength(5)
    expect(lines[0]).toMatch(
      /^all is well: the data is \d+s old, and a release is expected every 60m; made by this version, \d+\.\d+\.\d+[\w.-]*(?: \(commit [\w-]+\))?$/,
    )
    expect(lines[4]).toMatch(
      new RegExp(
        `^\\* ${id} +\\d+s +\\d+ files +[\\d.]+ [KM]iB  native, made by \\d+\\.\\d+\\.\\d+[\\w.-]*(?: \\(commit [\\w-]+\\))?$`,
      ),
    )
    const listed = JSON.parse((await program('status', '--json')).stdout) as object
    expect(listed).toMatchObject({ current: id, hold: null, releases: [{ current: false }, { id, current: true }] })
  })

  it('says nothing with --quiet when all is well, in cron; and all that is not', async () => {
    for (const args of [['--quiet'], ['verify', '--quiet'], ['prune', '--quiet'], ['--quiet', '--json']])
      expect(await program(...args), args.join(' ')).toMatchObject({ code: 0, stdout: '', stderr: '' })
    const wrong = await run(['--quiet', '--snapshots', snapshots, '--source', 'fider', '--param', 'tenant=1'], {
      DATABASE_URL: postgres().url('small'),
    })
    expect(wrong).toMatchObject({ code: 3, stdout: '' })
    expect(failureOf(wrong)).toContain('fider')
  })

  it('is rejected, and says so, also when an older rejected candidate cannot be removed: that is a warning', async () => {
    const left = join(snapshots, 'releases', '.refused-left')
    mkdirSync(left)
    asRoot('mount', '-t', 'tmpfs', 'tmpfs', left)
    try {
      await sql(`UPDATE votes SET value = -value`)
      const rejected = await program('build', '--json')
      await sql(`UPDATE votes SET value = -value`)
      const { kind, kept } = JSON.parse(rejected.stdout) as { kind: string; kept: string }
      expect([rejected.code, kind]).toEqual([4, 'refused'])
      expect(hidden().sort()).toEqual([basename(kept), basename(left)].sort())
      expect(logOf(rejected).map(({ level, message }) => `${level}: ${message}`)).toEqual([
        expect.stringMatching(
          /^warn: an older rejected candidate is not removed: cannot remove .*\.refused-left: EBUSY/,
        ),
        expect.stringMatching(/^error: rejected: /),
      ])
    } finally {
      asRoot('umount', left)
    }
    rmSync(left, { recursive: true })
  })

  it('is rejected by the gate when its past changed by over 10 %, and the candidate is kept', async () => {
    const before = await current()
    await sql(`UPDATE votes SET value = 0 WHERE idea_id <= 60`)
    for (let i = 0; i < 2; i++) {
      const refused = await program()
      expect(refused.code).toBe(4)
      expect(failureOf(refused)).toMatch(
        /^rejected: votes: the past changed by [\d,]+ of [\d,]+ rows \(\d+\.\d %, allowed 10 %\): .*--accept-revision$/,
      )
      expect(await current()).toBe(before)
      const kept = hidden()
      expect(kept).toEqual([expect.stringMatching(/^\.refused-\d{8}T\d{9}Z-[0-9a-f]{8}$/)])
      expect(refused.stdout, 'it is told once').toBe('')
      expect(logOf(refused)).toEqual([
        expect.objectContaining({ kept: join(snapshots, 'releases', kept[0] ?? ''), program: 'analytics-build' }),
      ])
      expect(statSync(join(snapshots, 'releases', kept[0] ?? '', 'manifest.json')).size).toBeGreaterThan(0)
    }
    const higher = await program('--max-revision', '60')
    expect(higher.code).toBe(0)
    await sql(`UPDATE votes SET value = 0`)
    expect((await program()).code).toBe(4)
    const accepted = await program('--accept-revision')
    expect(accepted.code).toBe(0)
    expect(accepted.stdout).toContain(`published ${await current()}\n`)
    expect((await program()).code).toBe(0)
  })

  it('warns once, and tells its metrics, where an older copy of the database was restored', async () => {
    const metrics = join(snapshots, 'build.prom')
    const build = async (): Promise<[warnings: string[], newest: string | undefined]> => {
      const { code, stderr } = await program('--metrics-file', metrics)
      expect(code).toBe(0)
      const warnings = stderr.match(/the newest idea, vote or comment is of [\d-]+; .* it was of [\d-]+/g) ?? []
      return [
        warnings,
        /^analytics_build_newest_row_timestamp_seconds (\d+)$/m.exec(readFileSync(metrics, 'utf8'))?.[1],
      ]
    }
    await build()
    const [, before] = await build()
    await sql(`DELETE FROM comments WHERE created_at > now() - interval '2 days';
               DELETE FROM votes WHERE created_at > now() - interval '2 days';
               DELETE FROM ideas WHERE created_at > now() - interval '2 days'`)
    const [warnings, after] = await build()
    expect(warnings).toHaveLength(1)
    expect(Number(before) - Number(after)).toBeGreaterThanOrEqual(86_400)
    expect(await build()).toEqual([[], after])
  })

  it('does not publish while a rollback pins, until resumed', async () => {
    const ids = readdirSync(join(snapshots, 'releases'))
      .filter((name) => RELEASE_ID.test(name))
      .sort()
    const back = await program('rollback')
    expect(back).toMatchObject({ code: 0, stderr: '' })
    expect(back.stdout).toBe(`current is ${ids.at(-2)}; builds do not publish until: node ${PROGRAM} resume\n`)
    expect(await current()).toBe(ids.at(-2))

    const held = await program()
    expect(held.code).toBe(4)
    expect(failureOf(held)).toMatch(
      /^not published: pinned since \d{4}-.*Z; analytics-build resume lets builds publish again$/,
    )
    expect(held.stdout).toBe('')
    expect(await current()).toBe(ids.at(-2))
    expect(hidden().filter((name) => name.startsWith('.tmp-'))).toEqual([])
    expect((await program('status')).stdout).toMatch(
      /^not well: pinned since .* at .*: builds do not publish until analytics-build resume\nnext: node \S+ resume --snapshots \S+\n/,
    )

    expect(await program('resume')).toMatchObject({ code: 0, stdout: 'builds publish again\n' })
    expect((await program()).code).toBe(0)
    expect((await current()) > (ids.at(-1) ?? '')).toBe(true)
    expect(await program('resume')).toMatchObject({ code: 0, stdout: 'nothing was pinned\n' })
  })

  it('goes on when the manifest of the current release is damaged, and says so', async () => {
    const before = await current()
    writeFileSync(join(snapshots, 'releases', before, 'manifest.json'), '{"id":')
    const listed = await program('status')
    expect(listed).toMatchObject({ code: 1 })
    expect(listed.stdout).toMatch(new RegExp(`\\* ${before} .*manifest\\.json: it is not JSON`))
    const verified = await program('verify')
    expect(verified.code).toBe(1)
    expect(failureOf(verified)).toMatch(/manifest\.json: it is not JSON/)

    const built = await program()
    expect(built.code).toBe(0)
    expect(logOf(built).filter(({ level }) => level === 'warn')).toEqual([
      expect.objectContaining({
        message: expect.stringMatching(/it is not JSON: .*; the new release is not compared with it$/),
      }),
      expect.objectContaining({
        message: expect.stringMatching(new RegExp(`^the current release ${before} has no history that can be used: `)),
      }),
      // An earlier test has turned the votes.
      expect.objectContaining({
        message: expect.stringMatching(/^is the mapping right\? .* votes: value is not above zero/),
      }),
    ])
    expect((await current()) > before).toBe(true)
  })

  it('removes old releases by prune, and what a killed build left', async () => {
    const releases = join(snapshots, 'releases')
    for (const name of readdirSync(releases)) utimesSync(join(releases, name), 1, 1)
    mkdirSync(join(releases, '.tmp-left', 'public'), { recursive: true })
    const before = readdirSync(releases)
      .filter((name) => RELEASE_ID.test(name))
      .sort()
    const pruned = await program('prune', '--keep', '1')
    expect(pruned.code).toBe(0)
    expect(pruned.stdout).toBe(
      before
        .slice(0, -2)
        .map((id) => `removed ${id}\n`)
        .join(''),
    )
    expect(
      readdirSync(releases)
        .filter((name) => !name.startsWith('.refused-'))
        .sort(),
    ).toEqual(before.slice(-2))
    expect((await program('prune', '--keep', '1')).stdout).toBe('nothing to remove\n')
  })
})

describeWithPostgres('the same rows, clock and options', (postgres) => {
  let url: string

  beforeAll(async () => {
    url = await createSmallPlatform(postgres(), 'fixed', new Date(AS_OF_MS).toISOString())
  })

  async function build(nowMs = AS_OF_MS + 1_234, progress: Progress = NO_PROGRESS): Promise<Map<string, string>> {
    const snapshots = temporaryFolder()
    const request = requestOf(url, snapshots, { asOfMs: AS_OF_MS })
    const effects = { ...effectsAt(() => nowMs), progress }
    const outcome = await runBuild({ ...request, siteUrl: 'https://ideas.example.org' }, effects)
    expect(outcome.kind).toBe('published')
    await wholeCurrent(snapshots)
    return contentOf(snapshots)
  }

  async function inZone<T>(zone: string, work: () => Promise<T>): Promise<T> {
    const before = process.env['TZ']
    process.env['TZ'] = zone
    try {
      expect(new Date(AS_OF_MS).getTimezoneOffset(), 'the zone is in force').toBe(MINUTES_BEHIND_UTC[zone])
      return await work()
    } finally {
      if (before === undefined) delete process.env['TZ']
      else process.env['TZ'] = before
    }
  }

  let first = new Map<string, string>()
  it('are counted before their texts are read: also a first build knows how many ideas there are', async () => {
    const shown: string[] = []
    first = await build(undefined, { show: (line) => void shown.push(line), clear() {} })
    expect(shown).toContain('writing ideas: 150 of 150')
  })

  it('give the same bytes in every file', async () => {
    expect(first.size).toBeGreaterThan(60)
    expect(await build()).toEqual(first)
  })

  // The first zone of the day, one half an hour off, and the one that everything is written in.
  const MINUTES_BEHIND_UTC: Readonly<Record<string, number>> = {
    'Pacific/Kiritimati': -840,
    'America/St_Johns': 150,
    UTC: 0,
  }

  it.each([
    ['Pacific/Kiritimati', 'America/St_Johns'],
    ['America/St_Johns', 'UTC'],
    ['UTC', 'Pacific/Kiritimati'],
  ])('give the same bytes when the server is in %s and the builder in %s', async (zone, builder) => {
    await postgres().psql(
      `ALTER DATABASE fixed SET timezone = '${zone}'; ALTER DATABASE fixed SET datestyle = 'German, DMY'`,
    )
    try {
      expect(await postgres().psql('SHOW timezone', 'fixed')).toBe(zone)
      expect(await inZone(builder, () => build())).toEqual(first)
    } finally {
      await postgres().psql('ALTER DATABASE fixed RESET ALL')
    }
  })

  it('give the same id at another time of building: only generatedAt differs', async () => {
    const later = await build(AS_OF_MS + 86_400_000)
    expect([...later.keys()]).toEqual([...first.keys()])
    const isOfSite = (path: string): boolean => siteKindOf(path.replace(/^releases\/[^/]+\//, '')) !== null
    const ofSite = (files: Map<string, string>): unknown => [...files].filter(([path]) => isOfSite(path))
    expect(ofSite(later)).toEqual(ofSite(first))
    const stamped = (files: Map<string, string>, generatedAt: string): string[] =>
      [...files]
        .filter(([path]) => path.endsWith('.json') && !path.startsWith('.state/') && !isOfSite(path))
        .map(([, text]) => text.replaceAll(generatedAt, 'generatedAt'))
    const [a, b] = [stamped(first, '2024-03-31T23:45:01.234Z'), stamped(later, '2024-04-01T23:45:00.000Z')]
    // The manifest also holds the sha256 of the other files.
    const isManifest = (text: string): boolean => text.startsWith('{"id":')
    expect(b.filter((text) => !isManifest(text))).toEqual(a.filter((text) => !isManifest(text)))
    expect(a.filter((text) => !isManifest(text)).every((text) => text.includes('generatedAt'))).toBe(true)
  })
})
