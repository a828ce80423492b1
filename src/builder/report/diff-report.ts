// Owns what `diff` prints: one screen about two releases. Pure text.
import { count, countOrDash, harmless, short, some } from '../../process/printable.ts'
import { showSize } from '../../process/value-syntax.ts'
import { monthsText, percentText, relationName, type Revision } from '../past/revision.ts'
import type { Diff } from './diff.ts'

const NAMES_SHOWN = 3
const NAME_WIDTH = 24

export function diffText(diff: Diff): string {
  const revised = (diff.revisions ?? []).filter(({ rows }) => rows > 0)
  const lines = [
    `A  ${aboutLine(diff.a)}`,
    `B  ${aboutLine(diff.b)}`,
    diff.comparable ? '' : '   mapping, parameters or options are not the same, so the numbers are not comparable',
    columns('', 'A', 'B', 'B - A'),
    ...Object.entries(diff.totals).map(([key, { a, b }]) =>
      columns(relationName(key), countOrDash(a), countOrDash(b), a === null || b === null ? '' : signed(b - a)),
    ),
    columns('size', showSize(diff.bytes.a), showSize(diff.bytes.b), ''),
    ...(revised.length > 0 ? ['', 'the past of A is not so in B; the largest changes (--json: all):'] : []),
    ...revised.flatMap(revisedLines),
    `files       ${counted(diff.files)}, ${count(diff.files.changed.length)} changed, ${count(diff.files.same)} the same`,
    `categories  ${counted(diff.categories)}`,
    ...named('+', diff.categories.added),
    ...named('-', diff.categories.removed),
  ]
  return lines.map((line) => `${harmless(line).trimEnd()}\n`).join('')
}

function revisedLines({ relation, rows, had, months }: Revision): string[] {
  const isOfMonths = months.length > 0
  const size = `${count(rows)} of ${count(had)}${isOfMonths ? ' rows' : ''} (${percentText(rows, had)})`
  const line = `  ${relationName(relation).padEnd(14)}  ${size}`
  return isOfMonths ? [`${line}:`, `    ${monthsText(months)}`] : [line]
}

function aboutLine({ id, dataAsOf, mapping, timeZoneDatabase: zones, closed }: Diff['a']): string {
  return `${id}  data as of ${dataAsOf}, mapping ${mapping}${zones === undefined ? '' : `, time zones ${zones}`}${closed ? ', closed to visitors' : ''}`
}

function columns(label: string, ...cells: readonly string[]): string {
  return label.padEnd(16) + cells.map((cell) => cell.padStart(14)).join('')
}

function counted({ added, removed }: Diff['categories']): string {
  return `${count(added.length)} added, ${count(removed.length)} removed`
}

function named(sign: string, names: readonly string[]): string[] {
  const shown = names.map((name) => short(name, NAME_WIDTH))
  return names.length === 0 ? [] : [`  ${sign} ${some(shown, NAMES_SHOWN)}`]
}

const signed = (value: number): string => (value > 0 ? `+${count(value)}` : value === 0 ? '' : count(value))
