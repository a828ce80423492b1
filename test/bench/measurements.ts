// Owns how measurements are taken, summed up and shown: median, least and most, and whether a goal is met.
import { readFileSync } from 'node:fs'

export interface Goal {
  readonly atMost?: number
  readonly atLeast?: number
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

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = (sorted.length - 1) / 2
  return ((sorted[Math.floor(middle)] ?? Number.NaN) + (sorted[Math.ceil(middle)] ?? Number.NaN)) / 2
}

/** Of what was measured in the same round: what disturbs the machine for longer than a round disturbs both. */
export function ratios(values: readonly number[], others: readonly number[]): number[] {
  return values.map((value, round) => value / (others[round] ?? Number.NaN))
}

function verdict(goal: Goal | undefined, value: number): string {
  if (goal === undefined) return ''
  const bound = goal.atMost === undefined ? `>= ${goal.atLeast}` : `<= ${goal.atMost}`
  const isMet = value <= (goal.atMost ?? Infinity) && value >= (goal.atLeast ?? -Infinity)
  return `${bound.padEnd(12)}${isMet ? 'met' : 'MISSED'}`
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

/** Every second round backwards, so that nobody is always measured right after the same neighbour. */
export async function alternate(rounds: number, works: readonly (() => Promise<void>)[]): Promise<void> {
  for (let round = 0; round < rounds; round++)
    for (const work of round % 2 === 0 ? works : [...works].reverse()) await work()
}

export function atMost(most: number | undefined): Pick<Row, 'goal'> {
  return most === undefined ? {} : { goal: { atMost: most } }
}

/** The processor time of those children of a process that have ended, theirs too; proc(5), fields 16 and 17, in ticks of 10 ms. */
export function childSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')
  return (Number(fields[13]) + Number(fields[14])) / 100
}
