// A check notices several sites in one database that the mapping counts as one: tenants.ts, on a catalogue and rows as data. That
// the fix which is printed fixes it on a real server is in check.test.ts.
// real test: it reads SELECTs with PostgreSQL's parser.
import type pg from 'pg'
import { expect, test } from 'vitest'
import { checkTenants } from '../../../src/source/check/tenants.ts'
import { OneInstant } from '../../../src/source/database/one-instant.ts'
import type { CatalogTable } from '../../../src/source/database/catalog.ts'
import type { Finding } from '../../../src/source/mapping/finding.ts'
import { fitting } from '../../../src/source/mapping/mapping-file.ts'
import { parseSelects } from '../../../src/source/mapping/referenced-columns.ts'
import { catalogTable, textColumns } from '../../support/catalog-table.ts'
import { IDEA, tableless, type Sections } from './checking.ts'

interface Scene {
  readonly table?: Partial<CatalogTable>
  /** One more column of the table of ideas; `others` are beside it. */
  readonly column?: string
  readonly type?: string
  readonly readable?: boolean
  readonly others?: readonly string[]
  /** What the column holds, each once. */
  readonly values?: readonly string[]
  /** Of the section of ideas, behind its FROM. */
  readonly where?: string
  readonly sections?: Sections
  readonly head?: string
}

const ideasFrom = (table: string, where = ''): string =>
  `SELECT id, title, created_at, false AS launched, NULL::timestamptz AS launched_at, NULL AS url, NULL AS author_id, NULL AS status
     FROM ${table} ${where}`

async function found(scene: Scene): Promise<Finding[]> {
  const { column = 'tenant_id', type = 'integer', readable = true, others = [], values = ['1', '2', '3'] } = scene
  const ideas = catalogTable({
    name: 'ideas',
    columns: [...textColumns(['id', 'title', 'created_at', ...others]), { name: column, type, readable }],
    ...scene.table,
  })
  const source = tableless(
    scene.sections ?? { ideas: ideasFrom('ideas', scene.where) },
    ...(scene.head === undefined ? [] : [scene.head]),
  )
  const texts = source.file.selects.map(({ sql }) => sql)
  const parsed = new Map((await parseSelects(texts)).map((select, i) => [texts[i] ?? '', select]))
  const query = async (asked: string | { text: string }): Promise<object> => {
    const text = typeof asked === 'string' ? asked : asked.text
    return { rows: values.slice(0, Number(/LIMIT (\d+)/.exec(text)?.[1])).map((tenant) => ({ tenant })) }
  }
  const client = { query } as unknown as pg.Client
  const findings: Finding[] = []
  await checkTenants({
    client,
    begun: {
      instant: new OneInstant(client, 'off'),
      asOfMs: 0,
      serverVersion: '',
      role: 'reader',
      standby: false,
      replayLagMs: null,
    },
    source,
    fitted: fitting(source.file, []),
    values: [],
    parsed,
    requires: [],
    proposedRequires: [],
    required: [],
    findings,
    catalog: [ideas],
    role: 'reader',
    rowSecurity: 'off',
    searchPath: null,
  })
  return findings
}

test.each<[column: string, type: string, param: string, compared: string]>([
  ['tenant_id', 'integer', 'int', 'tenant_id = :tenant'],
  ['tenantId', 'bigint', 'bigint', '"tenantId" = :tenant'],
  ['site_id', 'text', 'text', 'site_id = :tenant'],
  ['organization_id', 'uuid', 'text', 'organization_id::text = :tenant'],
  ['workspace_id', 'smallint', 'text', 'workspace_id::text = :tenant'],
])('%s %s: an error, and how to tell sites apart', async (column, type, param, compared) => {
  const written = compared.replace(/(::text)? = .*/, '')
  expect(await found({ column, type })).toEqual([
    {
      level: 'error',
      about: 'tenants',
      problem: `ideas.${written} holds 3 values (1, 2, 3…), and the mapping does not mention it: several sites would count as one`,
      fix: `add the line "-- param tenant : ${param}" and, to each section, WHERE ${compared}\nor, if all of them are one site, WHERE ${written} IS NOT NULL in section ideas says so`,
    },
  ])
})

test.each<[what: string, scene: Scene]>([
  ['there is only one', { values: ['1'] }],
  ['the mapping mentions it', { where: 'WHERE tenant_id = 1' }],
  ['the mapping mentions it in quotes', { column: 'tenantId', where: 'WHERE "tenantId" = 1' }],
  ['the mapping says that all are meant', { where: 'WHERE TENANT_ID IS NOT NULL' }],
  ['the column is called otherwise', { column: 'account' }],
  ['the role may not read it', { readable: false }],
])('nothing is said where %s', async (_, scene) => {
  expect(await found(scene)).toEqual([])
})

test.each<[what: string, level: Finding['level'], scene: Scene]>([
  ['an instance', 'error', { column: 'instance_id' }],
  ['a comment that mentions it', 'error', { where: '/* tenant_id? */ -- tenant_id' }],
  ['a mention of another column', 'error', { others: ['ex_tenant_idx'], where: 'WHERE ex_tenant_idx IS NULL' }],
  [
    'a table that the ideas are joined with',
    'error',
    { sections: { ideas: `${IDEA} WHERE EXISTS (SELECT FROM users AS u JOIN ideas AS i ON true)` } },
  ],
  ['sites that another column tells apart', 'warning', { others: ['site_id'], where: 'WHERE site_id = 1' }],
  ['sites that a parameter tells apart', 'warning', { head: '-- param site : int = 1', where: 'WHERE id > :site' }],
])('%s: it is one %s', async (_, level, scene) => {
  expect(await found(scene)).toMatchObject([{ level, about: 'tenants' }])
})

test('many are not all counted, and a table is named as the session needs it', async () => {
  const values = Array.from({ length: 9 }, (_, i) => String(i))
  const [finding] = await found({
    values,
    table: { schema: 'polis', visible: false },
    sections: { ideas: ideasFrom('polis.ideas') },
  })
  expect(finding?.problem).toMatch(/^polis\.ideas\.tenant_id holds at least 6 values \(0, 1, 2…\)/)
})
