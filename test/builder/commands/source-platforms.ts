// Databases and mapping files for the tests of the commands about a source.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, onTestFinished } from 'vitest'
import { packagePath } from '../../../src/process/package-root.ts'
import { fitting } from '../../../src/source/mapping/mapping-file.ts'
import { openMapping } from '../../../src/source/mapping/mapping.ts'
import { RELATIONS, type Relation } from '../../../src/source/mapping/relations.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import type { Postgres } from '../../support/postgres.ts'
import { as } from '../../support/session.ts'
import { run, type Ran } from '../build-program.ts'
import { createSmallPlatform } from '../small-platform.ts'

export const NATIVE = openMapping('native')
export const FIDER = openMapping('fider')
export const UNREACHABLE = 'postgresql://stats:S3CRET@127.0.0.1:1/ideas'
export const fider = (file: string): string => readFileSync(packagePath('test', 'platforms', 'fider', file), 'utf8')

/** The native mapping without its `requires` lines, below other lines, with some sections in place of its own. */
export function mappingText(sections: Partial<Record<Relation, string>> = {}, ...head: readonly string[]): string {
  const all: Readonly<Record<string, string>> = {
    ...Object.fromEntries(fitting(NATIVE.file, []).sections),
    ...sections,
  }
  const lines = RELATIONS.map((relation) => `-- section ${relation}\n${all[relation]}\n`)
  return ['-- mapping: mine', ...head, ...lines].join('\n')
}

/** A file that goes with the test. */
export function mappingFile(text: string): string {
  const file = join(temporaryFolder(), 'mine.sql')
  writeFileSync(file, text)
  return file
}

export interface SourcePlatforms {
  /** URLs: a native platform without faults and two sites of Fider. */
  readonly made: () => { readonly small: string; readonly site: string }
  readonly reader: (to: string) => string
  readonly sql: (text: string, database: string) => Promise<string>
  readonly database: (text: string) => Promise<{ name: string; to: string }>
  readonly check: (to: string, ...args: readonly string[]) => Promise<Ran>
  readonly checkMine: (to: string, text: string, ...args: readonly string[]) => Promise<Ran>
}

/** To be called inside describe: it registers the hook that makes the platforms. */
export function sourcePlatforms(postgres: () => Postgres): SourcePlatforms {
  let small = ''
  let site = ''
  const reader = (to: string): string => as('analytics_reader', to)
  const sql = (text: string, database: string): Promise<string> => postgres().psql(text, database)
  let databases = 0
  /** A database of one test's own. */
  const database = async (text: string): Promise<{ name: string; to: string }> => {
    const name = `own_${++databases}`
    const to = await postgres().createDatabase(name)
    onTestFinished(() => postgres().dropDatabase(name))
    await sql(text, name)
    return { name, to }
  }
  const check = (to: string, ...args: readonly string[]): Promise<Ran> => run(['check', '--database-url', to, ...args])
  const checkMine = (to: string, text: string, ...args: readonly string[]): Promise<Ran> =>
    check(to, '--source', mappingFile(text), ...args)

  beforeAll(async () => {
    small = await createSmallPlatform(postgres(), 'small')
    // Nobody votes twice: a good source has no finding.
    await sql(
      'DELETE FROM votes a USING votes b WHERE (a.idea_id, a.user_id) = (b.idea_id, b.user_id) AND a.ctid > b.ctid; ANALYZE',
      'small',
    )
    site = await postgres().createDatabase('site')
    await sql(`${fider('schema.sql')}\n${fider('seed.sql')}\nANALYZE`, 'site')
    for (const [source, name] of [
      ['native', 'small'],
      ['fider', 'site'],
    ] as const)
      await sql((await run(['grants', '--source', source])).stdout, name)
    await sql(
      `CREATE ROLE locked LOGIN PASSWORD 'S3CRET' IN ROLE password_required; CREATE ROLE nobody LOGIN`,
      'postgres',
    )
  })

  return { made: () => ({ small, site }), reader, sql, database, check, checkMine }
}
