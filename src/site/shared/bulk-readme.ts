// Owns the README of the archive with all CSV: what they are, when from, whose, and under which licence. Knows no archive.
import { TABLES, EXPORT_TYPES } from '../../contract/kinds/tables.ts'
import { PERIODS } from '../../contract/windows.ts'
import type { SiteInput } from '../input.ts'
import { licenceAddress } from './licence.ts'

type Described = Pick<SiteInput, 'words' | 'publicUrl' | 'dataAsOf' | 'timeZone' | 'closed' | 'demo'>

export function bulkReadme({ words, publicUrl, dataAsOf, timeZone, closed, demo }: Described): string {
  const { title, publisher, contact, license } = words
  return paragraphs([
    [title],
    [
      `All tables of one release. All numbers are those of ${dataAsOf}; all hours, days and months those of ${timeZone}.`,
    ],
    demo ? ['The numbers are invented: this is a demonstration.'] : [],
    closed ? ['The platform is closed to visitors, so the tables show nothing.'] : [],
    [
      publisher === null ? null : `Published by ${publisher}.`,
      contact === null ? null : `Contact: ${contact}`,
      publicUrl === null ? null : `Newer releases: ${publicUrl}/bulk.zip`,
    ],
    [license === null ? 'Licence: none is stated.' : `Licence: ${license} (${licenceAddress(license)})`],
    [`Each table has a file for each period, analytics/export/<table>/<period>.csv. Periods: ${PERIODS.join(', ')}.`],
    EXPORT_TYPES.map((type) => `- ${type}: ${TABLES[type].rows}`),
    [
      'CSV is RFC 4180: UTF-8, commas, a header row; an empty cell says that there is no value.',
      'A text that a spreadsheet would run as a formula begins with an apostrophe.',
      'What each column means is in datapackage.json (Data Package 2.0).',
    ],
  ])
}

/** Lines end as in the CSV. */
function paragraphs(all: readonly (readonly (string | null)[])[]): string {
  const texts = all.map((lines) => lines.filter((line) => line !== null).join('\r\n')).filter((text) => text !== '')
  return `${texts.join('\r\n\r\n')}\r\n`
}
