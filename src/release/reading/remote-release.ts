// Owns reading a release over HTTP from where it is served, for verify and diff. Checks nothing itself.
import { MANIFEST_NAME, manifestOf, ReleaseError, type Manifest } from './open.ts'
import type { ReleaseReader } from '../checks/verify.ts'

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
    async *read({ path }) {
      yield* (await get(await urlOf(path))).pieces
    },
    async negotiate({ path }, coding) {
      const { pieces, contentEncoding } = await get(await urlOf(path), coding)
      return { pieces, coded: contentEncoding === coding }
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
  const pieces: Buffer[] = []
  for await (const piece of (await get(url)).pieces) pieces.push(piece)
  return { root, manifest: await manifestOf(Buffer.concat(pieces).toString('utf8'), url) }
}

interface Got {
  readonly pieces: AsyncIterable<Buffer>
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
    const contentEncoding = String(headers['content-encoding'] ?? 'identity')
    if (statusCode === 200) return { pieces: piecesOf(url, body), contentEncoding }
    await body.dump()
    const code = statusCode === 404 || statusCode === 410 ? 'absent' : 'unreadable'
    throw new ReleaseError(code, `${url}: answered ${statusCode}, expected 200`)
  } catch (error) {
    throw failed(url, error)
  }
}

async function* piecesOf(url: string, body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* body
  } catch (error) {
    throw failed(url, error)
  }
}

function failed(url: string, error: unknown): ReleaseError {
  if (error instanceof ReleaseError) return error
  const cause = (error as Error).message
  return new ReleaseError('unreadable', `${url}: ${cause}; check the address, or try again when it answers`, error)
}
