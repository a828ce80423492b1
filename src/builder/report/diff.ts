// Owns the differences of two releases: totals, categories, files, the past. Pure: manifests and kept pasts in.
import { siteKindOf } from '../../contract/site-paths.ts'
import { timeZoneOf } from '../../contract/time-zone.ts'
import { recordOf } from '../../model/record-of.ts'
import type { KeptPast } from '../../release/writing/kept-past.ts'
import { contentHashOf, totalBytes, type Manifest } from '../../release/format/manifest.ts'
import { revisionsSince, type Revision } from '../past/revision.ts'

const TOTALS = ['users', 'ideas', 'votes', 'comments', 'launchedIdeas', 'categories'] as const

/** The compared parts of a release. */
export interface Side {
  readonly manifest: Manifest
  /** The past that the release kept; null = it kept none, or it cannot be read. */
  readonly kept: KeptPast | null
}

export type Diff = ReturnType<typeof diff>

export function diff(a: Side, b: Side) {
  const names = ({ manifest }: Side): string[] => manifest.categories.map(({ name }) => name)
  return {
    a: about(a),
    b: about(b),
    /** Whether mapping, parameters and weights are the same: otherwise the numbers mean different things. */
    comparable:
      a.manifest.mapping.sha256 === b.manifest.mapping.sha256 && weightsOf(a.manifest) === weightsOf(b.manifest),
    /** The totals of both; null = a number of people that is not published as one. */
    totals: recordOf(TOTALS, (key) => ({ a: a.manifest.rows[key], b: b.manifest.rows[key] })),
    bytes: { a: totalBytes(a.manifest.files), b: totalBytes(b.manifest.files) },
    categories: listDiff(names(a), names(b)),
    /** The files, compared by content; times do not count. */
    files: files(a.manifest, b.manifest),
    /** What of A's past is not so in B, by month; null = not known, because B was not compared with A when it was built. */
    revisions: revisions(a, b),
  }
}

/** Names that came, and that went. */
function listDiff(before: readonly string[], now: readonly string[]) {
  const [had, has] = [new Set(before), new Set(now)]
  return { added: now.filter((name) => !had.has(name)), removed: before.filter((name) => !has.has(name)) }
}

function revisions({ kept: a }: Side, { kept: b, manifest }: Side): readonly Revision[] | null {
  return a === null || b?.comparedWith !== a.id
    ? null
    : revisionsSince(a.past.own, b.past, timeZoneOf(manifest.options))
}

/** The options that change numbers. */
function weightsOf({ options }: Manifest): string {
  const { voteWeight, commentWeight, people, timeZone } = options
  return JSON.stringify([voteWeight, commentWeight, people, timeZone])
}

function about({ manifest: { id, dataAsOf, timeZoneDatabase, options, mapping, closed = false } }: Side) {
  return { id, dataAsOf, mapping: mapping.name, timeZoneDatabase, options, closed }
}

function files(a: Manifest, b: Manifest) {
  const [before, now] = [hashes(a), hashes(b)]
  const both = [...now.keys()].filter((path) => before.has(path))
  const changed = both.filter((path) => before.get(path) !== now.get(path))
  return { ...listDiff([...before.keys()], [...now.keys()]), changed, same: both.length - changed.length }
}

/** The hashes by path, without the site, which is made from the rest and says when. */
function hashes({ files: all }: Manifest): Map<string, string> {
  return new Map(all.flatMap((file) => (siteKindOf(file.path) === null ? [[file.path, contentHashOf(file)]] : [])))
}
