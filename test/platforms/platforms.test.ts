// Every built-in mapping and its platform: the numbers worked out by hand, read by a role with nothing but the
// generated grants, wherever the server is; a closed site is an empty API; and no condition of a mapping is idle.
// long test: ten platforms, each built several times
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { packagePath } from '../../src/process/package-root.ts'
import { readCatalog } from '../../src/source/database/catalog.ts'
import { fitting } from '../../src/source/mapping/mapping-file.ts'
import type { CheckReport } from '../../src/source/check/check.ts'
import { builtInMappings, loadMapping, type Mapping } from '../../src/source/mapping/mapping.ts'
import type { Relation } from '../../src/source/mapping/relations.ts'
import { SourceError } from '../../src/source/database/source-error.ts'
import { run } from '../builder/build-program.ts'
import { describeWithPostgres } from '../support/postgres.ts'
import { asAdministrator, createPlatform, PLATFORMS } from './create-platform.ts'
import { mutantsOf } from './mutants.ts'
import type { ExpectedRead } from './platform.ts'
import { PlatformReader, readClosedOf, readPlatform } from './read-platform.ts'

/** Fourteen hours ahead of UTC, two and a half behind, and UTC. */
const TIME_ZONES = ['Pacific/Kiritimati', 'America/St_Johns', 'UTC'] as const

test('every built-in mapping has its platform here', () => {
  expect(['native', ...PLATFORMS.map(({ mapping }) => mapping)].sort()).toEqual(builtInMappings().sort())
})

