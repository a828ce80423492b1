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

interface Row {
  readonly label: string
  readonly has: string
  /** Empty where nothing is known of it. */
  readonly change: string
  readonly names: string
}

/** Labels and values, of which the numbers are aligned. */
export function countedLines(manifest: Manifest, changes: Changes | null): [string, string][] {
  const bytes = totalBytes(manifest.files)
  const rows: Row[] = [
    ...LABELS.map(([key, label]) => totalRow(key, label, manifest.rows[key], changes)),
    rowOf('files', count(manifest.files.length), changes?.files ?? null, count),
    rowOf('size', showSize(bytes), changes?.bytes ?? null, showSize),
  ]
  const hasColumns = Math.max(...rows.map(({ has }) => has.length))
  const changeColumns = Math.max(...rows.map(({ change }) => change.length))
  return rows.map(({ label, has, change, names }) => {
    const cells = [has.padStart(hasColumns), changes === null ? '' : change.padStart(changeColumns), names]
    return [label, cells.join('  ').trimEnd()]
  })
}

function totalRow(key: keyof ManifestTotals, label: string, has: number | null, changes: Changes | null): Row {
  const change = changes?.rows[key] ?? null
  const names = key === 'categories' && changes !== null ? namesText(changes.categories) : ''
  return rowOf(label, countOrDash(has), change, count, names)
}

function rowOf(label: string, has: string, change: number | null, show: (n: number) => string, names = ''): Row {
  const sign = (n: number): string => `${n > 0 ? '+' : '-'}${show(Math.abs(n))}`
  return { label, has, change: change === null ? '' : change === 0 ? 'same' : sign(change), names }
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
