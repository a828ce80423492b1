// Owns what became of the builds that met each kind of change, and its table. Runs nothing.
import type { Attempt, Ended } from './builds.ts'
import type { Kind } from './kinds.ts'
import type { Change, Ledger } from './ledger.ts'

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
  /** Attempts that were given up, by their reason without names and numbers. */
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
   * @returns what must not be: an attempt that was given up beside changes that harm nobody
   */
  add(ended: Ended, ledger: Ledger, isWrong: boolean): string[] {
    const again = ended.attempts.filter(({ why }) => why !== null)
    const kindsOf = (attempts: readonly Attempt[]): Set<string> =>
      new Set(attempts.flatMap((attempt) => ledger.changesIn(attempt).map(({ kind }) => kind)))
    const needless = again.filter((attempt) => isFor(ledger.changesIn(attempt), attempt, 'looks harmful'))
    const [retried, forNothing] = [kindsOf(again), kindsOf(needless)]
    for (const counts of [this.all, ...this.#of(kindsOf(ended.attempts))]) {
      counts.met += 1
      counts[isWrong ? 'wrong' : endOf(ended)] += 1
    }
    for (const counts of this.#of(retried)) counts.retried += 1
    for (const counts of this.#of(forNothing)) counts.retriedForNothing += 1
    this.all.retried += again.length > 0 ? 1 : 0
    this.all.retriedForNothing += needless.length > 0 ? 1 : 0
    const whys = again.map(({ why }) => why ?? '')
    for (const why of ended.how === 'published' ? whys : [...whys, ended.message]) this.#note(why)
    return again
      .filter((attempt) => isFor(ledger.changesIn(attempt), attempt, 'none'))
      .map((attempt) => `it began again beside ${[...kindsOf([attempt])].join(', ') || 'nothing'}: ${attempt.why}`)
  }

  #of(kinds: ReadonlySet<string>): Counts[] {
    return [...this.#kinds].filter(([name]) => kinds.has(name)).map(([, counts]) => counts)
  }

  #note(why: string): void {
    const reason = why
      .replace(/; trying again$/, '')
      .replaceAll(/"[^"]*"|\d+|\b(?:site|attic|waiting|next|gone)\.\w+/g, '…')
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

/** Whether no worse change than these met an attempt, and one of these did; of `none` also where nothing did. */
function isFor(changes: readonly Change[], { why }: Attempt, worst: 'looks harmful' | 'none'): boolean {
  if (LOCKS.test(why ?? '') || changes.some(({ harm }) => harm === 'harmful')) return false
  return worst === 'looks harmful' || changes.every(({ harm }) => harm === 'none')
}
