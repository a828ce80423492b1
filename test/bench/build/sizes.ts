// Owns how a build grows: with four times the rows, and with more categories, each against the base in the same round.
import { alternate, atMost, ratios, type Row, type Table } from '../measurements.ts'
import type { Bench, Dataset } from './cluster.ts'
import { floorSeconds } from './floor.ts'
import { measureBuild, type Build } from './measured-build.ts'

interface Side {
  readonly floors: number[]
  readonly builds: Build[]
}

export async function measureLarger(bench: Bench): Promise<Table> {
  const { settings, cluster } = bench
  const times = settings.larger
  const larger = await cluster.create('larger', settings, settings.scale * times)
  const [one, other] = await beside(bench, larger)
  const [before, after] = [ratios(seconds(one), one.floors), ratios(seconds(other), other.floors)]
  return table(bench, `${times} times the rows`, [
    { name: 'floor', unit: 's', values: one.floors },
    { name: `floor, ${times}×`, unit: 's', values: other.floors },
    ...sizeRows('', one.builds),
    ...sizeRows(`, ${times}×`, other.builds),
    { name: 'build / floor', unit: '', values: before },
    { name: `build / floor, ${times}×`, unit: '', values: after, goal: { atMost: 2 } },
    { name: 'the one against the other: not growing', unit: '', values: ratios(after, before), goal: { atMost: 1 } },
    { name: 'peak resident memory against 1×', unit: '', values: peaks(other, one), goal: { atMost: 1.2 } },
  ])
}

interface CategoryGoals {
  readonly time?: number
  readonly timePerByte?: number
  readonly peakMib?: number
}

/** @param count how many categories, in place of the base's */
export async function measureCategories(bench: Bench, count: number, goals: CategoryGoals): Promise<Table> {
  const many = await bench.cluster.recategorise('many', bench.base, count)
  const [one, other] = await beside(bench, many)
  const perMib = ({ builds }: Side): number[] => builds.map((build) => build.seconds / build.mib)
  const label = `, ${count.toLocaleString('en')} categories`
  const perByte = ratios(perMib(other), perMib(one))
  return table(bench, `${count.toLocaleString('en')} categories against ${bench.settings.categories}`, [
    ...sizeRows('', one.builds),
    ...sizeRows(label, other.builds, goals.peakMib),
    { name: 'time', unit: '', values: ratios(seconds(other), seconds(one)), ...atMost(goals.time) },
    { name: 'time per byte written', unit: '', values: perByte, ...atMost(goals.timePerByte) },
  ])
}

/** Alternating with the base; the other data set is dropped when it is measured. */
async function beside(bench: Bench, dataset: Dataset): Promise<[Side, Side]> {
  const { cluster, base, settings } = bench
  const sides: [Side, Side] = [
    { floors: [], builds: [] },
    { floors: [], builds: [] },
  ]
  const work = (one: Dataset, side: Side) => async (): Promise<void> => {
    side.floors.push(await floorSeconds(cluster, one))
    side.builds.push(await measureBuild(one, bench.dir))
  }
  // Into the server's memory, as far as it goes.
  await floorSeconds(cluster, base)
  await floorSeconds(cluster, dataset)
  await alternate(settings.longRounds, [work(base, sides[0]), work(dataset, sides[1])])
  await cluster.drop(dataset.name)
  return sides
}

function seconds({ builds }: Side): number[] {
  return builds.map((build) => build.seconds)
}

function peaks(side: Side, other: Side): number[] {
  const mib = ({ builds }: Side): number[] => builds.map((build) => build.peakRssMib)
  return ratios(mib(side), mib(other))
}

function sizeRows(label: string, builds: readonly Build[], mostMib?: number): Row[] {
  const each = (figure: keyof Build): number[] => builds.map((build) => build[figure])
  return [
    { name: `build${label}`, unit: 's', values: each('seconds') },
    {
      name: `peak resident memory${label}`,
      unit: 'MiB',
      values: each('peakRssMib'),
      ...atMost(mostMib),
    },
    { name: `files${label}`, unit: '', values: each('files') },
    { name: `size${label}`, unit: 'MiB', values: each('mib') },
  ]
}

function table({ settings }: Bench, title: string, rows: readonly Row[]): Table {
  const how = `${settings.longRounds} alternating rounds of floor and build on each data set, every ratio within its round`
  return { title, how, rows }
}
