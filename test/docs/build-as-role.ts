// Builds through a mapping that a document shows, as the role of `grants`, which must suffice.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { run } from '../builder/build-program.ts'
import type { Postgres } from '../support/postgres.ts'

export interface Recipe {
  /** Of the mapping, and of its database. */
  readonly name: string
  readonly file: string
  readonly folder: string
  readonly params?: readonly string[]
}

/** @returns a further build */
export async function buildAsRole(
  postgres: Postgres,
  { name, file, folder, params = [] }: Recipe,
): Promise<() => ReturnType<typeof run>> {
  const role = `reader of ${name}`
  const granted = await run(['grants', '--source', file, '--role', role, ...params])
  expect(granted.code).toBe(0)
  await postgres.psql(granted.stdout, name)
  const asRole = postgres.url(name).replace('//postgres@', `//${encodeURIComponent(role)}@`)
  const snapshots = join(folder, name)
  const build = () => run(['--source', file, '--database-url', asRole, '--snapshots', snapshots, ...params])
  expect(await build()).toMatchObject({ code: 0 })
  expect(readFileSync(join(snapshots, 'current/manifest.json'), 'utf8')).toContain(`"name":"${name}"`)
  return build
}
