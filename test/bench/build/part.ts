// Owns what a part of the build's benchmark is given and what it gives back.
import { join } from 'node:path'
import type { Table } from '../proxy/measurements.ts'
import type { Cluster, Dataset } from './cluster.ts'
import type { Settings } from './settings.ts'

export interface Bench {
  readonly settings: Settings
  readonly cluster: Cluster
  /** The platform at the scale of the settings, in 200 categories. */
  readonly base: Dataset
  /** An empty folder for releases and other files. */
  readonly dir: string
}

export interface PartResult {
  readonly tables: readonly Table[]
  /** Every round's values. */
  readonly raw: unknown
}

export type Part = (bench: Bench) => Promise<PartResult>

/** Every second round backwards, so that nobody is always measured right after the same neighbour. */
export async function alternate(rounds: number, works: readonly (() => Promise<void>)[]): Promise<void> {
  for (let round = 0; round < rounds; round++)
    for (const work of round % 2 === 0 ? works : [...works].reverse()) await work()
}

export function releaseFolder({ dir }: Bench, name: string): string {
  return join(dir, name)
}
