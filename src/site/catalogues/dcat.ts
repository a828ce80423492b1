// Owns dcat.jsonld, which open-data portals harvest: a catalogue of one dataset with its CSV files, as DCAT-AP 3.0.1 asks for. Only
// with a licence and a public address. The API is not in it: a copy of the files on another host has none.
import { HOUR_MS } from '../../contract/windows.ts'
import { DEFAULT_SITE, DEMO_TITLE } from '../../contract/site-options.ts'
import type { Language } from '../../contract/site-paths.ts'
import type { SiteFile, SiteInput } from '../page/input.ts'
import { csvTables, datasetDescription, otherFiles, type DataFile } from './data-files.ts'
import { coveredDays } from './json-ld.ts'
import { licenceAddress } from '../page/licence.ts'

const PATH = 'dcat.jsonld'
const EU = 'http://publications.europa.eu/resource/authority'
const CONTEXT = {
  dcat: 'http://www.w3.org/ns/dcat#',
  dct: 'http://purl.org/dc/terms/',
  foaf: 'http://xmlns.com/foaf/0.1/',
  vcard: 'http://www.w3.org/2006/vcard/ns#',
  xsd: 'http://www.w3.org/2001/XMLSchema#',
}

/** Codes of the EU's list of languages. */
const LANGUAGE_CODES: Readonly<Record<Language, string>> = { en: 'ENG', de: 'DEU', fr: 'FRA', es: 'SPA' }

export function dcatFile(input: SiteInput): SiteFile[] {
  const { words, publicUrl } = input
  if (words.license === null || publicUrl === null) return []
  const publisher = words.publisher ?? words.title
  const isOurs = [DEFAULT_SITE.title, DEMO_TITLE].includes(words.title)
  const licence = iri(licenceAddress(words.license))
  const about = {
    'dct:title': inLanguage(isOurs ? 'en' : (input.languages[0] ?? 'en'), words.title),
    'dct:description': english(datasetDescription(input)),
    'dct:publisher': iri(`${publicUrl}/#publisher`),
    'dct:modified': typed('xsd:dateTime', input.dataAsOf),
    'dct:language': input.languages.map((language) => iri(`${EU}/language/${LANGUAGE_CODES[language]}`)),
  }
  const files = [...otherFiles(input), ...csvTables(input)]
  const graph = [
    {
      '@id': `${publicUrl}/#catalog`,
      '@type': 'dcat:Catalog',
      ...about,
      'dct:license': licence,
      'foaf:homepage': iri(`${publicUrl}/`),
      'dcat:dataset': iri(`${publicUrl}/#dataset`),
    },
    {
      '@id': `${publicUrl}/#dataset`,
      '@type': 'dcat:Dataset',
      'dct:identifier': `${publicUrl}/#dataset`,
      ...about,
      'dcat:contactPoint': contactOf(words.contact, publisher),
      'dct:accessRights': iri(`${EU}/access-right/PUBLIC`),
      'dct:accrualPeriodicity': iri(`${EU}/frequency/${frequency(input)}`),
      'dcat:landingPage': iri(`${publicUrl}/`),
      'dcat:keyword': ['participation', 'ideas', 'votes', 'statistics'].map(english),
      'dct:temporal': coverage(input),
      'dcat:distribution': files.map(({ name }) => iri(`${publicUrl}/#${name}`)),
    },
    { '@id': `${publicUrl}/#publisher`, '@type': 'foaf:Agent', 'foaf:name': publisher },
    ...files.map((file) => distribution(file, publicUrl, licence)),
  ]
  return [{ path: PATH, text: `${JSON.stringify({ '@context': CONTEXT, '@graph': graph })}\n` }]
}

function distribution(file: DataFile, publicUrl: string, licence: object): object {
  const { path, bytes, name, title, description, mediaType } = file
  const address = iri(`${publicUrl}/${path}`)
  return {
    '@id': `${publicUrl}/#${name}`,
    '@type': 'dcat:Distribution',
    'dct:title': english(title),
    'dct:description': english(description),
    'dcat:accessURL': address,
    'dcat:downloadURL': address,
    'dct:license': licence,
    // The formats are those of the EU's list of file types: CSV, XLSX and ZIP.
    'dct:format': iri(`${EU}/file-type/${path.slice(path.lastIndexOf('.') + 1).toUpperCase()}`),
    'dcat:mediaType': iri(`http://www.iana.org/assignments/media-types/${mediaType}`),
    'dcat:byteSize': typed('xsd:nonNegativeInteger', String(bytes)),
  }
}

function contactOf(contact: string | null, name: string): object | undefined {
  if (contact === null || !URL.canParse(contact)) return undefined
  const property = /^mailto:/i.test(contact) ? 'vcard:hasEmail' : 'vcard:hasURL'
  return { '@type': 'vcard:Organization', 'vcard:fn': name, [property]: iri(contact) }
}

/** How often the data is meant to be new, as the EU's list of frequencies says it. */
function frequency({ dataAsOf, nextUpdateAt }: SiteInput): string {
  const hours = (Date.parse(nextUpdateAt) - Date.parse(dataAsOf)) / HOUR_MS
  if (hours < 1) return 'UPDATE_CONT'
  if (hours < 24) return 'HOURLY'
  return hours === 24 ? 'DAILY' : 'IRREG'
}

function coverage(input: SiteInput): object | undefined {
  const days = coveredDays(input)
  if (days === null) return undefined
  const [startDate, endDate] = days.map((day) => typed('xsd:date', day))
  return { '@type': 'dct:PeriodOfTime', 'dcat:startDate': startDate, 'dcat:endDate': endDate }
}

function iri(id: string): { readonly '@id': string } {
  return { '@id': id }
}

function inLanguage(language: Language, text: string): object {
  return { '@language': language, '@value': text }
}

const english = (text: string): object => inLanguage('en', text)

function typed(type: string, value: string): object {
  return { '@type': type, '@value': value }
}
