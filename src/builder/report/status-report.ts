// Owns what `status` prints: whether all is well, which command is next, then the releases. Pure text.
import { age } from '../../process/age.ts'
import { folded, harmless } from '../../process/printable.ts'
import type { Screen } from '../../process/screen.ts'
import { showSize } from '../../process/value-syntax.ts'
import type { Found, Health, StatusRow } from './health.ts'

/** @param calledAs how the program was started, for the command that is next */
export function statusText(
  found: Found,
  { summary, problems, notes }: Health,
  screen: Screen,
  calledAs: string,
): string {
  const { width, ink } = screen
  const isWell = problems.length === 0
  const sentence = (text: string, paint = (line: string): string => line): string[] =>
    folded(harmless(text), width, '  ').map(paint)
  const next = problems[0]?.next.replace('analytics-build', calledAs)
  return [
    ...sentence(summary, isWell ? ink.good : ink.bad),
    ...problems.slice(1).flatMap(({ problem }) => sentence(problem, ink.warn)),
    // It is copied, so not wrapped.
    ...(next === undefined ? [] : [`next: ${ink.strong(harmless(next))}`]),
    ...notes.flatMap((note) => sentence(note)),
    ...(found.rows.length === 0 ? [] : ['', ...table(found.rows, screen)]),
  ]
    .map((line) => `${line}\n`)
    .join('')
}

const ID_COLUMNS = 28

function table(rows: readonly StatusRow[], { width, ink }: Screen): string[] {
  const wide = rows.map((row) => lineOf(row, '  '))
  // What a release is about has a line of its own where the terminal is too narrow for both.
  const isNarrow = width !== null && wide.some((line) => line.length > width)
  const lines = isNarrow
    ? rows.flatMap((row) =>
        lineOf(row, '\n    ')
          .split('\n')
          .flatMap((line) => folded(line, width, '    ')),
      )
    : wide
  return [ink.dim(`  ${'release'.padEnd(ID_COLUMNS)}  ${'age'.padStart(8)}`), ...lines]
}

function lineOf(row: StatusRow, between: string): string {
  const start = `${row.current ? '* ' : '  '}${row.id}  ${age(row.ageMs).padStart(8)}`
  if (row.problem !== null) return `${start}${between}${harmless(row.problem)}`
  const size = `${String(row.files).padStart(6)} files  ${showSize(row.bytes).padStart(10)}`
  return `${start}${between}${between === '  ' ? size : size.trim()}  ${aboutRow(row)}`
}

function aboutRow({ mapping, demo, closed, standby, replayLagMs, programVersion }: StatusRow): string {
  return [
    demo ? `${mapping} (invented numbers)` : mapping,
    ...(closed ? ['closed to visitors: empty'] : []),
    ...(replayLagMs !== null ? [`replay lag ${replayLagMs} ms`] : standby ? ['replay lag unknown'] : []),
    ...(programVersion === null ? [] : [`made by ${programVersion}`]),
  ].join(', ')
}
