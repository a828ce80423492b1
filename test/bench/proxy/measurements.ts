// Owns how measurements are summed up and shown: median, least and most, and whether a goal is met.

export interface Goal {
  readonly atMost?: number
  readonly atLeast?: number
  /** As it was promised, where that is a fraction. */
  readonly text?: string
}

export interface Row {
  readonly name: string
  readonly unit: string
  readonly values: readonly number[]
  readonly goal?: Goal
}

export interface Table {
  readonly title: string
  /** How it was measured, in one sentence. */
  readonly how: string
  readonly rows: readonly Row[]
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = (sorted.length - 1) / 2
  return ((sorted[Math.floor(middle)] ?? Number.NaN) + (sorted[Math.ceil(middle)] ?? Number.NaN)) / 2
}

/** Of what was measured in the same round: what disturbs the machine for longer than a round disturbs both. */
export function ratios(values: readonly number[], others: readonly number[]): number[] {
  return values.map((value, round) => value / (others[round] ?? Number.NaN))
}

export function isMet({ atMost = Infinity, atLeast = -Infinity }: Goal, value: number): boolean {
  return value <= atMost && value >= atLeast
}

function verdict(goal: Goal | undefined, value: number): string {
  if (goal === undefined) return ''
  const bound = goal.text ?? (goal.atMost === undefined ? `>= ${goal.atLeast}` : `<= ${goal.atMost}`)
  return `${bound.padEnd(12)}${isMet(goal, value) ? 'met' : 'MISSED'}`
}

function figure(value: number): string {
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : Math.abs(value) >= 0.1 ? 3 : 6
  return value.toFixed(digits).padStart(12)
}

export function shown({ title, how, rows }: Table): string {
  const width = Math.max(...rows.map(({ name, unit }) => name.length + unit.length + 2)) + 1
  const heads = ['median', 'min', 'max'].map((head) => head.padStart(12)).join('')
  const line = ({ name, unit, values, goal }: Row): string => {
    const middle = median(values)
    const cells = [middle, Math.min(...values), Math.max(...values)].map(figure).join('')
    return `${`${name}${unit === '' ? '' : `, ${unit}`}`.padEnd(width)}${cells}  ${verdict(goal, middle)}`.trimEnd()
  }
  return ['', `## ${title}`, how, '', `${''.padEnd(width)}${heads}  goal`, ...rows.map(line)].join('\n')
}
