// Owns cutting time into slices that no bucket and no window crosses, and finding the slices of a span again. Pure.
import { peopleBuckets, type PeopleTime } from '../../contract/people.ts'
import { BOUNDED_PERIODS, EDGES_MS, type Bucket } from '../../contract/windows.ts'

/**
 * Ascending edges; slice k (1-based, as width_bucket counts) is `[edges[k-1], edges[k])`, slice 0 everything before.
 */
export class TimeSlices {
  readonly edgesMs: readonly number[]
  readonly #sliceOfEdge: ReadonlyMap<number, number>

  /** @param buckets of every period; their edges and those of the windows are kept */
  constructor(asOfMs: number, buckets: readonly (readonly Bucket[])[]) {
    const edges = new Set(EDGES_MS.map((edgeMs) => asOfMs - edgeMs))
    for (const bucket of buckets.flat()) edges.add(bucket.fromMs).add(bucket.toMs)
    edges.delete(asOfMs)
    this.edgesMs = [...edges].sort((a, b) => a - b)
    this.#sliceOfEdge = new Map(this.edgesMs.map((edgeMs, i) => [edgeMs, i + 1]))
  }

  /** The slice that begins at an edge; one past the last for dataAsOf itself. */
  at(edgeMs: number): number {
    return this.#sliceOfEdge.get(edgeMs) ?? this.edgesMs.length + 1
  }

  /** For each of `slices` slices, from slice 0 on, the place of the bucket it lies in, -1 outside all of them. */
  bucketOfSlice(buckets: readonly Bucket[], slices: number): Int32Array {
    const found = new Int32Array(slices).fill(-1)
    for (const [i, bucket] of buckets.entries()) found.fill(i, this.at(bucket.fromMs), this.at(bucket.toMs))
    return found
  }
}

/** The buckets of hours and days, known before the earliest row is. */
export function fineBuckets(time: PeopleTime): Bucket[][] {
  return BOUNDED_PERIODS.map((period) => peopleBuckets(period, time, null))
}
