// Owns which files of a release are tables, and what each is called where data is described for other programs.
import { TABLES } from '../../contract/kinds/tables.ts'
import { siteKindOf } from '../../contract/site-paths.ts'
import { combinationAt, BULK_PATH, IDEAS_WORKBOOK, TABLES_WORKBOOK } from '../../contract/snapshot-paths.ts'
import { peopleInterval } from '../../contract/people.ts'
import { ownInterval, spanName } from '../../contract/windows.ts'
import { countedBy } from '../page/counted-by.ts'
import type { SiteInput } from '../page/input.ts'
import { speechOf } from '../page/speech.ts'
import { en } from '../words/en.ts'

export type CsvTable = ReturnType<typeof csvTables>[number]
export type DataFile = ReturnType<typeof otherFiles>[number]

/** Every CSV of the release, in the order of their paths. */
export function csvTables({ files, people }: Pick<SiteInput, 'files' | 'people'>) {
  return files.flatMap((file) => {
    const combination = combinationAt(file.path, () => undefined)
    if (combination?.endpoint !== 'export' || combination.format !== 'csv') return []
    const { type, period, interval = ownInterval(period) } = combination
    // Lower case, digits and `-`: `ideas-30d`. The same in every release.
    const name = `${type}-${spanName(period, interval)}`
    const byInterval = interval === ownInterval(period) ? '' : `, by ${interval}`
    const length = en.activity.periods[period].toLowerCase()
    const title = `${TABLES[type].title}, ${length}${byInterval}`
    const window = period === 'all' ? 'Everything before dataAsOf.' : `The window: ${length} before dataAsOf.`
    const description = `${TABLES[type].rows} ${window}`
    const ofBuckets = type === 'users' ? peopleInterval(period, people) : interval
    return [{ ...file, type, period, interval: ofBuckets, name, title, description, mediaType: 'text/csv' }]
  })
}

const OTHERS = [
  {
    path: BULK_PATH,
    name: 'bulk',
    title: 'All tables in one archive',
    description: 'Every CSV of the release, with datapackage.json and a README.',
  },
  {
    path: IDEAS_WORKBOOK,
    name: 'ideas-workbook',
    title: 'Ideas, all time, as a workbook',
    description: `${TABLES.ideas.rows} Times are local; of more than 1,048,575 ideas it has the newest.`,
  },
  {
    path: TABLES_WORKBOOK,
    name: 'tables-workbook',
    title: 'All other tables, all time, as a workbook',
    description: 'A sheet for each table, and one with what the columns mean. Times are local.',
  },
]

/** The archive and the workbooks, where the release has them. */
export function otherFiles({ files }: Pick<SiteInput, 'files'>) {
  const byPath = new Map(files.map((file) => [file.path, file]))
  return OTHERS.flatMap((other) => {
    const file = byPath.get(other.path)
    return file === undefined ? [] : [{ ...file, ...other, mediaType: siteKindOf(other.path)?.type ?? '' }]
  })
}

/** What the data is, for catalogues of data. */
export function datasetDescription({ words, dataAsOf, timeZone, demo, closed, ...counted }: SiteInput): string {
  const parts = [
    `Numbers of ${words.title}: its ideas, votes, comments, categories and launches, over time and by outcome, and how many people take part.`,
    `All numbers describe one instant: ${dataAsOf}. Days are those of ${timeZone}.`,
    countedBy(speechOf('en', timeZone), counted),
    demo ? 'This is a demo: all numbers are invented.' : '',
    closed ? 'The site is closed to visitors: every number is zero, every list empty.' : '',
  ]
  return parts.filter((part) => part !== '').join(' ')
}
