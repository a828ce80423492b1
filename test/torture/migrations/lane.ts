// Owns builds beside one platform, one after the other: for each which changes, at which pace, from where and with which
// mapping; and what must come of it.
import { mkdirSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Postgres } from '../../support/postgres.ts'
import { startRelay, type Relay } from '../../support/relay.ts'
import { KINDS } from './alterations.ts'
import { buildHere, buildProgram, FIRST_WAITS, mappingFiles, type Ended } from './builds.ts'
import type { MigrationCounts } from './counts.ts'
import type { Kind } from './kinds.ts'
import type { Span } from './ledger.ts'
import { Platform, type Pace } from './platform.ts'
import { faultOf, readPublished } from './verdict.ts'

const BUILDS = { here: buildHere, program: buildProgram }
type Where = keyof typeof BUILDS

/** How much later an answer of the server comes: a read of a database far away is longer, and changes meet all its parts. */
const DELAYS_MS = [0, 3, 8] as const
/** Of builds, the share that is made by the program, that publishes into an empty folder, that begins while the site is closed. */
const PROGRAM_SHARE = 0.1
const EMPTY_SHARE = 0.3
const CLOSED_SHARE = 0.1
/** Beside one kind of change only. */
const ALONE_SHARE = 0.15
/** Those that the fewest builds have met come next. */
const FIRST_OF = 3
const NEXT_OF = 12
/** A replaced release is kept for 15 minutes. */
const BUILDS_IN_A_FOLDER = 20
/** A build among so many is a long one. */
const RECENT = 5

type Rest = 'a build long' | 'shorter' | 'not at all'
/** The less it rests, the more kinds a build meets. The waits of the program are long. */
const RESTS: Readonly<Record<Where, readonly Rest[]>> = {
  here: ['a build long', 'shorter', 'not at all', 'not at all'],
  program: ['a build long', 'shorter'],
}

interface Plan {
  readonly where: Where
  readonly delayMs: number
  /** Of such a build that nothing happens to. */
  readonly lengthMs: number
  readonly rest: Rest
  /** A kind, and one of those that come after it. */
  readonly first: string
  readonly next: () => string
  /** Whether there is no release before. */
  readonly isEmpty: boolean
  readonly closed: boolean
  /** Ms until the platform begins, and until the build does. */
  readonly begins: { readonly platform: number; readonly build: number }
}

export interface LaneContext {
  readonly counts: MigrationCounts
  /** How long a build takes that nothing happens to, in ms; empty = it is measured. */
  readonly lengths: Map<string, number>
  readonly random: () => number
}

export class Lane {
  readonly #platform: Platform
  readonly #relay: Relay
  /** Of the relay. */
  readonly #delay: { ms: number }
  readonly #home: string
  readonly #context: LaneContext
  readonly #mappings: readonly string[]
  /** How long builds took of late: other work on the machine may make all of them longer. */
  readonly #recent: Record<Where, number[]> = { here: [], program: [] }
  #builds = 0

  private constructor(platform: Platform, relay: Relay, delay: { ms: number }, home: string, context: LaneContext) {
    this.#platform = platform
    this.#relay = relay
    this.#delay = delay
    this.#home = home
    this.#context = context
    this.#mappings = mappingFiles(home)
  }

  static async open(postgres: Postgres, home: string, context: LaneContext): Promise<Lane> {
    mkdirSync(home)
    const platform = await Platform.open(postgres, context.random)
    const delay = { ms: 0 }
    const relay = await startRelay(postgres.port, () => ({ delayMs: delay.ms }))
    const lane = new Lane(platform, relay, delay, home, context)
    if (context.lengths.size === 0) await lane.#measure()
    return lane
  }

  /** One build; a word for how it ended. @throws Error that says what must not be */
  async build(): Promise<string> {
    const plan = this.#draw()
    const snapshots = await this.#folderFor(plan)
    const ended = await this.#beside(plan, snapshots)
    const length = lastOf(ended).toMs - lastOf(ended).fromMs
    this.#recent[plan.where] = [...this.#recent[plan.where], length].slice(-RECENT)
    const faults = await this.#faultsOf(plan, ended, snapshots)
    if (faults.length > 0) throw new Error(`${faults.join('; ')} (${this.#aboutOf(plan, ended)})`)
    return ended.how === 'published' ? 'true' : ended.how
  }

  /** Transactions of the platform that were begun again, because it and a build waited for each other. */
  get deadlocks(): number {
    return this.#platform.deadlocks
  }

  async close(): Promise<void> {
    await this.#relay.close()
    await this.#platform.close()
  }

