// Owns asking for one answer, and holding it against what it should be before it is timed.
import { isDeepStrictEqual } from 'node:util'
import { request } from 'node:http'
import { gunzipSync } from 'node:zlib'

export interface Captured {
  readonly status: number
  /** Names and values in turn, as sent, without those that node:http writes by itself. */
  readonly headers: readonly string[]
  readonly body: Buffer
}

const OF_NODE = new Set(['date', 'connection', 'keep-alive', 'transfer-encoding'])

export function capture(url: string, headers: Readonly<Record<string, string>>): Promise<Captured> {
  return new Promise((resolve, reject) => {
    const asked = request(url, { headers, agent: false }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk)).once('error', reject)
      response.once('end', () => {
        const { rawHeaders } = response
        const kept = rawHeaders.filter((_, i) => !OF_NODE.has((rawHeaders[i - (i % 2)] ?? '').toLowerCase()))
        resolve({ status: response.statusCode ?? 0, headers: kept, body: Buffer.concat(chunks) })
      })
    })
    asked.once('error', reject).end()
  })
}

export function header({ headers }: Captured, name: string): string | undefined {
  return headers.find((_, i) => i % 2 === 1 && headers[i - 1]?.toLowerCase() === name.toLowerCase())
}

function decoded(answer: Captured): Record<string, unknown> {
  const bytes = header(answer, 'Content-Encoding') === 'gzip' ? gunzipSync(answer.body) : answer.body
  return JSON.parse(bytes.toString('utf8')) as Record<string, unknown>
}

export function requireStatus(name: string, answer: Captured, status: number): void {
  if (answer.status !== status) throw new Error(`${name} answered ${answer.status}, not ${status}`)
}

/** A 200 in gzip that says the same as `expected`, but for the moment at which it was made. */
export function requireSameDocument(name: string, answer: Captured, expected: Captured): void {
  requireStatus(name, answer, 200)
  const coding = header(answer, 'Content-Encoding')
  if (coding !== 'gzip') throw new Error(`${name} answered in ${coding ?? 'identity'}, not in gzip`)
  const whenever = (document: Record<string, unknown>): object => ({ ...document, generatedAt: null })
  if (!isDeepStrictEqual(whenever(decoded(answer)), whenever(decoded(expected))))
    throw new Error(`${name} answered another document`)
}

/** The same header bytes, but for the counts, of which an answer a moment later has others. */
export function requireSameHead(name: string, answer: Captured, expected: Captured): void {
  const constant = ({ headers }: Captured): string[] => headers.filter((_, i) => !COUNTS.has(headers[i - 1] ?? ''))
  if (!isDeepStrictEqual(constant(answer), constant(expected))) throw new Error(`${name} answered another head`)
}

const COUNTS = new Set(['X-RateLimit-Remaining', 'X-RateLimit-Reset', 'Retry-After'])

/** What the proxy must answer: its status, the headers that make it that answer, a document of 20 ideas of this release. */
export function requireTrending(answer: Captured, snapshot: Record<string, unknown>): void {
  requireStatus('the proxy', answer, 200)
  for (const name of ['ETag', 'X-RateLimit-Remaining', 'X-Snapshot-Id', 'Vary', 'Cache-Control'])
    if (header(answer, name) === undefined) throw new Error(`the proxy answered without ${name}`)
  const { generatedAt, ...document } = decoded(answer)
  const { generatedAt: _, ...whole } = snapshot
  const ideas = (whole['ideas'] as unknown[]).slice(0, 20)
  if (!isDeepStrictEqual(document, { ...whole, ideas, count: ideas.length, limit: 20 }))
    throw new Error('the proxy answered another document')
  if (Math.abs(Date.now() - Date.parse(String(generatedAt))) > 5000) throw new Error('its generatedAt is not fresh')
  if (header(answer, 'Content-Encoding') !== 'gzip') throw new Error('the proxy did not answer in gzip')
}
