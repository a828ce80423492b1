// Owns what `status` prints: whether all is well, which command is next, then the releases. Pure text.
import { age, harmless } from '../../process/printable.ts'
import { showSize } from '../../process/value-syntax.ts'
import type { Found, Reported } from './folder-state.ts'
import { madeBy, type Health } from './health.ts'

/** @param calledAs how the program was started, for the command that is next */
export function statusText(found: Found, { summary, problems, notes }: Health, calledAs: string): string {
  const next = problems[0]?.next.replace('analytics-build', () => calledAs)
  return [
    summary,
    ...problems.slice(1).map(({ problem }) => problem),
    ...(next === undefined ? [] : [`next: ${next}`]),
    ...notes,
    ...(found.rows.length === 0
      ? []
      : ['', `  ${'release'.padEnd(ID_COLUMNS)}  ${'age'.padStart(8)}`, ...found.rows.map(lineOf)]),
    ...(found.months.length === 0 ? [] : [`  months kept: ${found.months.join(', ')}`]),
  ]
    .map((line) => `${harmless(line)}\n`)
    .join('')
}

const ID_COLUMNS = 28

function lineOf(row: Reported): string {
  const start = `${row.current ? '* ' : '  '}${row.id}  ${age(row.ageMs).padStart(8)}`
  if (row.problem !== null) return `${start}  ${row.problem}`
  return `${start}  ${String(row.files).padStart(6)} files  ${showSize(row.bytes).padStart(10)}  ${aboutRow(row)}`
}

function aboutRow(row: Reported): string {
  const { mapping, demo, closed, timeZoneDatabase } = row
  return [
    demo ? `${mapping} (invented numbers)` : mapping,
    ...(closed ? ['closed to visitors: empty'] : []),
    `made by ${madeBy(row)}${timeZoneDatabase === undefined ? '' : `, time zones ${timeZoneDatabase}`}`,
  ].join(', ')
}
