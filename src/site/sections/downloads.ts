// Owns "download the data": every table of every period with its rows and size, and the other files of the release. Pure.
import { EXPORT_TYPES, type ExportType } from '../../contract/endpoints.ts'
import { PERIODS, type Period } from '../../contract/windows.ts'
import { html, type Content, type Markup } from '../html.ts'
import type { SiteDataFile } from '../input.ts'
import type { Page } from '../page.ts'
import { section } from './section.ts'

export function downloads(page: Page): Markup {
  const { t, input } = page
  const w = t.w.downloads
  const { license } = input.words
  const lead = license === null ? w.lead : t.say(w.leadLicense, { license })
  return section({ id: 'downloads', heading: w.heading, lead, body: html`${tables(page)}${others(page)}` })
}

function tables(page: Page): Markup {
  const { t, files } = page
  const w = t.w.downloads
  const cell = (type: ExportType, period: Period): Content => {
    const csv = files.get(`analytics/export/${type}/${period}.csv`)
    const json = files.get(`analytics/export/${type}/${period}.json`)
    if (csv === undefined) return html`<td>–</td>`
    return html`<td><a href="${page.root}${csv.path}">CSV</a>${json !== undefined && html` <a href="${page.root}${json.path}">JSON</a>`}<small>${sizes(page, csv)}</small></td>`
  }
  return html`<div class="scroll" tabindex="0" role="region" aria-labelledby="downloads-caption"><table class="files"><caption id="downloads-caption">${w.caption}</caption><thead><tr><th scope="col">${w.table}</th>${PERIODS.map(
    (period) => html`<th scope="col">${t.w.activity.periods[period]}</th>`,
  )}</tr></thead><tbody>${EXPORT_TYPES.map(
    (type) => html`<tr><th scope="row">${w.types[type]}</th>${PERIODS.map((period) => cell(type, period))}</tr>`,
  )}</tbody></table></div>`
}

function sizes({ t }: Page, { bytes, rows }: SiteDataFile): string {
  const parts = [...(rows === null ? [] : [t.count(t.w.downloads.rows, rows)]), t.bytes(bytes)]
  // In two lines where the place is narrow, but each part in one.
  return parts.map((part) => part.replaceAll(' ', '\u00A0')).join(', ')
}

function others(page: Page): Content {
  const { t, files } = page
  const w = t.w.downloads
  const known: readonly (readonly [path: string, name: string])[] = [
    ['bulk.zip', w.bulk],
    ['analytics/export/timeline/all-by-day.csv', w.byDay],
    ['analytics/export/ideas/all.excel.csv', w.excel],
    ['ideas.parquet', w.ideasParquet],
    ['timeline.parquet', w.timelineParquet],
    ['datapackage.json', w.datapackage],
    ['dcat.jsonld', w.dcat],
    ['feeds/launched.atom', w.feed],
    ['docs/data.html', w.dictionary],
    ['docs/index.html', w.reference],
  ]
  const links = known.flatMap(([path, name]) => {
    const file = files.get(path)
    return file === undefined
      ? []
      : [html`<li><a href="${page.root}${path}">${name}</a> <small>${sizes(page, file)}</small></li>`]
  })
  return links.length > 0 && html`<h3>${w.others}</h3><ul class="links">${links}</ul>`
}
