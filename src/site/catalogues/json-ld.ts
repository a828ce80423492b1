// Owns what search engines read of the data: a schema.org Dataset, as text for a script element that is data. Only with a
// licence and a public address.
import type { Timestamp } from '../../contract/timestamp.ts'
import type { SiteInput } from '../page/input.ts'
import { csvTables, datasetDescription, otherFiles } from './data-files.ts'
import { licenceAddress } from '../page/licence.ts'

/** JSON in which nothing ends the element around it; null = it is left out. */
export function datasetJsonLd(input: SiteInput): string | null {
  const { words, publicUrl, dataAsOf, closed } = input
  if (words.license === null || publicUrl === null || closed) return null
  const organization = { '@type': 'Organization', name: words.publisher ?? words.title }
  const from = firstDay(input)
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
    temporalCoverage: from === null ? undefined : `${from}/${dataAsOf}`,
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

/** Where the timeline of all time begins; null = nothing is dated. */
export function firstDay({ documents }: SiteInput): Timestamp | null {
  return documents.timelines.all.buckets[0]?.bucket ?? null
}
