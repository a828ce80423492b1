// Owns the files that the search over titles reads: which ideas they have, and what of each. Pure.
import type { Cell, ExportRow } from './kinds/tables.ts'
import type { TimeZone } from './time-zone.ts'
import { EARLIEST_DATE_MS } from './windows.ts'

/** The newest ideas, which can be found. */
export const SEARCHED_IDEAS = 20_000
/** With which idea each file begins: the first is so small that the first hits are there after 1.5 s on a slow line. */
const BEGINNINGS = [0, 800, 5_600, 10_400, 15_200]
/** Of a longer address there is none: a part of it would lead elsewhere. Those of a build need no escape in JSON. */
const WEB_ADDRESS = /^https?:[!#-[\]-~]{1,1000}$/i

export const SEARCH_FILE = /^search\/[1-5]\.json$/

/** Where an idea has no status, no date or no address, there is an empty text. */
export type SearchRow = readonly [title: string, votes: number, status: string, day: string, address: string]

/** Takes the rows of the table of all ideas, newest first. */
export function searchFiles(zone: TimeZone) {
  const texts: string[] = []
  return {
    add(rows: readonly ExportRow[]): void {
      for (const row of rows.slice(0, SEARCHED_IDEAS - texts.length)) texts.push(JSON.stringify(searchRow(row, zone)))
    },
    files: () =>
      BEGINNINGS.filter((first) => first < texts.length).map((first, i) => ({
        path: `search/${i + 1}.json`,
        text: `[${texts.slice(first, BEGINNINGS[i + 1]).join(',\n')}]\n`,
      })),
  }
}

function searchRow({ title, totalVotes, status, createdAt, url }: ExportRow, zone: TimeZone): SearchRow {
  const [created, address] = [String(createdAt), String(url)]
  const isDated = /^\d{4}-/.test(created) && Date.parse(created) >= EARLIEST_DATE_MS
  const day = isDated ? zone.dayOf(Date.parse(created)) : ''
  return [cut(title), Number(totalVotes), cut(status), day, WEB_ADDRESS.test(address) ? address : '']
}

/** At most 200 characters: a text may have 10,000. */
const cut = (text: Cell | undefined): string => String(text ?? '').replace(/^(.{199}).{2,}$/su, '$1…')
