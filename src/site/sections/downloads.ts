// Owns "download the data": every table of every period with its rows and size, and the other files of the release. Pure.
import { csvFileName } from '../../contract/kinds/export.ts'
import { EXPORT_TYPES, type ExportType } from '../../contract/kinds/tables.ts'
import { IDEAS_WORKBOOK, TABLES_WORKBOOK } from '../../contract/snapshot-paths.ts'
import { pagePath } from '../../contract/site-paths.ts'
import { BOUNDED_PERIODS, type Period } from '../../contract/windows.ts'
import { html, type Content, type Markup } from '../page/html.ts'
import { linkContext, tableTitle } from '../page/drawing.ts'
import type { SiteDataFile } from '../page/input.ts'
import type { Page } from '../page/page.ts'
import { licenceAddress } from '../page/licence.ts'
import { folded, section } from './section.ts'
import { feedPath, FEEDS, shareSection } from './sharing.ts'

type Files = ReadonlyMap<string, SiteDataFile>

export function downloadsSection(page: Page): Markup {
  const { t, input } = page
  const w = t.w.downloads
  const files = new Map(input.files.map((file) => [file.path, file]))
  const recent = folded(w.recent, tables(page, files, 'downloads-recent', w.recent, BOUNDED_PERIODS))
  const dictionary = html`<p><a class="target" href="${page.root}${pagePath(t.language, input.languages, { own: 'docs/data' })}">${w.dictionary}</a></p>`
  const body = html`${sourceSection(page)}${dictionary}${workbooks(page, files)}${tables(page, files, 'downloads-all', t.w.activity.periods.all, ['all'])}<p class="remark">${w.formats}</p>${recent}${others(page, files)}${!input.closed && shareSection(page)}`
  return section({ id: 'downloads', heading: w.heading, lead: w.lead, body })
}

/** What one may do with the data, and how to name the source. */
export function sourceSection(page: Page): Markup {
  const { t, input } = page
  const w = t.w.downloads
  const { license } = input.words
  const licence =
    license !== null && html`${t.w.footer.license}: <a href="${licenceAddress(license)}" rel="license">${license}</a>. `
  const asOf = t.say(t.w.page.asOf, { time: t.dateTime(input.dataAsOf) })
  const home = input.publicUrl && `${input.publicUrl}/`
  return html`<p>${licence}${w.cite}</p><p><code>${citation(page, input.dataAsOf, asOf, home)}</code></p>${ofMonth(page)}`
}

/** The source of numbers that are still there in a year. */
function ofMonth(page: Page): Content {
  const { t, input } = page
  const { publicUrl, months } = input
  const [newest] = months
  if (newest === undefined || publicUrl === null) return false
  const w = t.w.downloads
  const month = t.month(newest)
  const cited = citation(page, newest, t.say(w.endOf, { month }), monthAddress(publicUrl, newest))
  return html`<p>${t.say(w.citeMonth, { month })}</p><p><code>${cited}</code></p>`
}

export function monthAddress(publicUrl: string, month: string): string {
  return `${publicUrl}/snapshots/releases/${month}/analytics/export/overview/all.json`
}

/**
 * Names publisher, year and title; without a publisher the title comes first, and is not repeated.
 * @param address where the numbers are; null = not known
 */
function citation({ t, input: { words } }: Page, date: string, asOf: string, address: string | null): string {
  const { title, publisher, license } = words
  const year = date.slice(0, 'YYYY'.length)
  const work = publisher === null ? `${title} (${year}).` : `${publisher} (${year}): ${title}.`
  const licence = license === null ? null : `${t.w.footer.license}: ${license}.`
  return [work, asOf, address, licence].filter((part) => part !== null).join(' ')
}

function tables(page: Page, files: Files, id: string, caption: string, periods: readonly Period[]): Markup {
  const { t } = page
  const w = t.w.downloads
  const cell = (type: ExportType, period: Period): Content => {
    const csv = files.get(`analytics/export/${type}/${period}.csv`)
    if (csv === undefined) return html`<td>${t.w.absent.none}</td>`
    const of = `${tableTitle(t, type)}, ${t.w.activity.periods[period]}`
    const links = ['csv', 'json'].flatMap((extension) => {
      const path = `analytics/export/${type}/${period}.${extension}`
      const file = files.get(path)
      if (file === undefined) return []
      const download = csvFileName({ type, period }, page.input.dataAsOf).replace(/csv$/, extension)
      return html`<li><a href="${page.root}${path}" download="${download}">${extension.toUpperCase()}${linkContext(of)}</a> <small>${t.bytes(file.bytes)}</small></li>`
    })
    return html`<td><ul>${links}</ul>${csv.rows !== null && html`<small>${t.count(w.rows, csv.rows)}</small>`}</td>`
  }
  return html`<div class="scroll" tabindex="0" role="region" aria-labelledby="${id}"><table class="files"><caption id="${id}"><span>${caption}</span></caption><thead><tr><th scope="col">${w.table}</th>${periods.map(
    (period) => html`<th scope="col">${t.w.activity.periods[period]}</th>`,
  )}</tr></thead><tbody>${EXPORT_TYPES.map(
    (type) => html`<tr><th scope="row">${tableTitle(t, type)}</th>${periods.map((period) => cell(type, period))}</tr>`,
  )}</tbody></table></div>`
}

function sizes({ t }: Page, { bytes, rows }: SiteDataFile): string {
  const parts = [...(rows === null ? [] : [t.count(t.w.downloads.rows, rows)]), t.bytes(bytes)]
  // The parts are in two lines where the place is narrow, but each of them in one.
  return parts.map((part) => part.replaceAll(' ', '\u00A0')).join(', ')
}

/** Links to those of the files that the release has; `false` = it has none of them. */
function linksTo(page: Page, files: Files, known: readonly (readonly [path: string, name: string])[]): Content {
  const links = known.flatMap(([path, name]) => {
    const file = files.get(path)
    return file === undefined
      ? []
      : html`<li><a href="${page.root}${path}">${name}</a> <small>${sizes(page, file)}</small></li>`
  })
  return links.length > 0 && html`<ul class="links">${links}</ul>`
}

function workbooks(page: Page, files: Files): Content {
  const w = page.t.w.downloads
  // Where a sheet has no room for all ideas, it has the newest.
  const isWhole = files.get(IDEAS_WORKBOOK)?.rows === files.get('analytics/export/ideas/all.csv')?.rows
  return linksTo(page, files, [
    [IDEAS_WORKBOOK, isWhole ? w.excel : w.excelNewest],
    [TABLES_WORKBOOK, w.excelTables],
  ])
}

function others(page: Page, files: Files): Content {
  const w = page.t.w.downloads
  const links = linksTo(page, files, [
    ['bulk.zip', w.bulk],
    ['analytics/export/timeline/all-by-day.csv', w.byDay],
    ['datapackage.json', w.datapackage],
    ['dcat.jsonld', w.dcat],
    ...FEEDS.map((name) => [feedPath(page, name), w.feeds[name]] as const),
    ['docs/index.html', w.reference],
  ])
  const noBulk = !files.has('bulk.zip') && html`<p class="remark">${w.noBulk}</p>`
  return links && html`<h3>${w.others}</h3>${links}${noBulk}`
}
