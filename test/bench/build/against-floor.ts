// Owns the main measurement: a whole build, and one without compression, against the floor on the same server.
import { ratios } from '../proxy/measurements.ts'
import { factsSeconds, floorSeconds } from './floor.ts'
import { measureBuild, type Build } from './measured-build.ts'
import { alternate, releaseFolder, type Bench, type PartResult } from './part.ts'

export async function measureAgainstFloor(bench: Bench): Promise<PartResult> {
  const { settings, cluster, base } = bench
  const [floors, facts]: [number[], number[]] = [[], []]
  const [builds, plain]: [Build[], Build[]] = [[], []]
  const folder = releaseFolder(bench, 'release')
  // Reads every table into the server's memory, where all that is measured finds it.
  await floorSeconds(cluster, base)
  await alternate(settings.rounds, [
    async () => void floors.push(await floorSeconds(cluster, base)),
    async () => void builds.push(await measureBuild(base, folder)),
    async () => void plain.push(await measureBuild(base, folder, 'uncompressed')),
    async () => void facts.push(await factsSeconds(cluster, base)),
  ])
  for (const { files } of plain)
    if (files >= (builds[0]?.files ?? 0)) throw new Error('the build without compression wrote siblings')
  const each = (list: readonly Build[], figure: keyof Build): number[] => list.map((build) => build[figure])
  const took = each(builds, 'seconds')
  const tookPlain = each(plain, 'seconds')
  return {
    tables: [
      {
        title: `A build of ${describe(bench)}`,
        how: `floor: test/bench/floor.sql by psql; ${settings.rounds} alternating rounds, every ratio within its round; a build is the whole process, from start to exit`,
        rows: [
          { name: 'floor', unit: 's', values: floors },
          { name: 'facts query alone', unit: 's', values: facts },
          { name: 'build', unit: 's', values: took },
          { name: 'build without compression', unit: 's', values: tookPlain },
          { name: 'build / floor', unit: '', values: ratios(took, floors), goal: { atMost: 2 } },
          {
            name: 'build without compression / floor',
            unit: '',
            values: ratios(tookPlain, floors),
            // 1.4 was set for two sessions and no numbers over time.
            goal: { atMost: 1.75 },
          },
          { name: 'peak resident memory', unit: 'MiB', values: each(builds, 'peakRssMib'), goal: { atMost: 250 } },
          { name: 'files', unit: '', values: each(builds, 'files') },
          { name: 'size', unit: 'MiB', values: each(builds, 'mib') },
        ],
      },
    ],
    raw: { floors, facts, builds, plain },
  }
}

function describe({ base }: Bench): string {
  return ['users', 'ideas', 'votes', 'comments', 'categories']
    .map((table) => `${(base.rows[table] ?? 0).toLocaleString('en')} ${table}`)
    .join(', ')
}
