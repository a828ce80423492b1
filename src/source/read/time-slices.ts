// Owns cutting time into cells that no bucket and no window crosses, and finding the cells of a span again. Pure.
import { BOUNDED_PERIODS, bucketsOf, EDGES_MS, type Bucket } from '../../contract/windows.ts'

/**
 * Ascending edges; cell k (1-based, as width_bucket counts) is `[edges[k-1], edges[k])`, cell 0 everything before.
 */
export class Cells {
  readonly edgesMs: readonly number[]
  readonly #cellOfEdge: ReadonlyMap<number, number>

  /** @param buckets of every period; their edges and those of the windows are kept */
  constructor(asOfMs: number, buckets: readonly (readonly Bucket[])[]) {
    const edges = new Set(EDGES_MS.map((edgeMs) => asOfMs - edgeMs))
    for (const bucket of buckets.flat()) edges.add(bucket.fromMs).add(bucket.toMs)
    edges.delete(asOfMs)
    this.edgesMs = [...edges].sort((a, b) => a - b)
    this.#cellOfEdge = new Map(this.edgesMs.map((edgeMs, i) => [edgeMs, i + 1]))
  }

  /** The cell that begins at an edge; one past the last for dataAsOf itself. */
  at(edgeMs: number): number {
    return this.#cellOfEdge.get(edgeMs) ?? this.edgesMs.length + 1
  }

  /** For each of `cells` cells, from cell 0 on, the place of the bucket it lies in, -1 outside all of them. */
  bucketOfCell(buckets: readonly Bucket[], cells: number): Int32Array {
    const found = new Int32Array(cells).fill(-1)
    for (const [i, bucket] of buckets.entries()) found.fill(i, this.at(bucket.fromMs), this.at(bucket.toMs))
    return found
  }
}

/** The buckets of hours and days, known before the earliest row is. */
export function fineBuckets(asOfMs: number): Bucket[][] {
  return BOUNDED_PERIODS.map((period) => bucketsOf(period, asOfMs, null))
}
