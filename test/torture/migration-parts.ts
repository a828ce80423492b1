// Owns the torture by changes of the platform: how many builds, and the bounds that all of them together must keep.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { randomStream } from '../../src/demo/random.ts'
import { startPostgres } from '../support/postgres.ts'
import { KINDS } from './migrations/alterations.ts'
import { MigrationCounts } from './migrations/counts.ts'
import { Lane } from './migrations/lane.ts'
import { tallyOf, times, type Attempt, type Part, type Share } from './tally.ts'

const BUILDS = 500
/** Of the builds, those that each kind meets at least: 20 of 500. */
const LEAST_SHARE = 1 / 25
/** More builds where chance left a kind out. */
const MOST_SHARE = 1.5
/** Of fewer, half may end without a release by chance. */
const JUDGED = 40
/** Most of the time each waits. */
const LANES = 3

export const MIGRATION_PARTS: Readonly<Record<string, Part<Share>>> = {
  migrations: {
    guarantee: 'a release is true or absent',
    injected: 'a platform that reloads, rewrites, swaps, refreshes, attaches and alters all the time',
    async run(share) {
      const home = mkdtempSync(join(tmpdir(), 'torture-migrations-'))
      const postgres = await startPostgres({ deadlock_timeout: '200ms', autovacuum: 'off' })
      const counts = new MigrationCounts(KINDS)
      const lanes: Lane[] = []
      try {
        const lengths = new Map<string, number>()
        for (let i = 0; i < LANES; i++) {
          const context = { counts, lengths, random: streamOf(share.random, i) }
          lanes.push(await Lane.open(postgres, join(home, `lane-${i}`), context))
        }
        const builds = times(BUILDS, share)
        const tally = await tallyOf(buildsIn(lanes, counts, builds), share.signal, LANES)
        const losses = share.signal.aborted ? [] : brokenBounds(counts, builds)
        const deadlocks = lanes.reduce((sum, lane) => sum + lane.deadlocks, 0)
        const table = [
          ...counts.table(),
          `  ${deadlocks} transactions of the platform were begun again after a deadlock with a build`,
        ]
        return { ...tally, losses: [...tally.losses, ...losses], table }
      } finally {
        for (const lane of lanes) await lane.close()
        await postgres.stop()
        rmSync(home, { recursive: true, force: true })
      }
    },
  },
}

/** Its own for each lane: which of two asks first is no matter of the seed. */
const streamOf = (random: () => number, lane: number): (() => number) =>
  randomStream(Math.floor(random() * 2 ** 31), `lane ${lane}`)

const leastMet = (counts: MigrationCounts): number => Math.min(...KINDS.map(({ name }) => counts.metBy(name)))
const bound = (builds: number): number => Math.floor(builds * LEAST_SHARE)

function* buildsIn(lanes: readonly Lane[], counts: MigrationCounts, builds: number): Generator<Attempt> {
  const free = [...lanes]
  for (let i = 0; i < builds || (i < builds * MOST_SHARE && leastMet(counts) < bound(builds)); i++)
    yield {
      what: `build ${i + 1}`,
      async run() {
        const lane = free.pop()
        if (lane === undefined) throw new Error('more builds at once than platforms')
        try {
          return await lane.build()
        } finally {
          free.push(lane)
        }
      },
    }
}

function brokenBounds(counts: MigrationCounts, builds: number): string[] {
  const { met, published } = counts.all
  const rare = KINDS.filter(({ name }) => counts.metBy(name) < bound(builds))
  return [
    ...rare.map(({ name }) => `only ${counts.metBy(name)} builds met: ${name}`),
    ...(met >= JUDGED && published < met / 2 ? [`only ${published} of ${met} builds published`] : []),
  ]
}
