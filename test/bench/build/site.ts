// Owns what the website of a release costs: the same build with it and with --no-site.
import { ratios } from '../proxy/measurements.ts'
import { measureBuild, type Build } from './measured-build.ts'
import { alternate, releaseFolder, type Bench, type PartResult } from './part.ts'

export async function measureSite(bench: Bench): Promise<PartResult> {
  const { settings, base } = bench
  const [builds, plain]: [Build[], Build[]] = [[], []]
  const folder = releaseFolder(bench, 'release')
  // Reads every table into the server's memory, where all that is measured finds it.
  await measureBuild(base, folder, 'withoutSite')
  await alternate(settings.rounds, [
    async () => void builds.push(await measureBuild(base, folder)),
    async () => void plain.push(await measureBuild(base, folder, 'withoutSite')),
  ])
  const each = (list: readonly Build[], figure: keyof Build): number[] => list.map((build) => build[figure])
  const more = each(builds, 'listed').map((files, i) => files - (plain[i]?.listed ?? 0))
  return {
    tables: [
      {
        title: 'A release with its website, against the data only',
        how: `${settings.rounds} alternating rounds, every ratio within its round; a build is the whole process, from start to exit`,
        rows: [
          { name: 'build', unit: 's', values: each(builds, 'seconds') },
          { name: 'build --no-site', unit: 's', values: each(plain, 'seconds') },
          {
            name: 'with / without',
            unit: '',
            values: ratios(each(builds, 'seconds'), each(plain, 'seconds')),
            goal: { atMost: 1.1 },
          },
          { name: 'files in the manifest more', unit: '', values: more, goal: { atMost: 100 } },
          { name: 'peak resident memory', unit: 'MiB', values: each(builds, 'peakRssMib') },
          { name: 'peak resident memory, --no-site', unit: 'MiB', values: each(plain, 'peakRssMib') },
          { name: 'size', unit: 'MiB', values: each(builds, 'mib') },
          { name: 'size, --no-site', unit: 'MiB', values: each(plain, 'mib') },
        ],
      },
    ],
    raw: { builds, plain },
  }
}
