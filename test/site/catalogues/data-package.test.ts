// src/site/catalogues/data-package.ts, data-files.ts, licence.ts, bulk-readme.ts
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { describe, expect, test } from 'vitest'
import { EXPORT_COLUMNS } from '../../../src/contract/columns.ts'
import { EXPORT_TYPES } from '../../../src/contract/kinds/tables.ts'
import { LANGUAGES } from '../../../src/contract/site-paths.ts'
import type { SiteInput } from '../../../src/site/page/input.ts'
import { csvTables } from '../../../src/site/catalogues/data-files.ts'
import { dataPackage } from '../../../src/site/catalogues/data-package.ts'
import { bulkReadme } from '../../../src/site/catalogues/bulk-readme.ts'
import { countedBy } from '../../../src/site/page/counted-by.ts'
import { licenceAddress } from '../../../src/site/page/licence.ts'
import { speechOf } from '../../../src/site/page/speech.ts'
import { DATA_PACKAGE_SCHEMA } from './data-package-schema.ts'
import { hostileInput, PUBLIC_URL, siteInput } from '../reuse-input.ts'
import { NAUGHTY } from '../naughty.ts'

interface Descriptor {
  readonly resources: readonly {
    readonly name: string
    readonly path: string
    readonly schema: { readonly fields: readonly { readonly name: string; readonly [key: string]: unknown }[] }
  }[]
  readonly [key: string]: unknown
}

const ajv = new Ajv2020({ strict: true, strictRequired: false, allErrors: true })
formats.default(ajv)
const validate = ajv.compile(DATA_PACKAGE_SCHEMA)

function packageOf(input: SiteInput): Descriptor {
  return JSON.parse(dataPackage(input).text) as Descriptor
}

function expectValid(descriptor: unknown): void {
  if (!validate(descriptor)) expect.fail(ajv.errorsText(validate.errors))
}

const bare = siteInput({
  publicUrl: null,
  words: { title: 'x', publisher: null, contact: null, license: null, accent: null, logo: null },
})

test.each([
  ['with every word', siteInput()],
  ['with none', bare],
  ['of a closed demo', siteInput({ closed: true, demo: true })],
  ['with a page as contact', siteInput({ words: { ...siteInput().words, contact: 'https://town.example/data' } })],
])('%s it is a valid descriptor', (_, input) => expectValid(packageOf(input)))

test('every CSV of the release is in it, with all of its columns in order', () => {
  const { resources } = packageOf(siteInput())
  const paths = siteInput()
    .files.map(({ path }) => path)
    .filter((path) => path.endsWith('.csv'))
  expect(resources.map(({ path }) => path)).toEqual(paths)
  expect(paths).toHaveLength(51)
  expect(new Set(resources.map(({ name }) => name)).size).toBe(51)
  for (const type of EXPORT_TYPES) {
    const { schema } = resources.find(({ name }) => name === `${type}-7d`) ?? expect.fail(type)
    expect(schema.fields.map(({ name }) => name)).toEqual(EXPORT_COLUMNS[type])
  }
})

test('a cell that may be empty says what that means; a text that may not is never missing', () => {
  const { resources } = packageOf(siteInput())
  const fields = resources.find(({ name }) => name === 'ideas-all')?.schema.fields ?? []
  const field = (wanted: string): unknown => fields.find(({ name }) => name === wanted)
  expect(field('launchedAt')).toEqual({
    name: 'launchedAt',
    type: 'datetime',
    description: 'When the idea was launched (UTC; in workbooks, local time).',
    missingValues: [{ value: '', label: 'Not launched, or launched without a date.' }],
  })
  expect(field('title')).toMatchObject({ type: 'string', missingValues: [] })
  expect(field('votes')).toMatchObject({ type: 'integer', unit: 'votes', constraints: { required: true, minimum: 0 } })
})

test.each([
  ['exact', 'timeline-24h', 'datetime'],
  ['exact', 'timeline-all', 'date'],
  ['exact', 'users-24h', 'datetime'],
  ['exact', 'users-7d', 'date'],
  // Rounded numbers are of a day, never of an hour.
  ['rounded', 'users-24h', 'date'],
] as const)('with people %s the bucket of %s is a %s', (people, name, type) => {
  const { resources } = packageOf(siteInput({ people }))
  const [bucket] = resources.find((one) => one.name === name)?.schema.fields ?? []
  expect(bucket).toMatchObject({ name: 'bucket', type })
})

test('names the licence, who publishes and where to write', () => {
  expect(packageOf(siteInput())).toMatchObject({
    id: `${PUBLIC_URL}/datapackage.json`,
    licenses: [{ name: 'CC-BY-4.0', path: 'https://creativecommons.org/licenses/by/4.0/' }],
    contributors: [{ title: 'City of Harbourtown', email: 'data@harbourtown.example', roles: ['publisher'] }],
  })
  for (const key of ['licenses', 'contributors', 'id', 'homepage']) expect(packageOf(bare)).not.toHaveProperty(key)
  expect(bulkReadme(siteInput())).toContain('Licence: CC-BY-4.0 (https://creativecommons.org/licenses/by/4.0/)')
  expect(licenceAddress('Apache-2.0')).toBe('https://spdx.org/licenses/Apache-2.0.html')
})

test.each(LANGUAGES)('the README of the archive is in the first language of the site: %s', (language) => {
  const { w, dictionary } = speechOf(language)
  const said = bulkReadme(siteInput({ languages: [language, 'en', 'de'], demo: true, closed: true })).split(/\r\n/)
  const time = siteInput().dataAsOf
  for (const text of [
    'Harbourtown Ideas',
    `${w.page.asOf.replace('{time}', time)} ${w.counting.timesText.replace('{zone}', 'UTC')} ${countedBy(speechOf(language), siteInput())}`,
    w.page.demo,
    w.page.closed,
    `${w.page.by.replace('{publisher}', 'City of Harbourtown')}.`,
    `${w.footer.contact}: mailto:data@harbourtown.example`,
    ...EXPORT_TYPES.map((type) => `- ${type}: ${dictionary.rows[type]}`),
    dictionary.columnsAt.replace('{address}', `${PUBLIC_URL}/docs/data.html`),
  ])
    expect(said).toContain(text)
  expect(said.join(' ')).not.toMatch(/[{}]|undefined/)
  expect(bulkReadme({ ...bare, languages: [language] })).toContain(dictionary.noLicense)
})

describe('its size', () => {
  test('does not depend on the number of categories', () => {
    const { files, people } = siteInput()
    const many = Array.from({ length: 5_000 }, (_, i) => ({
      path: `analytics/category/c${i}-0123456789ab.json`,
      bytes: 1,
      rows: null,
    }))
    expect(csvTables({ files: [...files, ...many], people })).toEqual(csvTables({ files, people }))
    expect(dataPackage(siteInput()).text.length).toBeLessThan(115_000)
  })
})

test.each(NAUGHTY)('no title gets in, and the words of the site are data: %j', (text) => {
  const descriptor = packageOf(hostileInput(text))
  expect(descriptor.resources).toEqual(packageOf(siteInput()).resources)
  expectValid({ ...descriptor, contributors: undefined, title: 'x' })
})