describeWithPostgres('the built-in mapping', (postgres) => {
  describe.each(PLATFORMS)('$mapping', (platform) => {
    const { mapping: name, params, right, variants, versions = {}, survivors } = platform
    const { closed, reasons, open, nowhere } = platform
    let url: string
    let admin: Client
    let folder: string
    const closedUrls = new Map<string, string>()
    const openUrls = new Map<string, string>()
    const versionUrls = new Map<string, string>()
    const rightOf = (version: string): ExpectedRead => {
      const other = versions[version]
      return other === undefined || typeof other === 'string' ? right : other.right
    }

    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), `platform-${name}-`))
      url = await createPlatform(postgres(), name, name)
      for (const [i, [how, statements]] of Object.entries(closed).entries()) {
        const closedName = `${name}_closed_${i}`
        closedUrls.set(how, await createPlatform(postgres(), name, closedName, statements))
      }
      for (const [i, [version, other]] of Object.entries(versions).entries()) {
        const statements = typeof other === 'string' ? other : other.statements
        versionUrls.set(version, await createPlatform(postgres(), name, `${name}_version_${i}`, statements))
      }
      for (const [i, [how, statements]] of Object.entries(open).entries())
        openUrls.set(how, await createPlatform(postgres(), name, `${name}_open_${i}`, statements))
      admin = new Client({ connectionString: postgres().url(name) })
      await admin.connect()
    })
    afterAll(async () => {
      await admin?.end()
      rmSync(folder, { recursive: true, force: true })
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
      const mutants = mutantsOf(fitting(mapping, []).closed ?? '')
      expect(mutants.length).toBeGreaterThan(0)
      const idle: string[] = []
      for (const { removed, sql } of mutants)
        if (isDeepStrictEqual(await answersOf(changed(mapping, 'section closed', sql)), answers)) idle.push(removed)
      expect(idle).toEqual([])
    })

    test.each(Object.keys(versions))(
      'counts as worked out, and is checked without an error, on %s',
      async (version) => {
        const versionUrl = versionUrls.get(version) ?? ''
        expect(await readPlatform(versionUrl, loadMapping(name, params))).toEqual(rightOf(version))
        const { stdout } = await run([
          'check',
          '--json',
          '--source',
          name,
          '--database-url',
          versionUrl,
          ...flagsOf(params),
        ])
        const { findings, params: checked } = JSON.parse(stdout) as CheckReport
        // That a value of the seed is none of this version's choices is no fault of the mapping.
        expect(
          findings.filter(({ about, level }) => about !== 'role' && !(about.startsWith('param ') && level === 'error')),
        ).toEqual([])
        for (const { name: param, choices } of checked) expect(choices?.length, param).not.toBe(0)
      },
    )

    test('says what each parameter may be, and check reports nothing about it', async () => {
      const check = async (given: Readonly<Record<string, string>>) => {
        const ran = await run(['check', '--json', '--source', name, '--database-url', url, ...flagsOf(given)])
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
      const build = (from: string, snapshots: string, ...more: string[]) => {
        const args = ['--source', name, '--database-url', from, '--snapshots', join(folder, snapshots)]
        return run([...args, ...more, ...flagsOf(params)])
      }
      const published = (snapshots: string, file: string): Record<string, unknown> =>
        JSON.parse(readFileSync(join(folder, snapshots, 'current', file), 'utf8')) as Record<string, unknown>

      // What is public while the site is open: each way to close it begins with a copy.
      beforeAll(async () => {
        expect(await build(url, 'open')).toMatchObject({ code: 0 })
      })

      test('publishes these numbers', () => {
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

      // What opens again is what is open, however it was closed: once for each kind of emptiness is enough.
      const isFirst = (how: string): boolean =>
        Object.keys(closed).find((one) => one in reasons === how in reasons) === how

      test.each(Object.keys(closed))('publishes nothing of a site that is %s', async (how) => {
        const isClosed = reasons[how] !== undefined
        // What is public goes when the site closes; a read that is empty for another reason is the gate's to refuse.
        if (isClosed) execFileSync('cp', ['-al', join(folder, 'open'), join(folder, how)])
        expect(await build(closedUrls.get(how) ?? '', how, '--no-site')).toMatchObject({ code: 0 })
        expect(published(how, 'manifest.json')['closed']).toBe(isClosed ? true : undefined)
        expect(readdirSync(join(folder, how, 'releases'))).toEqual([published(how, 'manifest.json')['id']])
        const { stats, topCategories } = published(how, 'public/stats.json')
        expect([new Set(Object.values(stats as object)), topCategories]).toEqual([new Set([0]), []])
        expect(published(how, 'manifest.json')).toMatchObject({ categories: [] })
        for (const type of ['users', 'ideas', 'categories'])
          expect(published(how, `analytics/export/${type}/all.json`)).toMatchObject({ rowCount: 0, data: [] })
        expect(published(how, 'analytics/categories/all.json')).toMatchObject({ count: 0, categories: [] })
        if (!isFirst(how)) return
        expect(await build(url, how, '--no-site')).toMatchObject({ code: 0 })
        expect(published(how, 'manifest.json')).toMatchObject({ rows: { ideas: right.totals.ideas } })
        expect(published(how, 'manifest.json')).not.toHaveProperty('closed')
      })
    })

    describe('needs every condition: without any one of them the numbers are wrong', () => {
      /** On each database only the texts are run that fit it: of the two of a section a mutant of the other one changes nothing there. */
      interface Run {
        readonly on: string
        readonly given: Readonly<Record<string, string>>
        readonly read: ExpectedRead | 'empty'
        /** The sections that have the text `where present` there. */
        readonly there: ReadonlySet<string>
      }
      const runs: Run[] = []
      const reader = new PlatformReader()
      afterAll(() => reader.close())
      const texts = sectionsOnly(loadMapping(name, params)).selects.map((one) => ({
        text: one.about.replace('section ', ''),
        relation: one.name as Relation,
        about: one.about,
        sql: one.sql,
        present: one.needs.length > 0,
      }))

      beforeAll(async () => {
        const add = async (on: string, given: Run['given'], read: Run['read']): Promise<void> =>
          void runs.push({ on, given, read, there: await fittingAlternatives(on, loadMapping(name, params)) })
        await add(url, params, right)
        for (const variant of Object.values(variants)) await add(url, variant.params, variant.right)
        for (const [version, on] of versionUrls) await add(on, params, rightOf(version))
        for (const on of closedUrls.values()) await add(on, params, 'empty')
        // Where other texts fit than on the first database, the variants must be of use, too.
        const others = runs.filter(
          ({ on, there }) => [...versionUrls.values()].includes(on) && !isDeepStrictEqual(there, runs[0]?.there),
        )
        for (const { on } of others)
          for (const { params: given } of Object.values(variants))
            await add(on, given, await readPlatform(on, sectionsOnly(loadMapping(name, given))))
      })

      test('of which there are many', () => {
        expect(texts.flatMap(({ sql }) => mutantsOf(sql)).length).toBeGreaterThan(10)
        const known = Object.keys(survivors).filter((one) => texts.some(({ text }) => one.startsWith(`${text}: `)))
        expect(Object.keys(survivors)).toEqual(known)
      })

      test.each(texts)('section $text', async ({ text, relation, about, sql, present }) => {
        const survived: string[] = []
        for (const [nth, { removed }] of mutantsOf(sql).entries()) {
          const without = (mapping: Mapping): Mapping => {
            const whole = mapping.selects.find((one) => one.about === about)
            const mutant = mutantsOf(whole?.sql ?? '')[nth]
            if (mutant === undefined) throw new Error(`parameters changed the conditions of ${relation}`)
            return changed(sectionsOnly(mapping), about, mutant.sql)
          }
          // The first number that differs is enough.
          const noticed = async (): Promise<boolean> => {
            for (const { on, given, read, there } of runs) {
              if (there.has(relation) !== present) continue
              const found = await readMutant(reader, on, without(loadMapping(name, given)))
              if (read === 'empty' ? !isEmpty(found) : !isDeepStrictEqual(found, read)) return true
            }
            return false
          }
          if (!(await noticed())) survived.push(`${text}: ${removed}`)
        }
        expect(survived.sort()).toEqual(
          Object.keys(survivors)
            .filter((condition) => condition.startsWith(`${text}: `))
            .sort(),
        )
      })
    })
  })
})

