// Owns what became of the builds that met each kind of change, and its table. Runs nothing.
import type { Attempt, Ended } from './builds.ts'
import type { Kind } from './kinds.ts'
import type { Change, Harm, Ledger } from './ledger.ts'

/** Of the builds that met a kind. */
interface Counts {
  met: number
  /** An attempt that met it was given up and begun again. */
  retried: number
  /** It read right, and what was seen of it made a build begin again. */
  retriedForNothing: number
  published: number
  gaveUp: number
  failedAtOnce: number
  refused: number
  wrong: number
}

const NONE: Counts = {
  met: 0,
  retried: 0,
  retriedForNothing: 0,
  published: 0,
  gaveUp: 0,
  failedAtOnce: 0,
  refused: 0,
  wrong: 0,
}
const COLUMNS: readonly (readonly [keyof Counts, string])[] = [
  ['met', 'met'],
  ['retried', 'retried'],
  ['retriedForNothing', 'for nothing'],
  ['published', 'true'],
  ['gaveUp', 'gave up'],
  ['failedAtOnce', 'failed at once'],
  ['refused', 'refused'],
  ['wrong', 'WRONG'],
]

/** Who waits for a lock begins again, too: that says nothing of what it has read. */
const LOCKS = /SQLSTATE (?:40P01|55P03)/

export class MigrationCounts {
  readonly #kinds: Map<string, Counts>
  readonly all: Counts = { ...NONE }
  /** Attempts that were given up, and wrong releases, by their reason without names and numbers. */
  readonly reasons: Map<string, number> = new Map()

  constructor(kinds: readonly Kind[]) {
    this.#kinds = new Map(kinds.map(({ name }) => [name, { ...NONE }]))
  }

  metBy(kind: string): number {
    return this.#kinds.get(kind)?.met ?? 0
  }

  /** The kind that the fewest builds met. */
  least(random: () => number, of = 1): string {
    const names = [...this.#kinds].map(([name, { met }]) => ({ name, met, tie: random() }))
    names.sort((a, b) => a.met - b.met || a.tie - b.tie)
    return names[Math.floor(random() * of)]?.name ?? ''
  }

  /**
   * Of several changes at once those are held responsible that harm most.
   * @returns what must not be: an attempt that was given up beside changes that harm nobody
   */
  add(ended: Ended, ledger: Ledger, fault: string | null): string[] {
    const isWrong = fault !== null
    const changesIn = (attempts: readonly Attempt[]): Change[] => attempts.flatMap(ledger.changesIn)
    const again = ended.attempts.filter(({ why }) => why !== null)
    const forNothing = again.filter((attempt) => isBeside(attempt, ledger, ['looks harmful', 'none']))
    const end = isWrong ? 'wrong' : endOf(ended)
    const isOfLast = this.#of(worst(changesIn(ended.attempts.slice(-1))))
    for (const counts of this.#of(changesIn(ended.attempts))) {
      counts.met += 1
      if (!isWrong || isOfLast.includes(counts)) counts[end] += 1
    }
    for (const counts of this.#of(again.flatMap((attempt) => worst(ledger.changesIn(attempt))))) counts.retried += 1
    for (const counts of this.#of(changesIn(forNothing))) counts.retriedForNothing += 1
    this.all.met += 1
    this.all[end] += 1
    this.all.retried += again.length > 0 ? 1 : 0
    this.all.retriedForNothing += forNothing.length > 0 ? 1 : 0
    const whys = again.map(({ why }) => why ?? '')
    for (const why of ended.how === 'published' ? whys : [...whys, ended.message]) this.#note(why)
    if (isWrong) this.#note(`WRONG: ${fault.split(/[,:(]/)[0]?.trim()}`)
    return again
      .filter((attempt) => isBeside(attempt, ledger, ['none']))
      .map((attempt) => `an attempt was given up beside what harms nobody: ${attempt.why}`)
  }

  #of(changes: readonly Change[]): Counts[] {
    const kinds = new Set(changes.map(({ kind }) => kind))
    return [...this.#kinds].filter(([name]) => kinds.has(name)).map(([, counts]) => counts)
  }

  #note(why: string): void {
    const reason = why
      .replace(/; trying again$/, '')
      .replaceAll(/"[^"]*"|(?<!SQLSTATE |\w)\d+\b|\b(?:site|attic|waiting|next|gone)\.\w+|\/\S+/g, '…')
    this.reasons.set(reason, (this.reasons.get(reason) ?? 0) + 1)
  }

  table(): string[] {
    const rows = [...this.#kinds, ['all builds', this.all] as const]
    const width = Math.max(...rows.map(([name]) => name.length))
    const line = (name: string, cells: readonly string[]): string => `  ${name.padEnd(width)} ${cells.join(' ')}`
    const cell = (text: string, [, title]: (typeof COLUMNS)[number]): string => text.padStart(title.length)
    const head = line(
      '',
      COLUMNS.map((column) => cell(column[1], column)),
    )
    const body = rows.map(([name, counts]) =>
      line(
        name,
        COLUMNS.map((column) => cell(String(counts[column[0]]), column)),
      ),
    )
    const why = [...this.reasons].sort(([, a], [, b]) => b - a).map(([reason, n]) => `  ${n} times: ${reason}`)
    return [head, ...body, ...why]
  }
}

function endOf({ how, attempts }: Ended): 'published' | 'refused' | 'gaveUp' | 'failedAtOnce' {
  if (how !== 'failed') return how
  return attempts.length > 1 ? 'gaveUp' : 'failedAtOnce'
}

function worst(changes: readonly Change[]): Change[] {
  const harm = (['harmful', 'looks harmful'] as const).find((one) => changes.some((change) => change.harm === one))
  return changes.filter((change) => change.harm === (harm ?? 'none'))
}

/** Whether all changes that an attempt met are such ones, and neither a lock nor a state without a column is the reason. */
function isBeside(attempt: Attempt, ledger: Ledger, harms: readonly Harm[]): boolean {
  const isReadable = ledger.statesIn(attempt).every(({ contents }) => contents.readable)
  if (LOCKS.test(attempt.why ?? '') || !isReadable) return false
  return ledger.changesIn(attempt).every(({ harm }) => harms.includes(harm))
}