  /** Each kind of build, while nothing happens. */
  async #measure(): Promise<void> {
    const snapshots = join(this.#home, 'measured')
    const pairs = (['here', 'program'] as const).flatMap((where) => DELAYS_MS.map((delayMs) => ({ where, delayMs })))
    // The first one loads code.
    for (const pair of [...pairs.slice(0, 1), ...pairs]) {
      const { how, message, fromMs, toMs } = await this.#build(pair, snapshots)
      if (how !== 'published') throw new Error(`a build that nothing happens to: ${how}: ${message}`)
      const fault = faultOf(await readPublished(snapshots), this.#platform.ledger)
      if (fault !== null) throw new Error(`the release of a build that nothing happens to: ${fault}`)
      this.#context.lengths.set(keyOf(pair), toMs - fromMs)
    }
  }

  #draw(): Plan {
    const { random, counts, lengths } = this.#context
    const where = random() < PROGRAM_SHARE ? 'program' : 'here'
    const delayMs = this.#platform.choose(DELAYS_MS)
    const lengthMs = lengths.get(keyOf({ where, delayMs })) ?? 0
    const first = counts.least(random, FIRST_OF)
    const isAlone = random() < ALONE_SHARE
    const isPlatformFirst = random() < 0.75
    return {
      where,
      delayMs,
      lengthMs,
      rest: this.#platform.choose(RESTS[where]),
      first,
      next: () => (isAlone ? first : counts.least(random, NEXT_OF)),
      isEmpty: random() < EMPTY_SHARE,
      closed: random() < CLOSED_SHARE,
      begins: {
        platform: isPlatformFirst ? 0 : random() * lengthMs,
        build: isPlatformFirst ? random() * 0.6 * lengthMs : 0,
      },
    }
  }

  async #folderFor({ isEmpty }: Plan): Promise<string> {
    this.#builds += 1
    const nth = Math.floor(this.#builds / BUILDS_IN_A_FOLDER)
    for (const old of [`kept-${nth - 1}`, 'empty']) await rm(join(this.#home, old), { recursive: true, force: true })
    return join(this.#home, isEmpty ? 'empty' : `kept-${nth}`)
  }

  #build({ where, delayMs }: Pick<Plan, 'where' | 'delayMs'>, snapshots: string): Promise<Ended> {
    this.#delay.ms = delayMs
    const url = new URL(this.#platform.url)
    url.port = String(this.#relay.port)
    const form = this.#context.random() < 0.5 ? 'row' : 'no-row'
    return BUILDS[where]({ url: url.href, snapshots, mapping: this.#platform.choose(this.#mappings), form })
  }

  async #beside(plan: Plan, snapshots: string): Promise<Ended> {
    const platform = this.#platform
    let kind = kindCalled(plan.first)
    await platform.settle(plan.closed, kind.ready)
    const change = async (): Promise<void> => {
      const { name, harm, run } = kind
      await platform.as(name, harm, () => run(platform))
      kind = kindCalled(plan.next())
    }
    const pace = paceOf(plan, this.#recent[plan.where], this.#context.random)
    const changing = sleep(plan.begins.platform).then(() => platform.start(pace, change))
    try {
      await sleep(plan.begins.build)
      return await this.#build(plan, snapshots)
    } finally {
      await (
        await changing
      )()
    }
  }

  async #faultsOf(plan: Plan, ended: Ended, snapshots: string): Promise<string[]> {
    const { ledger } = this.#platform
    const fault = ended.how === 'published' ? faultOf(await readPublished(snapshots), ledger) : null
    const needless = this.#context.counts.add(ended, ledger, fault)
    const isReadable = ledger.statesIn(ended).every(({ contents }) => contents.readable)
    const mustPublish = plan.rest === 'a build long' && isReadable
    return [
      ...(fault === null ? [] : [fault]),
      ...needless,
      ...(mustPublish && ended.how !== 'published'
        ? [`${ended.how} though the platform rested: ${ended.message}`]
        : []),
    ]
  }

  #aboutOf({ where, delayMs, rest, isEmpty }: Plan, ended: Ended): string {
    const kinds = new Set(this.#platform.ledger.changesIn(lastOf(ended)).map(({ kind }) => kind))
    return [
      [...kinds].join(', ') || 'no change',
      `attempt ${ended.attempts.length}`,
      `${where}, +${delayMs} ms`,
      isEmpty ? 'no release before' : 'a release before',
      `rests ${rest}`,
    ].join('; ')
  }
}

const keyOf = ({ where, delayMs }: Pick<Plan, 'where' | 'delayMs'>): string => `${where} +${delayMs} ms`

const lastOf = (ended: Ended): Span => ended.attempts.at(-1) ?? ended

function kindCalled(name: string): Kind {
  const kind = KINDS.find((one) => one.name === name)
  if (kind === undefined) throw new Error(`no kind of change is called "${name}"`)
  return kind
}

/** A rest that is a build long has room for the wait before a new attempt, and for one of those that were long of late. */
function paceOf({ where, rest, lengthMs }: Plan, recent: readonly number[], random: () => number): Pace {
  const rests: Readonly<Record<Rest, () => number>> = {
    'a build long': () => FIRST_WAITS[where] + Math.max(2 * lengthMs, ...recent),
    shorter: () => random() * lengthMs,
    'not at all': () => 0,
  }
  return { hold: () => (random() < 1 / 3 ? 0 : random() * 1.5 * lengthMs), rest: rests[rest] }
}
