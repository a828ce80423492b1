// Owns the main measurement: a whole build, one without its website, and one without compression, against the floor on the
// same server.
import { alternate, atMost, ratios, type Row, type Table } from '../measurements.ts'
import type { Bench } from './cluster.ts'
import { floorSeconds } from './floor.ts'
import { measureBuild, type Build } from './measured-build.ts'

export async function measureAgainstFloor({ settings, cluster, base, dir }: Bench): Promise<Table> {
  const [floors, ofFloors, ofBuilds]: [number[], number[], number[]] = [[], [], []]
  const [builds, withoutSite, plain]: [Build[], Build[], Build[]] = [[], [], []]
  // Reads every table into the server's memory, where all that is measured finds it.
  await floorSeconds(cluster, base)
  await alternate(settings.rounds, [
    async () =>
      void ofFloors.push(await cluster.processorSeconds(async () => floors.push(await floorSeconds(cluster, base)))),
    async () =>
      void ofBuilds.push(await cluster.processorSeconds(async () => builds.push(await measureBuild(base, dir)))),
    async () => void withoutSite.push(await measureBuild(base, dir, 'withoutSite')),
    async () => void plain.push(await measureBuild(base, dir, 'uncompressed')),
  ])
  const temporary = await cluster.temporaryMib(base)
  const { receivedMib, backendMib } = await cluster.watched(base, (through) => measureBuild(through, dir))
  const temporaryMib = (await cluster.temporaryMib(base)) - temporary
  for (const { files } of plain)
    if (files >= (builds[0]?.files ?? 0)) throw new Error('the build without compression wrote siblings')
  const each = (list: readonly Build[], figure: keyof Build): number[] => list.map((build) => build[figure])
  const took = each(builds, 'seconds')
  const tookPlain = each(plain, 'seconds')
  const ratio = (name: string, values: readonly number[], others: readonly number[], most: number): Row => {
    return { name, unit: '', values: ratios(values, others), ...atMost(most) }
  }
  const counted = ['users', 'ideas', 'votes', 'comments', 'categories'].map(
    (table) => `${(base.rows[table] ?? 0).toLocaleString('en')} ${table}`,
  )
  return {
    title: `A build of ${counted.join(', ')}`,
    how: `floor: test/bench/floor.sql by psql; ${settings.rounds} alternating rounds, every ratio within its round; a build is the whole process, from start to exit`,
    rows: [
      { name: 'floor', unit: 's', values: floors },
      { name: 'build', unit: 's', values: took },
      { name: 'build --no-site', unit: 's', values: each(withoutSite, 'seconds') },
      { name: 'build without compression', unit: 's', values: tookPlain },
      ratio('build / floor', took, floors, 1.5),
      ratio('build / build --no-site', took, each(withoutSite, 'seconds'), 1.1),
      ratio('build without compression / floor', tookPlain, floors, 1.3),
      { name: 'processor time of the builder', unit: 's', values: each(builds, 'processorSeconds'), ...atMost(8) },
      { name: 'processor time of the server, floor', unit: 's', values: ofFloors },
      { name: 'processor time of the server, build', unit: 's', values: ofBuilds },
      ratio('processor time of the server, build / floor', ofBuilds, ofFloors, 0.5),
      { name: 'temporary files of a build', unit: 'MiB', values: [temporaryMib] },
      { name: 'sent by the server', unit: 'MiB', values: [receivedMib] },
      { name: 'peak anonymous memory of its backends', unit: 'MiB', values: [backendMib] },
      { name: 'peak resident memory', unit: 'MiB', values: each(builds, 'peakRssMib'), goal: { atMost: 250 } },
      { name: 'files', unit: '', values: each(builds, 'files') },
      { name: 'size', unit: 'MiB', values: each(builds, 'mib') },
    ],
  }
}
