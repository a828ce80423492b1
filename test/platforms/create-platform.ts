// The built-in platforms of the tests, and making one: its tables and rows, and a role with nothing but the generated grants.
// depends on: test/platforms/*/
import { readdirSync, readFileSync } from 'node:fs'
import { expect } from 'vitest'
import { packagePath } from '../../src/process/package-root.ts'
import { openMapping } from '../../src/source/mapping/mapping.ts'
import { run } from '../builder/build-program.ts'
import type { Postgres } from '../support/postgres.ts'
import type { PlatformCase } from './platform.ts'

export const PLATFORMS: readonly PlatformCase[] = await Promise.all(
  readdirSync(import.meta.dirname, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(async ({ name }) => ((await import(`./${name}/expected.ts`)) as { platform: PlatformCase }).platform),
)
export const ROLE = 'stats_reader'

const scriptOf = (platform: string, file: string): string =>
  readFileSync(packagePath('test', 'platforms', platform, file), 'utf8')

/** The platform's tables and rows, and a role made by the script that an operator would run. */
export async function createPlatform(postgres: Postgres, platform: string, name: string, more = ''): Promise<string> {
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

export function asAdministrator(url: string): string {
  return url.replace(`//${ROLE}@`, '//postgres@')
}
