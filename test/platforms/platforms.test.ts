// Every built-in mapping and its platform: the numbers worked out by hand, read by a role with nothing but the
// generated grants, wherever the server is; a closed site is an empty API; and no condition of a mapping is idle.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { packagePath } from '../../src/process/package-root.ts'
import type { CheckReport } from '../../src/source/check/check.ts'
import { builtInMappings, loadMapping, openMapping, type Mapping } from '../../src/source/mapping/mapping.ts'
import type { Relation } from '../../src/source/mapping/relations.ts'
import { SourceError } from '../../src/source/database/source-error.ts'
import { run } from '../builder/build-program.ts'
import { describeWithPostgres, type Postgres } from '../support/postgres.ts'
import { mutantsOf } from './mutants.ts'
import type { ExpectedRead, PlatformCase, Totals } from './platform.ts'
import { readClosedOf, readPlatform } from './read-platform.ts'

const PLATFORMS = await Promise.all(
  readdirSync(import.meta.dirname, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(async ({ name }) => ((await import(`./${name}/expected.ts`)) as { platform: PlatformCase }).platform),
)
const DOCS = readFileSync(packagePath('docs', 'platforms.md'), 'utf8')
const ROLE = 'stats_reader'
/** Fourteen hours ahead of UTC, two and a half behind, and UTC. */
const TIME_ZONES = ['Pacific/Kiritimati', 'America/St_Johns', 'UTC'] as const

const scriptOf = (platform: string, file: string): string =>
  readFileSync(packagePath('test', 'platforms', platform, file), 'utf8')

/** The platform's tables and rows, and a role made by the script that an operator would run. */
async function createPlatform(postgres: Postgres, platform: string, name: string, more = ''): Promise<string> {
  await postgres.createDatabase(name)
  await postgres.psql(
    `${scriptOf(platform, 'schema.sql')}\n${scriptOf(platform, 'seed.sql')}\n${more};\nANALYZE;`,
    name,
  )
  await postgres.psql(await grantsOf(platform), name)
  return roleUrl(postgres, name)
}

/** The script is the same for every state of a platform. */
const grantScripts = new Map<string, Promise<string>>()

function grantsOf(platform: string): Promise<string> {
  const script = grantScripts.get(platform) ?? runGrants(platform)
  grantScripts.set(platform, script)
  return script
}

/** Of every schema that the tests name, where each site has its own. */
async function runGrants(platform: string): Promise<string> {
  const { params, variants, nowhere } = PLATFORMS.find(({ mapping }) => mapping === platform) ?? PLATFORMS[0]!
  const names = openMapping(platform).file.params.flatMap(({ name, type }) => (type === 'identifier' ? [name] : []))
  const flags = [
    params,
    ...Object.values(variants).map((one) => one.params),
    ...(nowhere === null ? [] : [nowhere]),
  ].map((given) => JSON.stringify(names.flatMap((name) => ['--param', `${name}=${given[name]}`])))
  const scripts: string[] = []
  for (const given of new Set(flags)) {
    const grants = await run(['grants', '--source', platform, '--role', ROLE, ...(JSON.parse(given) as string[])])
    expect(grants).toMatchObject({ code: 0, stderr: '' })
    scripts.push(grants.stdout)
  }
  return scripts.join('\n')
}

function roleUrl(postgres: Postgres, name: string): string {
  return postgres.url(name).replace('//postgres@', `//${ROLE}@`)
}

test('every built-in mapping has its platform here', () => {
  expect(['native', ...PLATFORMS.map(({ mapping }) => mapping)].sort()).toEqual(builtInMappings().sort())
})

describeWithPostgres('the built-in mapping', (postgres) => {
  describe.each(PLATFORMS)('$mapping', (platform) => {
    const { mapping: name, params, naive, right, variants, versions = {}, survivors } = platform
    const { closed, reasons, open, nowhere } = platform
    let url: string
    let admin: Client
    let folder: string
    const closedUrls = new Map<string, string>()
    const openUrls = new Map<string, string>()
    const versionUrls = new Map<string, string>()

    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), `platform-${name}-`))
      url = await createPlatform(postgres(), name, name)
      for (const [i, [how, statements]] of Object.entries(closed).entries()) {
        const closedName = `${name}_closed_${i}`
        closedUrls.set(how, await createPlatform(postgres(), name, closedName, statements))
      }
      for (const [i, [version, statements]] of Object.entries(versions).entries())
        versionUrls.set(version, await createPlatform(postgres(), name, `${name}_version_${i}`, statements))
      for (const [i, [how, statements]] of Object.entries(open).entries())
        openUrls.set(how, await createPlatform(postgres(), name, `${name}_open_${i}`, statements))
      admin = new Client({ connectionString: postgres().url(name) })
      await admin.connect()
    })
    afterAll(async () => {
      await admin?.end()
      rmSync(folder, { recursive: true, force: true })
    })

    test('a plain count is wrong', async () => {
      const counted: Record<string, number> = {}
      for (const [what, sql] of Object.entries(naive.sql)) {
        const { rows } = await admin.query<{ count: string }>(sql)
        counted[what] = Number(rows[0]?.count)
      }
      expect(counted).toEqual(naive.totals)
      for (const what of Object.keys(naive.totals) as (keyof Totals)[])
        expect(naive.totals[what], what).toBeGreaterThan(right.totals[what])
    })

    test('is in docs/platforms.md with these numbers', async () => {
      const { rows } = await admin.query<{ table: string }>(
        `SELECT oid::regclass::text AS table FROM pg_class WHERE relkind = 'r' AND oid >= 16384`,
      )
      const count = async (from: string): Promise<number> =>
        Number((await admin.query<{ count: string }>(`SELECT count(*) FROM ${from}`)).rows[0]?.count)
      let inSeed = 0
      for (const { table } of rows) inSeed += await count(table)
      let returned = 0
      for (const sql of loadMapping(name, params).sections.values()) returned += await count(`(\n${sql}\n) AS section`)
      const five = ({ users, ideas, votes, comments, launched }: Totals): string =>
        [users, ideas, votes, comments, launched].join(' / ')
      expect(DOCS).toContain(`| ${name} | ${inSeed} | ${returned} | ${five(naive.totals)} | ${five(right.totals)} |\n`)
    })

    test.each(TIME_ZONES)('counts what was worked out by hand, on a server in %s', async (zone) => {
      await admin.query(`ALTER DATABASE ${name} SET timezone = '${zone}'`)
      expect(await readPlatform(url, loadMapping(name, params))).toEqual(right)
    })

    test.each(Object.entries(variants))('and with other parameters: %s', async (_, variant) => {
      expect(await readPlatform(url, sectionsOnly(loadMapping(name, variant.params)))).toEqual(variant.right)
    })

    test('does not take a site that is not there for a closed one', async () => {
      if (nowhere === null) return expect(scriptParams(name)).toEqual([])
      const absent = loadMapping(name, nowhere)
      await expect(readClosedOf(url, absent)).rejects.toThrow(
        `mapping ${name}, section closed: no row, must be exactly one`,
      )
      await expect(readPlatform(url, absent)).rejects.toThrow('no row, must be exactly one')
    })

    test('knows whether the site is closed, and why', async () => {
      const mapping = loadMapping(name, params)
      expect(await readClosedOf(url, mapping)).toBe(null)
      for (const [how, closedUrl] of closedUrls) {
        const reason = reasons[how]
        const expected = reason === undefined ? null : { reason }
        expect([how, await readClosedOf(closedUrl, mapping)]).toEqual([how, expected])
        // Also without that section nothing is returned.
        expect([how, isEmpty(await readPlatform(closedUrl, sectionsOnly(mapping)))]).toEqual([how, true])
      }
      for (const [how, openUrl] of openUrls) expect([how, await readClosedOf(openUrl, mapping)]).toEqual([how, null])
    })

    test('needs every condition of section closed: without any one of them the answer differs', async () => {
      const mapping = loadMapping(name, params)
      const states = [url, ...openUrls.values(), ...closedUrls.values()].map(asAdministrator)
      const answersOf = (one: Mapping): Promise<unknown[]> =>
        Promise.all(states.map((state) => readClosedOf(state, one).catch(onlySourceError)))
      const answers = await answersOf(mapping)
      const mutants = mutantsOf(mapping.closed ?? '')
      expect(mutants.length).toBeGreaterThan(0)
      const idle: string[] = []
      for (const { removed, sql } of mutants)
        if (isDeepStrictEqual(await answersOf({ ...mapping, closed: sql }), answers)) idle.push(removed)
      expect(idle).toEqual([])
    })

    test.each(Object.keys(versions))('counts the same on %s', async (version) => {
      expect(await readPlatform(versionUrls.get(version) ?? '', loadMapping(name, params))).toEqual(right)
    })

    test('refuses to guess what it must be told', async () => {
      const required = [...scriptParams(name)]
      for (const param of required)
        expect(() =>
          loadMapping(name, Object.fromEntries(Object.entries(params).filter(([key]) => key !== param))),
        ).toThrow(`--param ${param}=VALUE is required by mapping ${name}`)
      expect(Object.keys(params)).toEqual(expect.arrayContaining(required))
    })

    test('says what each parameter may be, and check reports nothing about it', async () => {
      const check = async (given: Readonly<Record<string, string>>) => {
        const flags = Object.entries(given).flatMap(([key, value]) => ['--param', `${key}=${value}`])
        const ran = await run(['check', '--json', '--source', name, '--database-url', url, ...flags])
        expect(ran.stderr).toBe('')
        return { code: ran.code, report: JSON.parse(ran.stdout) as CheckReport }
      }
      const good = await check(params)
      expect(good).toMatchObject({ code: 0, report: { totals: right.totals } })
      expect(good.report.findings.filter(({ about }) => about !== 'role')).toEqual([])
      for (const param of good.report.params)
        expect(
          param.choices?.map(({ value }) => value),
          param.name,
        ).not.toHaveLength(0)
      const none = await check({})
      const required = scriptParams(name)
      expect(none.code).toBe(required.length > 0 ? 3 : 0)
      for (const param of required)
        expect(none.report.findings).toContainEqual(
          expect.objectContaining({
            level: 'error',
            about: `param ${param}`,
            problem: expect.stringContaining('required'),
          }),
        )
    })

    describe('as a program', () => {
      const build = (from: string, snapshots: string) =>
        run([
          '--source',
          name,
          '--database-url',
          from,
          '--snapshots',
          join(folder, snapshots),
          ...Object.entries(params).flatMap(([key, value]) => ['--param', `${key}=${value}`]),
        ])
      const published = (snapshots: string, file: string): Record<string, unknown> =>
        JSON.parse(readFileSync(join(folder, snapshots, 'current', file), 'utf8')) as Record<string, unknown>

      test('publishes these numbers', async () => {
        expect(await build(url, 'open')).toMatchObject({ code: 0 })
        expect(published('open', 'public/stats.json')['stats']).toMatchObject({
          totalUsers: right.totals.users,
          totalIdeas: right.totals.ideas,
          totalVotes: right.totals.votes,
          totalComments: right.totals.comments,
          launchedIdeas: right.totals.launched,
        })
        const { categories } = published('open', 'manifest.json') as { categories: { name: string }[] }
        expect(categories.map((one) => one.name)).toEqual(expect.arrayContaining([...right.listed]))
      })

      test.each(Object.keys(closed))('publishes nothing of a site that is %s', async (how) => {
        const isClosed = reasons[how] !== undefined
        // What is public goes when the site closes; a read that is empty for another reason is the gate's to refuse.
        if (isClosed) expect(await build(url, how)).toMatchObject({ code: 0 })
        expect(await build(closedUrls.get(how) ?? '', how)).toMatchObject({ code: 0 })
        expect(published(how, 'manifest.json')['closed']).toBe(isClosed ? true : undefined)
        expect(readdirSync(join(folder, how, 'releases'))).toEqual([published(how, 'manifest.json')['id']])
        expect(published(how, 'public/stats.json')).toMatchObject({
          stats: {
            totalUsers: 0,
            totalIdeas: 0,
            totalVotes: 0,
            totalComments: 0,
            launchedIdeas: 0,
            activeCategories: 0,
          },
          topCategories: [],
        })
        expect(published(how, 'manifest.json')).toMatchObject({ categories: [] })
        for (const type of ['users', 'ideas', 'categories'])
          expect(published(how, `analytics/export/${type}/all.json`)).toMatchObject({ rowCount: 0, data: [] })
        expect(published(how, 'analytics/categories/all.json')).toMatchObject({ count: 0, categories: [] })
        expect(await build(url, how)).toMatchObject({ code: 0 })
        expect(published(how, 'manifest.json')).toMatchObject({ rows: { ideas: right.totals.ideas } })
        expect(published(how, 'manifest.json')).not.toHaveProperty('closed')
      })
    })

    test('needs every condition: without any one of them the numbers are wrong', async () => {
      const asked = [{ params, right }, ...Object.values(variants)]
      const survived: string[] = []
      const { sections, alternatives } = loadMapping(name, params)
      const mutants = [
        ...[...sections].map(([relation, sql]) => ({ relation, sql, present: false })),
        ...[...alternatives].map(([relation, { sql }]) => ({ relation, sql, present: true })),
      ].flatMap(({ sql, ...where }) => mutantsOf(sql).map(({ removed }, nth) => ({ ...where, removed, nth })))
      expect(mutants.length).toBeGreaterThan(10)
      for (const { relation, present, removed, nth } of mutants) {
        const without = (mapping: Mapping): Mapping => {
          const alternative = mapping.alternatives.get(relation)
          const whole = present || relation === 'closed' ? alternative?.sql : mapping.sections.get(relation)
          const mutant = mutantsOf(whole ?? '')[nth]
          if (mutant === undefined) throw new Error(`parameters changed the conditions of ${relation}`)
          const only = sectionsOnly(mapping)
          return present && alternative !== undefined
            ? { ...only, alternatives: new Map(only.alternatives).set(relation, { ...alternative, sql: mutant.sql }) }
            : { ...only, sections: new Map(only.sections).set(relation as Relation, mutant.sql) }
        }
        // The first number that differs is enough.
        const noticed = async (): Promise<boolean> => {
          for (const one of asked)
            if (!isDeepStrictEqual(await readMutant(url, without(loadMapping(name, one.params))), one.right))
              return true
          for (const versionUrl of versionUrls.values())
            if (!isDeepStrictEqual(await readMutant(versionUrl, without(loadMapping(name, params))), right)) return true
          for (const closedUrl of closedUrls.values())
            if (!isEmpty(await readMutant(closedUrl, without(loadMapping(name, params))))) return true
          return false
        }
        if (!(await noticed())) survived.push(`${relation}${present ? ' where present' : ''}: ${removed}`)
      }
      expect(survived.sort()).toEqual(Object.keys(survivors).sort())
    })
  })
})

