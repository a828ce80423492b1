// A store that lies, one row a lie: the program ends by itself, when SIGTERM comes, or by its --deadline, with little memory, and says
// what was wrong. With LIES=FILE a table is written there: `LIES=/tmp/lies npx vitest run test/release/publishing/lying-stores.test.ts`
// and, for another program, PROGRAM=…/bin/analytics-build.js.
// long test: starts the program for each lie
import { appendFileSync, cpSync } from 'node:fs'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import pLimit from 'p-limit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { packagePath } from '../../../src/process/package-root.ts'
import { run } from '../../builder/build-program.ts'
import { createSmallPlatform } from '../../builder/small-platform.ts'
import { drip, flood, row, toldTo, type Served } from '../../support/liar.ts'
import { startLyingStore, type Asked, type StoreLie } from '../../support/lying-store.ts'
import { describeWithPostgres } from '../../support/postgres.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

/** Of a build, which takes a third of it on a busy machine. */
const DEADLINE_S = 20
/** Of what ends by itself, with all its tries. */
const MOST_MS = 30_000
/** From the first lie to a SIGTERM, and from that to the end. */
const STOP_MS = 1500
const END_MS = 6000
/** Its own waits between tries, nine seconds in all, are told by the row of a store that is busy. */
const IMPATIENT = [process.execPath, packagePath('test', 'support', 'impatient-program.mjs')]
/** An honest build takes 170; under a tenth of what a body without end took in these seconds. */
const MOST_MEBIBYTES = 420
const MEBIBYTE = Buffer.alloc(1 << 20, 'x')

const list =
  (lie: StoreLie): StoreLie =>
  (asked) =>
    asked.what === 'LIST' ? lie(asked) : false
const on =
  (pattern: RegExp, lie: StoreLie): StoreLie =>
  (asked) =>
    pattern.test(asked.what) ? lie(asked) : false
const raw =
  (head: string, go: (socket: Asked['socket']) => Promise<void>): StoreLie =>
  async ({ socket }) => {
    socket.write(head)
    await go(socket)
    return true
  }
const endless = (head: string, chunk: Buffer | string): StoreLie => raw(head, (socket) => flood(socket, chunk))
const dripping = (head: string, byte?: string): StoreLie => raw(head, (socket) => drip(socket, byte))
const page =
  (entries: string, more = ''): StoreLie =>
  ({ response }) =>
    !!response.end(`<ListBucketResult>${more}${entries}</ListBucketResult>`)
const entry = (key: string, date = '2026-05-20T10:00:00.000Z', size: number | string = 1): string =>
  `<Contents><Key>${key}</Key><LastModified>${date}</LastModified><ETag>"x"</ETag><Size>${size}</Size></Contents>`
const entries = (count: number, from = 0): string =>
  Array.from({ length: count }, (_, i) => entry(`town/snapshots/releases/2026-04/${from + i}.json`)).join('')
const error =
  (status: number, code: string, headers: Record<string, string> = {}, more = ''): StoreLie =>
  ({ request, response }) => {
    request.resume()
    response.writeHead(status, headers).end(`<Error><Code>${code}</Code><Message>so</Message>${more}</Error>`)
    return true
  }
const OK = 'HTTP/1.1 200 OK\r\n'
const CHUNKED = `${OK}Transfer-Encoding: chunked\r\n\r\n`
const MIB_CHUNK = Buffer.concat([Buffer.from('100000\r\n'), MEBIBYTE, Buffer.from('\r\n')])
let pages = 0

/** How it ends, and what it says: `prune` by itself or by SIGTERM, a build at its deadline. */
type Lie = readonly [
  what: string,
  lie: StoreLie | 'refused' | 'mute' | 'no TLS',
  code: number,
  says: RegExp,
  ends?: 'deadline' | 'SIGTERM',
]

