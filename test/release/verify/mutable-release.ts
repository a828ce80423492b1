// A whole release whose documents a test changes as a wrong program would have written them: judged by the gate from what
// was reported, and by `verify` from the files.
import { cp, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { EXPORT_COLUMNS } from '../../../src/contract/columns.ts'
import { csvHeader, csvOf } from '../../../src/contract/csv-text.ts'
import { categoryKey } from '../../../src/contract/category-name.ts'
import type { Combination } from '../../../src/contract/kinds/register.ts'
import type { ExportRow } from '../../../src/contract/kinds/tables.ts'
import { combinationAt } from '../../../src/contract/snapshot-paths.ts'
import type { IdeaFacts } from '../../../src/model/facts.ts'
import { timeZoneOf } from '../../../src/contract/time-zone.ts'
import type { Period } from '../../../src/contract/windows.ts'
import { ReportedTotals } from '../../../src/release/checks/reported-totals.ts'
import type { Manifest } from '../../../src/release/format/manifest.ts'
import { AS_OF_MS, promoteSample } from '../sample-release.ts'
import { takeDocument } from '../take-document.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { Patient } from './patient.ts'

export type Row = Record<string, string | number | null>
export type Counts = Record<string, unknown>
export interface Timeline {
  count: number
  period: string
  interval: string
  category: string | null
  from: string | null
  to: string
  readonly buckets: (Counts & { bucket: string })[]
  readonly undated: Counts
}
export interface Outcomes {
  category: string | null
  readonly statuses: Row[]
  readonly launched: Row
  readonly cohorts: Row[]
  readonly firstYear: Row
  readonly years: Row[]
}
type Document = Record<string, unknown>

export class MutableRelease {
  manifest: Manifest
  /** Ideas with several categories; null = not known. */
  sharedIdeas: number | null
  readonly #snapshots: string
  readonly #texts: ReadonlyMap<string, string>
  readonly #documents: Map<string, Document>

  private constructor(
    snapshots: string,
    manifest: Manifest,
    texts: ReadonlyMap<string, string>,
    sharedIdeas: number | null,
  ) {
    this.#snapshots = snapshots
    this.manifest = manifest
    this.#texts = texts
    this.#documents = new Map(Array.from(texts, ([path, text]) => [path, JSON.parse(text) as Document]))
    this.sharedIdeas = sharedIdeas
  }

  /**
   * @param snapshots an empty folder
   * @param ideas undefined = the two of the sample, of which one has two categories
   */
  static async of(snapshots: string, ideas?: readonly IdeaFacts[]): Promise<MutableRelease> {
    const manifest = await promoteSample(snapshots, AS_OF_MS, ideas)
    const paths = manifest.files.map(({ path }) => path).filter((path) => path.endsWith('.json'))
    const texts = await Promise.all(
      paths.map(
        async (path) => [path, await readFile(join(snapshots, 'releases', manifest.id, path), 'utf8')] as const,
      ),
    )
    const shared = ideas === undefined ? 1 : ideas.filter(({ categories }) => categories.length > 1).length
    return new MutableRelease(snapshots, manifest, new Map(texts), shared)
  }

  /** @param without documents that were not read */
  copy(without: (path: string) => boolean = () => false): MutableRelease {
    const texts = new Map([...this.#texts].filter(([path]) => !without(path)))
    return new MutableRelease(this.#snapshots, this.manifest, texts, this.sharedIdeas)
  }

  get paths(): string[] {
    return [...this.#documents.keys()]
  }

  timeline(span: string): Timeline {
    return this.at(`analytics/timeline/${span}.json`) as unknown as Timeline
  }

  outcomes(): Outcomes {
    return this.at('analytics/outcomes.json') as unknown as Outcomes
  }

  category(name: string): { timelines: Record<Period, Timeline>; outcomes: Outcomes } {
    return this.at(`analytics/category/${categoryKey(name)}.json`) as never
  }

  categories(period: Period): Row[] {
    return this.at(`analytics/categories/${period}.json`)['categories'] as Row[]
  }

  /** Of an export, by its type and the name of its span. */
  rows(type: string, span: string): Row[] {
    return this.at(`analytics/export/${type}/${span}.json`)['data'] as Row[]
  }

  /** The row of a metric in the overview. */
  metric(period: Period, name: string): Row {
    const row = this.rows('overview', period).find(({ metric }) => metric === name)
    if (row === undefined) throw new Error(`no ${name}`)
    return row
  }

  at(path: string): Document {
    const document = this.#documents.get(path)
    if (document === undefined) throw new Error(`no ${path}`)
    return document
  }

  /** @param read the paths of the documents that are reported, in their order */
  gate(
    manifest: Partial<Manifest> = {},
    read: (paths: readonly string[]) => readonly string[] = (paths) => paths,
  ): string[] {
    const reported = new ReportedTotals('exact', timeZoneOf({ ...this.manifest, ...manifest }.options))
    reported.sharedIdeas = this.sharedIdeas
    for (const path of read(this.paths)) takeDocument(reported, this.#combination(path), this.at(path))
    return reported.faults({ ...this.manifest, ...manifest })
  }

  async verify(): Promise<readonly string[]> {
    const snapshots = temporaryFolder()
    await cp(this.#snapshots, snapshots, { recursive: true })
    const patient = new Patient(snapshots, this.manifest)
    const write = async (path: string, text: string, rows: number | undefined): Promise<void> => {
      for (const suffix of ['gz', 'br']) await rm(join(patient.folder, `${path}.${suffix}`), { force: true })
      await patient.list(path, { gzip: null, br: null, ...(rows === undefined ? {} : { rows }) })
      await patient.misbuild(path, () => text)
    }
    for (const [path, document] of this.#documents) {
      const { data, buckets } = document as { data?: ExportRow[]; buckets?: object[] }
      if (data !== undefined) document['rowCount'] = data.length
      const text = JSON.stringify(document)
      if (text === this.#texts.get(path)) continue
      await write(path, text, (data ?? buckets)?.length)
      const combination = this.#combination(path)
      if (combination.endpoint !== 'export' || data === undefined) continue
      const { type } = combination
      await write(
        path.replace(/json$/, 'csv'),
        csvHeader(EXPORT_COLUMNS[type]) + csvOf(EXPORT_COLUMNS[type], data),
        data.length,
      )
    }
    return patient.faults()
  }

  #combination(path: string): Combination {
    const names = new Map(this.manifest.categories.map(({ name, key }) => [key, name]))
    const combination = combinationAt(path, (key) => names.get(key))
    if (combination === null) throw new Error(path)
    return combination
  }
}

const TOTAL = { ideas: 'totalIdeas', votes: 'totalVotes', comments: 'totalComments' } as const
type Field = keyof typeof TOTAL

/** Counts a row in another bucket; all totals follow, and the last is as it was. */
export function move({ buckets }: Timeline, field: Field, from: string, to: string): void {
  const [source, target] = [from, to].map((label) => buckets.findIndex(({ bucket }) => bucket.startsWith(label)))
  if (source === undefined || target === undefined || source < 0 || target < 0) throw new Error(`${from} or ${to}`)
  add(buckets[source], field, -1)
  add(buckets[target], field, 1)
  for (const [i, bucket] of buckets.entries()) {
    if (i >= source && i < target) add(bucket, TOTAL[field], -1)
    if (i >= target && i < source) add(bucket, TOTAL[field], 1)
  }
}

/** A row more in a bucket, and one less before the window: the last total is as it was. */
export function addBefore({ buckets }: Timeline, field: Field, label: string): void {
  const at = buckets.findIndex(({ bucket }) => bucket.startsWith(label))
  add(buckets[at], field, 1)
  for (const bucket of buckets.slice(0, at)) add(bucket, TOTAL[field], -1)
}

export function add(row: Counts | undefined, key: string, more: number): void {
  if (row === undefined || typeof row[key] !== 'number') throw new Error(`no ${key}`)
  row[key] += more
}

export function rowOf(rows: readonly Row[], bucket: string, category: string | null): Row {
  const row = rows.find((one) => String(one['bucket']).startsWith(bucket) && (one['category'] ?? null) === category)
  if (row === undefined) throw new Error(`no row of ${bucket}`)
  return row
}

/** @param category null = of all ideas: the row has none */
export function cohortOf(cohorts: readonly Row[], month: string | null, category: string | null = null): Row {
  const row = cohorts.find(
    (one) =>
      (month === null ? one['month'] === null : String(one['month']).startsWith(month)) &&
      (one['category'] ?? null) === category,
  )
  if (row === undefined) throw new Error(`no cohort of ${month}`)
  return row
}

export const NOTHING = { ideas: 0, votes: 0, comments: 0, launchedIdeas: 0 }
