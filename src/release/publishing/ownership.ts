// Owns whose site a bucket shows: what a folder takes for its own, and what is refused before an upload changes anything: to replace
// a site or a page of somebody else, and to lose days of a log.
import pMap from 'p-map'
import { logLines, MAX_LOG_BYTES } from '../format/day-log.ts'
import { MANIFEST_NAME, MONTH, RELEASE_ID } from '../format/manifest.ts'
import type { Published } from '../format/published.ts'
import { ReleaseError } from '../format/release-error.ts'
import { keyOf, keysBelow, LOG_KEY, MARK, releaseIn, type Put, type Situation } from './plan.ts'
import { REQUESTS, type S3 } from './s3-client.ts'

/** True also where nothing is. Releases without a pointer are somebody's, too. */
export function isOwnSite({ pointer, local, objects }: Situation, { releases }: Published): boolean {
  const { isThere, id, sha256 } = pointer
  if (isThere) return id !== null && (local.includes(id) || releases[id] === sha256)
  const known = new Set([...local, ...Object.keys(releases)])
  return [...objects.keys()].map(releaseIn).every((name) => !RELEASE_ID.test(name) || known.has(name))
}

const CORRECT_OR_ACCEPT =
  'if --publish was to name another bucket or prefix, correct it; if this folder is to replace what is there, as after a restore, give --accept-site once'

/** What a bucket shows that is not ours, what was to be shown there, and what is next. */
export function strangerText({ pointer, current }: Situation): string {
  const { isThere, id, title } = pointer
  const { manifest } = current
  const there =
    id !== null ? named(title, id) : isThere ? 'what this program has not written' : 'releases, and no current one'
  const own = named(manifest.options.site?.title ?? null, manifest.id)
  const next = manifest.closed === true ? CLOSE_OR_ACCEPT : CORRECT_OR_ACCEPT
  return `it shows ${there}, which is not of this folder; the folder has ${own}; ${next}`
}

const CLOSE_OR_ACCEPT =
  'the releases that this folder had put there are removed, and the rest stays; if that is the site that closes, give --accept-site once'

function named(title: string | null, id: string): string {
  return `${title === null ? 'a site without a title' : `the site ${JSON.stringify(title)}`} (release ${id})`
}

/** From which day on a log of days is not the beginning of another one; null = it is. */
function firstLostDay(there: string, here: string): string | null {
  const own = logLines(here)
  const lost = logLines(there).find((line, i) => line !== own[i])
  return lost === undefined ? null : (/^\d{4}-\d\d-\d\d/.exec(lost)?.[0] ?? 'an unknown day')
}

/** What is to be remembered: what was put there and still is, and what is to be put there now. */
export function remembered(
  { current, months, objects, pointer }: Situation,
  { releases }: Published,
): Published['releases'] {
  const there = new Set([...objects.keys()].map(releaseIn))
  const stay = Object.entries(releases).filter(([name]) => there.has(name) || name === pointer.id)
  return Object.fromEntries([...stay, ...[current, ...months].map(({ name, file }) => [name, file.sha256])])
}

type Rights = Readonly<{ acceptSite: boolean; published: Published }>

function isStranger(situation: Situation, { acceptSite, published }: Rights): boolean {
  return !acceptSite && !isOwnSite(situation, published)
}

/** Where a site closes and the bucket shows another one, the keys that this folder has put there. A month is its own if its manifest is. */
export async function keysBeside(s3: S3, situation: Situation, rights: Rights): Promise<string[]> {
  if (!isStranger(situation, rights)) return []
  const { pointer, objects } = situation
  const isOwn = async ([name, sha256]: [string, string]): Promise<boolean> => {
    if (!MONTH.test(name)) return name !== pointer.id
    const key = keyOf(name, MANIFEST_NAME)
    return objects.has(key) && (await s3.head(key))?.[MARK] === sha256
  }
  const known = Object.entries(rights.published.releases)
  const names = await pMap(known, async (one) => ((await isOwn(one)) ? [one[0]] : []), REQUESTS)
  return keysBelow(new Set(names.flat()), objects)
}

/**
 * Before an upload changes anything.
 * @param path of the log here @param puts what it would write
 * @throws ReleaseError that names whose site, which object or which day is there
 */
export async function refuseToReplace(
  s3: S3,
  path: string,
  situation: Situation,
  puts: readonly Put[],
  rights: Rights,
): Promise<void> {
  const { pointer, current, objects } = situation
  if (isStranger(situation, rights)) throw new ReleaseError('write', strangerText(situation))
  // Somebody may have put a site there by other means.
  const met =
    pointer.isThere || rights.acceptSite ? [] : new Set(puts.map(({ key }) => key).filter((key) => objects.has(key)))
  const theirs = await pMap(met, async (key) => ((await isOurObject(s3, key)) ? [] : [s3.shown(key)]), REQUESTS)
  for (const one of theirs.flat())
    throw new ReleaseError('write', `${one} is there, and this program has not written it; ${CORRECT_OR_ACCEPT}`)
  // The log of a site that had closed is over, where the bucket still shows that site.
  const isOver = rights.published.logIsOver && isOwnSite(situation, rights.published)
  if (current.manifest.closed !== true && !isOver) await refuseToLoseDays(s3, path, situation)
}

/** Whoever saved a line of the log must find it again. */
async function refuseToLoseDays(s3: S3, path: string, { log, objects }: Situation): Promise<void> {
  const there = objects.get(LOG_KEY)
  if (there === undefined || there.etag === log?.md5) return
  const day = firstLostDay(String(await s3.get(LOG_KEY, MAX_LOG_BYTES)), log?.text ?? '')
  if (day === null) return
  const next = `if they are of this site, as after a restore, put it in the place of ${path}; if they are of another one, remove it there`
  throw new ReleaseError('write', `${s3.shown(LOG_KEY)} has lines from ${day} on that ${path} has not; ${next}`)
}

/** What this program has not put there stays. */
export async function isOurObject(s3: S3, key: string): Promise<boolean> {
  return (await s3.head(key))?.[MARK] !== undefined
}
