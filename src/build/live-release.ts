// Owns reading a release over HTTP from where it is served, for verify and diff. Checks nothing itself.
import { MANIFEST_NAME, manifestOf, ReleaseError, type Manifest } from '../release/open.ts'
import type { ReleaseReader } from '../release/verify.ts'

const TIMEOUT_MS = 30_000

/** Where the release was found. */
interface Found {
  /** Where `current/` and `releases/` are served. */
  readonly root: string
  readonly manifest: Manifest
}

/**
 * @param base the site, https://ideas.example.org; or where it serves `current/` and `releases/`, such as
 * https://ideas.example.org/snapshots; no slash at its end
 */
export function liveRelease(base: string): ReleaseReader {
  let found: Found | null = null
  const find = async (): Promise<Found> => (found ??= await locate(base))
  const urlOf = async (path: string): Promise<string> => {
    const { root, manifest } = await find()
    return `${root}/releases/${manifest.id}/${path}`
  }
  return {
    siblings: false,
    manifest: async () => (await find()).manifest,
    read: async ({ path }) => (await get(await urlOf(path))).bytes,
    async negotiate({ path }, coding) {
      const { bytes, contentEncoding } = await get(await urlOf(path), coding)
      return { bytes, coded: contentEncoding === coding }
    },
  }
}

/** The release is followed by its id: what is current may change meanwhile. */
async function locate(base: string): Promise<Found> {
  try {
    return await manifestBelow(base)
  } catch (error) {
    if (!(error instanceof ReleaseError) || error.code !== 'absent') throw error
    return manifestBelow(`${base}/snapshots`).catch((second: unknown) => {
      // Where neither is, what was asked for is what is said to be missing.
      throw second instanceof ReleaseError && second.code === 'absent' ? error : second
    })
  }
}

async function manifestBelow(root: string): Promise<Found> {
  const url = `${root}/current/${MANIFEST_NAME}`
  return { root, manifest: await manifestOf((await get(url)).bytes.toString('utf8'), url) }
}

interface Got {
  readonly bytes: Buffer
  readonly contentEncoding: string
}

async function get(url: string, acceptEncoding = 'identity'): Promise<Got> {
  // Loaded here: of the third of a second that every build took to start, it was a sixth.
  const { request } = await import('undici')
  try {
    const { statusCode, headers, body } = await request(url, {
      headers: { 'accept-encoding': acceptEncoding },
      headersTimeout: TIMEOUT_MS,
      bodyTimeout: TIMEOUT_MS,
    })
    const bytes = Buffer.from(await body.arrayBuffer())
    if (statusCode === 200) return { bytes, contentEncoding: String(headers['content-encoding'] ?? 'identity') }
    throw new ReleaseError('absent', `${url}: answered ${statusCode}, expected 200`)
  } catch (error) {
    if (error instanceof ReleaseError) throw error
    throw new ReleaseError('absent', `${url}: ${(error as Error).message}`, error)
  }
}
