// Owns what search engines read of the data: a schema.org Dataset, as text for a script element that is data. Only with a
// licence and a public address.
import { type Label, timeZoneOf } from '../../contract/time-zone.ts'
import type { SiteInput } from '../page/input.ts'
import { csvTables, datasetDescription, otherFiles } from './data-files.ts'
import { licenceAddress } from '../page/licence.ts'

/** JSON in which nothing ends the element around it; null = it is left out. */
export function datasetJsonLd(input: SiteInput): string | null {
  const { words, publicUrl, dataAsOf, closed } = input
  if (words.license === null || publicUrl === null || closed) return null
  const organization = { '@type': 'Organization', name: words.publisher ?? words.title }
  const days = coveredDays(input)
  const dataset = {
    '@context': 'https://schema.org/',
    '@type': 'Dataset',
    '@id': `${publicUrl}/#dataset`,
    name: words.title,
    description: datasetDescription(input),
    url: `${publicUrl}/`,
    license: licenceAddress(words.license),
    isAccessibleForFree: true,
    creator: organization,
    publisher: organization,
    dateModified: dataAsOf,
    temporalCoverage: days?.join('/'),
    // One CSV of each table is listed: the others are in datapackage.json.
    distribution: [...otherFiles(input), ...csvTables(input).filter(({ period }) => period === 'all')].map(
      ({ path, title, mediaType }) => ({
        '@type': 'DataDownload',
        name: title,
        encodingFormat: mediaType,
        contentUrl: `${publicUrl}/${path}`,
      }),
    ),
  }
  return JSON.stringify(dataset).replaceAll('<', '\\u003c')
}

/** The first and the last day of the timeline of all time, in the time zone of the site; null = nothing is dated. */
export function coveredDays({ documents, dataAsOf, timeZone }: SiteInput): readonly [from: Label, to: Label] | null {
  const from = documents.timelines.all.buckets[0]?.bucket
  return from === undefined ? null : [from, timeZoneOf({ timeZone }).dayOf(Date.parse(dataAsOf))]
}