const OVER = /--deadline 20s: .*GET s3:\/\/statistics\/town\/ was not done, the last answer of the store: none yet/
const STOPPED = /terminated: GET s3:\/\/statistics\/town\/ was not done, the last answer of the store: none yet/
const LIES: readonly Lie[] = [
  ['a listing without end', list(endless(CHUNKED, MIB_CHUNK)), 6, /the answer is over 8388608 bytes/],
  [
    'a listing without end, of elements that are not closed',
    list(({ response }) => !!response.end('<Contents>'.repeat(800_000))),
    6,
    /not what S3 answers/,
  ],
  [
    '8 MiB of elements that are not closed, in a whole listing',
    list(page('<Contents><Key>'.repeat(500_000))),
    6,
    /lists 500000 keys at once/,
  ],
  ['an answer to a PUT without end', on(/^PUT/, endless(CHUNKED, MIB_CHUNK)), 6, /the answer is over 65536 bytes/],
  [
    'an answer to a PUT of 8 GB, by its length',
    on(/^PUT/, endless(`${OK}Content-Length: 8000000000\r\n\r\n`, MEBIBYTE)),
    6,
    /the answer is over 65536 bytes/,
  ],
  [
    'an error without end',
    list(endless(`HTTP/1.1 503 No\r\nTransfer-Encoding: chunked\r\n\r\n`, MIB_CHUNK)),
    6,
    /the answer is over/,
  ],
  [
    'the answer to a DELETE without end',
    on(/^(?:DELETE|LIST)/, async (asked) => {
      if (asked.what !== 'LIST') return endless(CHUNKED, MIB_CHUNK)(asked)
      const { body } = await asked.honest()
      return !!asked.response.end(
        body
          .toString()
          .replace('</ListBucketResult>', `${entry('town/snapshots/releases/2020-01/a.json')}</ListBucketResult>`),
      )
    }),
    0,
    /^$/,
  ],
  ['a body that drips', list(dripping(`${OK}Content-Length: 100000\r\n\r\n`)), 143, STOPPED, 'SIGTERM'],
  ['a head that drips', list(dripping(`${OK}X-Long: `, 'x')), 143, STOPPED, 'SIGTERM'],
  ['a head without end', list(endless(OK, `X-More: ${'x'.repeat(1000)}\r\n`)), 6, /Headers Overflow/],
  [
    'answers to come, without end (102)',
    list(endless('', 'HTTP/1.1 102 Processing\r\n\r\n'.repeat(1000))),
    6,
    OVER,
    'deadline',
  ],
  [
    'answers to come, without end (103)',
    list(endless('', 'HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n'.repeat(1000))),
    143,
    STOPPED,
    'SIGTERM',
  ],
  ['extensions of a chunk without end', list(endless(`${CHUNKED}5;`, MEBIBYTE)), 143, STOPPED, 'SIGTERM'],
  ['trailers without end', list(endless(`${CHUNKED}0\r\n`, `X-More: ${'x'.repeat(1000)}\r\n`)), 6, /GET s3:/],
  [
    'more than its Content-Length',
    list(endless(`${OK}Content-Length: 38\r\n\r\n<ListBucketResult></ListBucketResult>\n`, MEBIBYTE)),
    0,
    /^$/,
  ],
  ['silence after it took the request', list(() => true), 143, STOPPED, 'SIGTERM'],
  ['silence where TLS begins', 'mute', 6, /--deadline 20s: GET s3:.* was not done/, 'deadline'],
  ['plain text where TLS begins', 'no TLS', 6, /cannot GET .*check AWS_ENDPOINT_URL_S3/],
  ['nobody there', 'refused', 6, /ECONNREFUSED.*check AWS_ENDPOINT_URL_S3/],
  [
    'a bomb of gzip',
    list(
      ({ response }) => !!response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(64 << 20))),
    ),
    6,
    /Content-Encoding "gzip"/,
  ],
  [
    'another place for everything (307)',
    ({ request, response }) =>
      !!request.resume() && !!response.writeHead(307, { location: 'http://127.0.0.1:1/elsewhere' }).end(),
    6,
    /307 to http:\/\/127.0.0.1:1\/elsewhere, redirects are not followed/,
  ],
  [
    'the same page again',
    list(page(entries(1), '<NextContinuationToken>a</NextContinuationToken>')),
    6,
    /lists .* twice/,
  ],
  [
    'an empty page again, by the same token',
    list(page('', '<IsTruncated>true</IsTruncated><NextContinuationToken>a</NextContinuationToken>')),
    6,
    /the same page again, without end/,
  ],
  [
    'empty pages without end, each by a new token',
    list((asked) => page('', `<NextContinuationToken>${pages++}</NextContinuationToken>`)(asked)),
    6,
    /over 1000 pages/,
  ],
  [
    'full pages without end',
    list((asked) =>
      page(entries(1000, 1000 * pages++), `<NextContinuationToken>${pages}</NextContinuationToken>`)(asked),
    ),
    6,
    /over 1000 pages|--deadline 20s: GET/,
    'deadline',
  ],
  [
    'a token of 4 MiB',
    list((asked) => page('', `<NextContinuationToken>${'x'.repeat(4 << 20)}${pages++}</NextContinuationToken>`)(asked)),
    6,
    /the same page again/,
  ],
  ['50,000 keys on a page', list(page(entries(50_000))), 6, /lists 50000 keys at once, asked for 1000/],
  ['a key twice', list(page(entries(1) + entries(1))), 6, /lists town\/snapshots\/releases\/2026-04\/0.json twice/],
  [
    'a key that is not below the prefix',
    list(page(entry('village/index.html'))),
    6,
    /lists village\/index.html, asked for what is below town\//,
  ],
  [
    'keys with dots, ? and #',
    list(
      page(entry('town/../village/index.html') + entry('town/snapshots/releases/2020-01/a?b') + entry('town/public/#')),
    ),
    0,
    /^$/,
  ],
  [
    'a date that is none',
    list(page(entry('town/index.html', 'yesterday'))),
    6,
    /lists town\/index.html without a date and a size that are one/,
  ],
  [
    'a size that is none',
    list(page(entry('town/index.html', undefined, 'much'))),
    6,
    /lists town\/index.html without a date and a size that are one/,
  ],
  [
    'no ETag anywhere',
    async ({ response, honest }) => {
      const { status, headers, body } = await honest()
      const { etag: _, ...rest } = headers
      return !!response.writeHead(status, rest).end(body)
    },
    0,
    /^$/,
  ],
  [
    'another ETag after some that were right',
    on(/^PUT snapshots\/releases/, async ({ response, honest }) => {
      const { headers } = await honest()
      return !!response.writeHead(200, pages++ % 5 === 4 ? { etag: '"0"' } : headers).end()
    }),
    6,
    /came as other bytes: its ETag is 0/,
  ],
  [
    'that it is busy (503), as long as it is asked',
    async (asked) => {
      await delay(3000)
      return error(503, 'SlowDown')(asked)
    },
    6,
    /--deadline 20s: GET s3:.* was not done, the last answer of the store: 503 SlowDown so/,
    'deadline',
  ],
  ['that it is busy (503), and SIGTERM', error(503, 'SlowDown'), 143, /terminated: GET .* 503 SlowDown/, 'SIGTERM'],
  [
    'that our clock is wrong',
    error(403, 'RequestTimeTooSkewed', {}, '<ServerTime>2020-01-01T00:00:00Z</ServerTime>'),
    6,
    /403 RequestTimeTooSkewed so; the clock here says 2.*Z, that of the store 2020-01-01T00:00:00Z/,
  ],
  [
    'that our clock is wrong, but no time',
    error(403, 'RequestTimeTooSkewed'),
    6,
    /403 RequestTimeTooSkewed so; it takes a clock of another time than 2.*Z, which the clock here says: set the one/,
  ],
  [
    '403 with a Date of another day',
    error(403, 'AccessDenied', { date: 'Wed, 01 Jan 2020 00:00:00 GMT' }),
    6,
    /403 AccessDenied so; the clock here says .* that of the store Wed, 01 Jan 2020/,
  ],
]

