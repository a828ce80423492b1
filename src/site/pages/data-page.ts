// Owns docs/data.html, the dictionary for people: what the tables and their columns mean, how numbers are counted, what changed
// in the format, how to cite.
import { columnsOf, type Column } from '../../contract/columns.ts'
import { EMPTY } from '../../contract/kinds/shape.ts'
import { TABLES, EXPORT_TYPES, type ExportType } from '../../contract/kinds/tables.ts'
import type { PeopleMode } from '../../contract/people.ts'
import { PERIODS } from '../../contract/windows.ts'
import { html, type Content } from '../html.ts'
import type { SiteFile, SiteInput } from '../input.ts'
import { csvTables, type CsvTable } from '../shared/data-files.ts'
import { speechOf } from '../speech.ts'
import { citation, licenceAddress } from '../shared/licence.ts'
import { baseNote, baseOf, block, bullets, code, docsPage, paragraphs, table, type DocsSection } from './docs-page.ts'

const PATH = 'docs/data.html'

export function dataPage(input: SiteInput): SiteFile {
  const tables = csvTables(input)
  const sections: readonly DocsSection[] = [
    {
      id: 'counting',
      heading: 'How numbers are counted',
      content: bullets(COUNTING.map((text) => text.replace('{zone}', input.timeZone))),
    },
    { id: 'people', heading: 'Numbers of people', content: people(input) },
    ...EXPORT_TYPES.map((type) => ({
      id: type,
      heading: `Table: ${TABLES[type].title}`,
      content: tableContent(type, tables),
    })),
    { id: 'csv', heading: 'The CSV files', content: bullets(CSV) },
    { id: 'changes', heading: 'What changed in the format', content: changes() },
    { id: 'cite', heading: 'How to cite', content: cite(input) },
  ]
  const text = docsPage(input, {
    title: 'What the data means',
    description: `${input.words.title}: every table and column, how each number is counted, what changed, and how to cite.`,
    path: PATH,
    sections,
    other: ['Reference for programmers', 'index.html'],
  })
  return { path: PATH, text }
}

const COUNTING: readonly string[] = [
  'All numbers describe one instant, `dataAsOf`: they were read from the platform at once. Later rows are not in them.',
  'Ideas, votes and comments are those that visitors of the platform can see now. What is deleted or hidden is gone from all numbers, also from those of the past; only the table history keeps what was published.',
  'Only votes above zero count, each as one, however large its value is.',
  'An idea with several categories counts once in each. Totals count it once, so categories add up to more than the total. An idea without a category is under `Uncategorized`.',
  'A launch is an idea that the platform has marked as done. One without a date counts in totals, but in no window and no bucket.',
  'Rows without a date, or dated before 1990, count in totals and in the period `all` only.',
  'Windows end at `dataAsOf`; they include their beginning and exclude their end. Hours, days, months and years are those of the time zone {zone}, in local time with its offset (`Z` for UTC).',
  'Ratios are computed from the published numbers. They have at most two decimals; halves are rounded away from zero. A division by zero gives 0.',
]

const CSV: readonly string[] = [
  'RFC 4180: UTF-8 without a byte order mark, lines end in CR LF, the first is the head, a comma between cells, quotes only where they are needed.',
  'An empty cell is a missing value; what that says is in the tables above.',
  'A text that a spreadsheet would run as a formula begins with an apostrophe here. Numbers never do. In JSON texts are as they are.',
  'The ideas for Excel have times as `2026-11-22 20:20:31` (UTC), without parts of a second: Excel takes the other form for text.',
  'New columns come at the end only.',
]

/** By final version of the program, the newest first: what a reader of the data notices. */
export const CHANGES: readonly (readonly [version: string, changes: readonly string[]])[] = [
  [
    '1.0',
    [
      'The first version: totals, trending ideas, categories, activity over time and what became of the ideas; all tables on this page.',
      'Numbers of people may be rounded or left out: cells of people may be empty.',
      'Every release is a site: this page, `datapackage.json`, badges, charts, embeds and feeds; all CSV in one archive, ideas for Excel.',
    ],
  ],
]

function changes(): Content {
  return html`${paragraphs(
    'The version of the format is 1.0. A minor version only adds keys, columns and files; nothing that is there changes its meaning.',
  )}${table(
    ['program', 'change'],
    CHANGES.map(([version, list]) => [version, bullets(list)]),
  )}`
}

const PEOPLE: Readonly<Record<PeopleMode, string>> = {
  exact: 'On this site they are exact.',
  rounded:
    'On this site they are rounded to the nearest multiple of 5, and 1 to 7 are left out: the cell is empty. Of the totals, 1 to 7 accounts are 5. They are as of the last midnight ({zone}).',
  off: 'On this site they are not published: the cells are empty. Only the total of accounts is, rounded to the nearest multiple of 5, as of the last midnight ({zone}).',
}

function people({ people: mode, timeZone }: SiteInput): Content {
  return paragraphs(
    'An account counts whether or not its owner ever did anything. An active person is one who voted, commented or submitted an idea, whether or not the account is still there. A person is counted once in each bucket or window, so buckets must not be added up.',
    PEOPLE[mode].replace('{zone}', timeZone),
  )
}

function tableContent(type: ExportType, all: readonly CsvTable[]): Content {
  const files = all.filter((one) => one.type === type)
  const byPeriod = files.toSorted((a, b) => PERIODS.indexOf(a.period) - PERIODS.indexOf(b.period))
  const links = byPeriod.map(
    ({ path, name }, i): Content => html`${i > 0 && ', '}<a href="../${path}">${name.slice(type.length + 1)}</a>`,
  )
  return html`<p>${TABLES[type].rows}</p>
<p>CSV by period: ${links}</p>
${table(['column', 'type', 'unit', 'meaning', 'an empty cell'], columnsOf(type).map(columnCells))}`
}

function columnCells({ name, type, unit, description, values, empty }: Column): readonly Content[] {
  const oneOf = values === undefined ? null : html` One of ${values.join(', ')}.`
  return [code(name), type, unit ?? '', html`${description}${oneOf}`, empty === undefined ? 'never' : EMPTY[empty]]
}

function cite(input: SiteInput): Content {
  const { license } = input.words
  const asOf = `Numbers as of ${speechOf('en', input.timeZone).dateTime(input.dataAsOf)}.`
  const cited = citation(input, asOf, `${baseOf(input)}/`, 'Licence')
  return html`${paragraphs('Say who published the numbers, what they are, and the instant that they describe: they will be others tomorrow.')}${block(cited)}${baseNote(input)}${
    license === null
      ? paragraphs('No licence is stated here: ask the publisher before you publish the data again.')
      : html`<p>The licence is <a href="${licenceAddress(license)}" rel="license">${license}</a>.</p>
`
  }`
}
