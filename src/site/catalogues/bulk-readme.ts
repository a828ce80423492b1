// Owns the README of the archive with all CSV, in the first language of the site: what they are, when from, whose, and under which
// licence. Knows no archive.
import { EXPORT_TYPES } from '../../contract/kinds/tables.ts'
import { pagePath } from '../../contract/site-paths.ts'
import { PERIODS } from '../../contract/windows.ts'
import { countedBy } from '../page/counted-by.ts'
import type { DescribedSite } from '../page/input.ts'
import { speechOf } from '../page/speech.ts'
import { licenceAddress } from '../page/licence.ts'

export function bulkReadme(described: DescribedSite): string {
  const { publicUrl, languages, timeZone } = described
  const { dictionary, say, language } = speechOf(languages[0] ?? 'en', timeZone)
  const columnsAt = `${publicUrl === null ? '' : `${publicUrl}/`}${pagePath(language, languages, { own: 'docs/data' })}`
  return paragraphs([
    ...aboutData(described, 'bulk.zip'),
    [say(dictionary.files, { path: 'analytics/export/<table>/<period>.csv', list: PERIODS.join(', ') })],
    EXPORT_TYPES.map((type) => `- ${type}: ${dictionary.rows[type]}`),
    [dictionary.csv, dictionary.formulas, say(dictionary.columnsAt, { address: columnsAt })],
  ])
}

/** What the data is, when from, whose, and under which licence, as lines in paragraphs. @param path of the file that says it */
export function aboutData(described: DescribedSite, path: string): readonly (readonly string[])[] {
  const { words, publicUrl, languages, dataAsOf, timeZone, closed, demo } = described
  const { title, publisher, contact, license } = words
  const { w, dictionary, say } = speechOf(languages[0] ?? 'en', timeZone)
  return [
    [title],
    [`${say(w.page.asOf, { time: dataAsOf })} ${say(w.counting.timesText)} ${countedBy({ w, say }, described)}`],
    demo ? [w.page.demo] : [],
    closed ? [w.page.closed] : [],
    [
      ...(publisher === null ? [] : [`${say(w.page.by, { publisher })}.`]),
      ...(contact === null ? [] : [`${w.footer.contact}: ${contact}`]),
      ...(publicUrl === null ? [] : [say(dictionary.newer, { address: `${publicUrl}/${path}` })]),
    ],
    [license === null ? dictionary.noLicense : `${w.footer.license}: ${license} (${licenceAddress(license)})`],
  ]
}

/** Lines end as in the CSV. */
function paragraphs(all: readonly (readonly string[])[]): string {
  const texts = all.map((lines) => lines.join('\r\n')).filter((text) => text !== '')
  return `${texts.join('\r\n\r\n')}\r\n`
}