/** @param asked told when somebody has asked */
async function serve(lie: Lie[1], asked: () => void): Promise<Served> {
  if (typeof lie === 'function')
    return startLyingStore((one) => {
      asked()
      return lie(one)
    })
  const server = createServer((socket) => {
    asked()
    socket.on('error', () => {})
    if (lie === 'no TLS') socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  if (lie === 'refused') server.close()
  return { port, stop: async () => void server.close() }
}

describeWithPostgres('a store that lies', (postgres) => {
  let url: string
  const whole = join(temporaryFolder(afterAll), 'snapshots')
  const limit = pLimit(3)
  beforeAll(async () => {
    url = await createSmallPlatform(postgres(), 'lying_stores')
    expect(await run(['build', '--no-site', '--snapshots', whole], { DATABASE_URL: url })).toMatchObject({ code: 0 })
  })

  describe.concurrent('says or gives', () => {
    it.for(LIES)('%s', { timeout: 600_000 }, async ([what, lie, code, says, ends], { onTestFinished: finished }) => {
      await limit(async () => {
        let wasAsked = (): void => {}
        const asked = new Promise<void>((resolve) => (wasAsked = resolve))
        const { port, stop } = await serve(lie, wasAsked)
        finished(stop)
        const folder = join(temporaryFolder(finished), 'snapshots')
        cpSync(whole, folder, { recursive: true, verbatimSymlinks: true })
        const scheme = lie === 'mute' || lie === 'no TLS' ? 'https' : 'http'
        const env = {
          DATABASE_URL: url,
          ANALYTICS_NO_SITE: 'true',
          AWS_ACCESS_KEY_ID: 'a',
          AWS_SECRET_ACCESS_KEY: 'b',
          AWS_ENDPOINT_URL_S3: `${scheme}://127.0.0.1:${port}`,
        }
        const to = ['--publish', 's3://statistics/town', '--snapshots', folder]
        const args = ends === 'deadline' ? ['build', '--deadline', `${DEADLINE_S}s`, ...to] : ['prune', ...to]
        const startMs = performance.now()
        let stoppedMs = startMs
        const stopped = asked.then(() => delay(STOP_MS)).then(() => (stoppedMs = performance.now()))
        const told = await toldTo(args, env, ends === 'SIGTERM' ? stopped : null, ends === undefined ? IMPATIENT : [])
        const { LIES: table } = process.env
        if (table !== undefined) appendFileSync(table, `${row(what, told)}\n`)
        expect(told).toMatchObject({ code, message: expect.stringMatching(says) })
        const sinceMs = performance.now() - (ends === 'SIGTERM' ? stoppedMs : startMs)
        expect(sinceMs).toBeLessThan(
          { deadline: (DEADLINE_S + 10) * 1000, SIGTERM: END_MS, itself: MOST_MS }[ends ?? 'itself'],
        )
        expect(told.mebibytes).toBeLessThan(MOST_MEBIBYTES)
      })
    })
  })
})
