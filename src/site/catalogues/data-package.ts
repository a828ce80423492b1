// Owns datapackage.json (Data Package 2.0, datapackage.org): every CSV of the release, with what its columns mean.
import { columnsOf, type Column } from '../../contract/columns.ts'
import { EMPTY } from '../../contract/kinds/shape.ts'
import type { SiteFile, SiteInput } from '../page/input.ts'
import { csvTables, datasetDescription, type CsvTable } from './data-files.ts'
import { licenceAddress } from '../page/licence.ts'

const PATH = 'datapackage.json'
const PROFILE = 'https://datapackage.org/profiles/2.0/datapackage.json'
const NAME = 'public-analytics'

export function dataPackage(input: SiteInput): SiteFile {
  const { words, publicUrl, dataAsOf } = input
  const addressOf = (path: string): string | undefined => (publicUrl === null ? undefined : `${publicUrl}/${path}`)
  const descriptor = {
    $schema: PROFILE,
    name: NAME,
    id: addressOf(PATH),
    homepage: addressOf(''),
    title: words.title,
    description: datasetDescription(input),
    created: dataAsOf,
    contributors: contributorsOf(input),
    licenses: words.license === null ? undefined : [{ name: words.license, path: licenceAddress(words.license) }],
    resources: csvTables(input).map(resourceOf),
  }
  return { path: PATH, text: `${JSON.stringify(descriptor)}\n` }
}

function contributorsOf({ words: { publisher, contact } }: SiteInput): object[] | undefined {
  if (publisher === null && contact === null) return undefined
  const email = /^mailto:([^?]+)/i.exec(contact ?? '')?.[1]
  const path = /^https?:\/\/.*/i.exec(contact ?? '')?.[0]
  return [{ title: publisher ?? contact, email, path, roles: ['publisher'] }]
}

function resourceOf({ path, bytes, type, interval, name, title, description }: CsvTable): object {
  return {
    name,
    type: 'table',
    path,
    title,
    description,
    format: 'csv',
    mediatype: 'text/csv',
    encoding: 'utf-8',
    bytes,
    // As it would be without: some readers take `NA` for missing unless they are told what is.
    schema: { missingValues: [''], fields: columnsOf(type, interval).map(fieldOf) },
  }
}

function fieldOf({ name, type, description, unit, empty, minimum, values, pattern }: Column): object {
  const isText = type === 'string'
  const isFilled = !isText && empty === undefined
  const constraints = { required: isFilled || undefined, minimum, enum: values, pattern }
  // A text may be empty, and then it is not missing.
  const ofText = isText ? [] : undefined
  return {
    name,
    type,
    description,
    unit,
    missingValues: empty === undefined ? ofText : [{ value: '', label: EMPTY[empty] }],
    constraints: Object.values(constraints).some((value) => value !== undefined) ? constraints : undefined,
  }
}
