// Owns reading a release over HTTP from where it is served, for verify. Checks nothing itself.
import { request } from 'undici'
import { MANIFEST_NAME, parseManifest, ReleaseError } from '../release/open.ts'
import type { ReleaseReader } from '../release/verify.ts'

const TIMEOUT_MS = 30_000

/** @param base where `current/` and `releases/` are served, such as https://ideas.example.org/snapshots, without a slash at its end */
export function liveRelease(base: string): ReleaseReader {
  let id = ''
  return {
    siblings: false,
    async manifest() {
      const url = `${base}/current/${MANIFEST_NAME}`
      const manifest = parseManifest((await fetchBytes(url)).toString('utf8'))
      if (typeof manifest === 'string') throw new ReleaseError('damaged', `${url}: ${manifest}`)
      id = manifest.id
      return manifest
    },
    read: (file) => fetchBytes(`${base}/releases/${id}/${file.path}`),
  }
}

async function fetchBytes(url: string): Promise<Buffer> {
  try {
    const { statusCode, body } = await request(url, { headersTimeout: TIMEOUT_MS, bodyTimeout: TIMEOUT_MS })
    const bytes = Buffer.from(await body.arrayBuffer())
    if (statusCode === 200) return bytes
    throw new ReleaseError('absent', `${url}: answered ${statusCode}, expected 200`)
  } catch (error) {
    if (error instanceof ReleaseError) throw error
    throw new ReleaseError('absent', `${url}: ${(error as Error).message}`, error)
  }
}
