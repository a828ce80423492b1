// Owns the tortures of the way to the database: which guarantee, how the fault is injected, how often in full.
import { buildsBesideWriter, bytesOfABuild, cutsAtRandom, slowNetworks, type Scene } from './database-cuts.ts'
import { withScene } from './database-scene.ts'
import { sumOf, tallyOf, times, type Part, type Share, type Tally } from './tally.ts'

const POINTS = 50
const BUILDS = 100
const MIN_WRITES_PER_SECOND = 500

export const DATABASE_PARTS: Readonly<Record<string, Part<Share>>> = {
  'database-cut': {
    guarantee: 'the way to the database cut at random bytes, and slow',
    injected: 'a TCP relay; during writes',
    run: (share) => withScene((scene) => brokenWays(scene, share)),
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

async function brokenWays(scene: Scene, share: Share): Promise<Tally> {
  const { random, signal } = share
  const bytes = await bytesOfABuild(scene)
  return sumOf([
    await tallyOf(cutsAtRandom(scene, times(POINTS, share), bytes, random), signal),
    await tallyOf(slowNetworks(scene, bytes), signal),
  ])
}
