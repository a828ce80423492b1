// Owns datapackage.json (Data Package 2.0, datapackage.org): every CSV of the release, with what its columns mean.
import { columnsOf, mayBeEmpty, type Column } from '../../contract/columns.ts'
import { EMPTY } from '../../contract/kinds/shape.ts'
import type { ExportType } from '../../contract/kinds/tables.ts'
import type { SiteFile, SiteInput } from '../input.ts'
import { csvTables, datasetDescription, type CsvTable } from './data-files.ts'
import { licenceAddress } from './licence.ts'

const PATH = 'datapackage.json'
const PROFILE = 'https://datapackage.org/profiles/2.0/datapackage.json'
const NAME = 'public-analytics'

export function dataPackage(input: SiteInput): SiteFile {
  const { words, publicUrl, dataAsOf } = input
  const contributors = contributorsOf(input)
  const descriptor = {
    $schema: PROFILE,
    name: NAME,
    ...(publicUrl === null ? {} : { id: `${publicUrl}/${PATH}`, homepage: `${publicUrl}/` }),
    title: words.title,
    description: datasetDescription(input),
    created: dataAsOf,
    ...(contributors.length === 0 ? {} : { contributors }),
    ...(words.license === null ? {} : { licenses: [licenceOf(words.license)] }),
    resources: csvTables(input).map(resourceOf),
  }
  return { path: PATH, text: `${JSON.stringify(descriptor)}\n` }
}

function licenceOf(spdx: string): object {
  return { ...(/^[-a-zA-Z0-9._]+$/.test(spdx) ? { name: spdx } : { title: spdx }), path: licenceAddress(spdx) }
}

function contributorsOf({ words: { publisher, contact } }: SiteInput): object[] {
  if (publisher === null && contact === null) return []
  const mail = contact === null ? null : (/^mailto:([^?]+)/i.exec(contact)?.[1] ?? null)
  return [
    {
      title: publisher ?? contact,
      ...(mail === null ? {} : { email: mail }),
      ...(contact !== null && /^https?:\/\//i.test(contact) ? { path: contact } : {}),
      roles: ['publisher'],
    },
  ]
}

function resourceOf({ path, bytes, type, name, title, description }: CsvTable): object {
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
    schema: { fields: columnsOf(type).map((column) => fieldOf(type, column)) },
  }
}

function fieldOf(type: ExportType, column: Column): object {
  const { name, type: fieldType, description, unit, empty, minimum, values, pattern } = column
  const isText = fieldType === 'string'
  const constraints = {
    // A text may be empty and is not missing.
    ...(isText || mayBeEmpty(type, name) ? {} : { required: true }),
    ...(minimum === undefined ? {} : { minimum }),
    ...(values === undefined ? {} : { enum: values }),
    ...(pattern === undefined ? {} : { pattern }),
  }
  return {
    name,
    type: fieldType,
    description,
    ...(unit === undefined ? {} : { unit }),
    ...(empty === undefined
      ? isText
        ? { missingValues: [] }
        : {}
      : { missingValues: [{ value: '', label: EMPTY[empty] }] }),
    ...(Object.keys(constraints).length === 0 ? {} : { constraints }),
  }
}