/** As the server's administrator: a mutant may read what the mapping does not. */
async function readMutant(url: string, mutant: Mapping): Promise<ExpectedRead | null> {
  try {
    return await readPlatform(asAdministrator(url), mutant)
  } catch (error) {
    // A mutant must still be SQL; what the build itself refuses (an idea twice, say) is a wrong answer.
    if (!(error instanceof SourceError) || /SQLSTATE 42/.test(error.message)) throw error
    return null
  }
}

function asAdministrator(url: string): string {
  return url.replace(`//${ROLE}@`, '//postgres@')
}

/** What the other sections return of a site that is closed, too. */
function sectionsOnly(mapping: Mapping): Mapping {
  return { ...mapping, closed: null }
}

function onlySourceError(error: unknown): string {
  if (!(error instanceof SourceError) || /SQLSTATE 42/.test(error.message)) throw error
  return error.message
}

function isEmpty(read: ExpectedRead | null): boolean {
  return read !== null && read.ideas.length === 0 && read.listed.length === 0 && read.totals.users === 0
}

function scriptParams(name: string): string[] {
  const text = readFileSync(packagePath('src', 'source', 'mapping', 'built-in', name, 'mapping.sql'), 'utf8')
  return [...text.matchAll(/^-- param (\w+) *: *[a-z[\]]+ *(?:--.*)?$/gm)].map(([, param]) => param ?? '')
}
