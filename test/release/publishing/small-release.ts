// Owns releases of a few files of each kind, so that an upload has few requests; and whether what a reader finds in a bucket is whole.
import { createHash } from 'node:crypto'
import { DEFAULT_SITE } from '../../../src/contract/site-options.ts'
import { filesOf, MANIFEST_NAME, type Manifest } from '../../../src/release/format/manifest.ts'
import { releasePaths, type ReleasePaths } from '../../../src/release/format/paths.ts'
import { switchTo } from '../../../src/release/writing/current-link.ts'
import type { Staging } from '../../../src/release/writing/staging.ts'
import { POINTER_KEY } from '../../../src/release/publishing/plan.ts'
import { addressOf, signedHeaders, type S3Bucket } from '../../../src/release/publishing/bucket.ts'
import type { Published } from '../../../src/release/format/published.ts'
import { inspectBucket, publish, type Publication } from '../../../src/release/publishing/publish.ts'
import { notePublished, readPublished } from '../../../src/release/writing/published.ts'
import type { S3Effects } from '../../../src/release/publishing/s3-client.ts'
import { addressReader } from '../../../src/release/reading/address-reader.ts'
import type { ReleaseReader } from '../../../src/release/reading/release-reader.ts'
import { currentId } from '../../../src/release/reading/release-list.ts'
import { BUCKET } from '../../support/memory-s3.ts'
import { sealedOnce } from '../../support/sealed-once.ts'
import { aboutOf, AS_OF_MS } from '../sample-release.ts'

/** Makes a release current whose numbers are `n`. @param more files besides, with their text */
export async function smallRelease(
  snapshotsDir: string,
  n: number,
  more: Readonly<Record<string, string>> = {},
  closed = false,
  title: string | null = null,
): Promise<Manifest> {
  const paths = releasePaths(snapshotsDir)
  const { stage, manifest } = await sealedOnce(paths, JSON.stringify(['small', n, more, closed, title]), (empty) =>
    sealed(empty, n, more, closed, title),
  )
  await stage.promote(manifest.id, async () => true)
  await switchTo(paths, manifest.id, Date.now())
  return manifest
}

async function sealed(
  stage: Staging,
  n: number,
  more: Readonly<Record<string, string>>,
  closed: boolean,
  title: string | null,
): Promise<Manifest> {
  const files = {
    'index.html': `<!doctype html><title>${n}</title>${'<p>page</p>'.repeat(200)}`,
    'assets/page-0123456789.css': 'p { margin: 0 }\n'.repeat(100),
    'robots.txt': 'User-agent: *\n',
    'public/stats.json': `{"stats":{"totalIdeas":${n}},"more":"${'x'.repeat(2000)}"}\n`,
    'analytics/export/ideas/7d.csv': `id\r\n${n}\r\n`,
    ...more,
  }
  for (const [path, text] of Object.entries(files)) await stage.put(path, text, { rows: null, tail: 0 })
  const about = aboutOf(AS_OF_MS + n * 60_000)
  const options = title === null ? about.options : { ...about.options, site: { ...DEFAULT_SITE, title } }
  return stage.seal({ ...about, options, ...(closed ? { closed } : {}) })
}

/** What the caller of an upload may say: whoever does not gets what a build has. */
export type May = Partial<Pick<Publication, 'atOnce' | 'acceptSite' | 'owned' | 'nowMs'>>

/** As the builder does. @returns what the log says, each line with its level and id */
export async function publishCurrent(
  paths: ReleasePaths,
  bucket: S3Bucket,
  may: May,
  effects: S3Effects,
): Promise<string> {
  const said: string[] = []
  const sayAs = (level: string) => (fields: object, message: string) =>
    void said.push(`${level} ${JSON.stringify(fields)} ${message}`)
  const log = { info: sayAs('info'), warn: sayAs('warn'), error: sayAs('error') }
  const id = await currentId(paths)
  const published = await readPublished(paths, addressOf(bucket))
  const note = (now: Published): Promise<void> => notePublished(paths, addressOf(bucket), now)
  const own = { atOnce: false, acceptSite: false, owned: async () => true, published, note }
  await publish(paths, id!, bucket, { ...own, ...may, ...effects, log })
  return said.join('\n')
}

/** As `status` does. */
export async function look(paths: ReleasePaths, id: string, effects: S3Effects): ReturnType<typeof inspectBucket> {
  return inspectBucket(paths, id, BUCKET, { ...effects, published: await readPublished(paths, addressOf(BUCKET)) })
}

/** As its owner reads it. */
export function bucketReader(bucket: S3Bucket): ReleaseReader {
  const root = `${bucket.url}/${bucket.prefix}snapshots`
  return addressReader(root, undefined, (url) => signedHeaders(bucket, 'GET', url))
}

/** What a reader meets who goes by the pointer: the release that it names, or what is wrong with it; null = there is no pointer. */
export function seen(
  read: (key: string) => Buffer | undefined,
): { readonly id: string; readonly wrong: string[] } | null {
  const text = read(POINTER_KEY)
  if (text === undefined) return null
  const manifest = JSON.parse(text.toString('utf8')) as Manifest
  const wrong = [...filesOf(manifest)].flatMap(({ path, sha256 }) => {
    const bytes = read(`snapshots/releases/${manifest.id}/${path}`)
    if (bytes === undefined) return [`${path} is missing`]
    return hash(bytes) === sha256 ? [] : [`${path} is another`]
  })
  return { id: manifest.id, wrong }
}

/** Every key that a bucket is to have which shows these releases, the first of them as current. */
export function keysOf(current: Manifest, ...others: readonly Manifest[]): string[] {
  const below = [current, ...others].flatMap((manifest) =>
    [...filesOf(manifest), { path: MANIFEST_NAME }].map(
      ({ path }) => `snapshots/releases/${manifest.month ?? manifest.id}/${path}`,
    ),
  )
  return [...below, ...current.files.map(({ path }) => path), MANIFEST_NAME, POINTER_KEY].sort()
}

const HASHES = new WeakMap<Buffer, string>()
function hash(bytes: Buffer): string {
  const known = HASHES.get(bytes) ?? createHash('sha256').update(bytes).digest('hex')
  HASHES.set(bytes, known)
  return known
}
