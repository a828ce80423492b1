// Owns the tortures of the way to the database: which guarantee, how the fault is injected, how often in full.
import { buildsBesideWriter, bytesOfABuild, cutsAtRandom } from './database-cuts.ts'
import { withScene } from './database-scene.ts'
import { tallyOf, times, type Part, type Share } from './tally.ts'

const POINTS = 50
const BUILDS = 100
const MIN_WRITES_PER_SECOND = 500

export const DATABASE_PARTS: Readonly<Record<string, Part<Share>>> = {
  'database-cut': {
    guarantee: 'the way to the database cut at random bytes',
    injected: 'a TCP relay; during writes',
    run: (share) =>
      withScene(async (scene) => {
        const bytes = await bytesOfABuild(scene)
        return tallyOf(cutsAtRandom(scene, times(POINTS, share), bytes, share.random), share.signal)
      }),
  },
  'database-writer': {
    guarantee: 'every release of one instant',
    injected: 'a writer of ten row changes a transaction, all the time',
    run: (share) =>
      withScene(async (scene, writer) => {
        const tally = await tallyOf(buildsBesideWriter(scene, times(BUILDS, share)), share.signal, 1)
        const perSecond = Math.round(await writer.perSecond())
        const words = new Map([...tally.words, ['writes a second', perSecond]] as const)
        const losses = perSecond < MIN_WRITES_PER_SECOND ? [`only ${perSecond} writes a second`] : []
        return { ...tally, losses: [...tally.losses, ...losses], words }
      }),
  },
}
