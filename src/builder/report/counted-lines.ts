// Owns the table of what a release has, and how much more or less that is than in the one before. Pure text.
import { count, countOrDash, short, some } from '../../process/printable.ts'
import { showSize } from '../../process/value-syntax.ts'
import { totalBytes, type Manifest, type ManifestTotals } from '../../release/format/manifest.ts'
import type { Changes } from '../past/changes.ts'

const LABELS: readonly (readonly [keyof ManifestTotals, string])[] = [
  ['users', 'users'],
  ['ideas', 'ideas'],
  ['launchedIdeas', 'launched'],
  ['votes', 'votes'],
  ['comments', 'comments'],
  ['categories', 'categories'],
]

const NAMES_SHOWN = 3
const NAME_COLUMNS = 24

/** Labels and values, of which the numbers are aligned. */
export function countedLines({ rows, files }: Manifest, changes: Changes | null): [string, string][] {
  const lines = [
    ...LABELS.map(([key, label]) => [label, countOrDash(rows[key]), changeText(changes?.rows[key], count)] as const),
    ['files', count(files.length), changeText(changes?.files, count)] as const,
    ['size', showSize(totalBytes(files)), changeText(changes?.bytes, showSize)] as const,
  ]
  const hasColumns = Math.max(...lines.map(([, has]) => has.length))
  const changeColumns = changes === null ? 0 : Math.max(...lines.map(([, , change]) => change.length))
  return lines.map(([label, has, change]) => {
    const names = label === 'categories' && changes !== null ? namesText(changes.categories) : ''
    return [label, [has.padStart(hasColumns), change.padStart(changeColumns), names].join('  ').trimEnd()]
  })
}

/** Empty where nothing is known of it. */
function changeText(change: number | null | undefined, show: (n: number) => string): string {
  if (change == null) return ''
  return change === 0 ? 'same' : `${change > 0 ? '+' : '-'}${show(Math.abs(change))}`
}

function namesText({ added, removed }: Changes['categories']): string {
  const list = (names: readonly string[]): string =>
    some(
      names.map((name) => short(name, NAME_COLUMNS)),
      NAMES_SHOWN,
    )
  return [
    ...(added.length > 0 ? [`new: ${list(added)}`] : []),
    ...(removed.length > 0 ? [`gone: ${list(removed)}`] : []),
  ].join('; ')
}