const flagsOf = (given: Readonly<Record<string, string>>): string[] =>
  Object.entries(given).flatMap(([key, value]) => ['--param', `${key}=${value}`])

/** As the server's administrator: a mutant may read what the mapping does not. */
async function readMutant(reader: PlatformReader, url: string, mutant: Mapping): Promise<ExpectedRead | null> {
  try {
    return await reader.read(asAdministrator(url), mutant)
  } catch (error) {
    // A mutant must still be SQL; what the build itself refuses (an idea twice, say) is a wrong answer.
    if (!(error instanceof SourceError) || /SQLSTATE 42/.test(error.message)) throw error
    return null
  }
}

/** The sections of which the database gets the text `where present`. */
async function fittingAlternatives(url: string, mapping: Mapping): Promise<ReadonlySet<string>> {
  const client = new Client({ connectionString: asAdministrator(url) })
  await client.connect()
  try {
    const { sections } = fitting(mapping, await readCatalog(client, null))
    const texts = mapping.selects.filter(
      ({ name, sql, needs }) => needs.length > 0 && sql === sections.get(name as Relation),
    )
    return new Set(texts.map(({ name }) => name))
  } finally {
    await client.end()
  }
}

/** What the other sections return of a site that is closed, too. */
function sectionsOnly(mapping: Mapping): Mapping {
  return { ...mapping, selects: mapping.selects.filter(({ name }) => name !== 'closed') }
}

/** The mapping with another text of one SELECT. */
function changed(mapping: Mapping, about: string, sql: string): Mapping {
  return { ...mapping, selects: mapping.selects.map((one) => (one.about === about ? { ...one, sql } : one)) }
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
