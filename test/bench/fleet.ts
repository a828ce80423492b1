// A fleet of real parts: one builder that publishes to object storage five times, four proxies on its bucket behind nginx with one
// Redis, and a heavy-tailed load. One proxy is killed and comes back, and the bucket is away from readers for a fifth of the time. Prints what
// clients and operators saw: npm run fleet -- [MINUTES] [REQUESTS A SECOND].
import { setTimeout as delay } from 'node:timers/promises'
import { randomStream } from '../../src/demo/random.ts'
import { releasePaths } from '../../src/release/format/paths.ts'
import { createMemoryRateLimiter } from '../../src/proxy/limit/rate-limit.ts'
import { startFaultProxy } from '../support/fault-proxy.ts'
import { publishCurrent } from '../release/publishing/small-release.ts'
import { bucketAt } from '../support/memory-s3.ts'
import { startNginx } from '../support/nginx.ts'
import { ask, startProgram, type ProxyProgram } from '../support/proxy.ts'
import { startRedis } from '../support/redis.ts'
import { startRelay } from '../support/relay.ts'
import { publishRelease, snapshotsFolder } from '../support/release.ts'
import { S3_BUCKET, startS3rver } from '../support/s3-servers.ts'

const PROXIES = 4
const LIMIT = 100
const CLIENTS = 2000
const TARGETS = ['/api/public/stats', '/api/analytics/trending?period=7d', '/api/analytics/categories?period=30d']

async function fleet(minutes: number, perSecond: number): Promise<void> {
  const folder = snapshotsFolder()
  const [s3, redis] = await Promise.all([startS3rver(), startRedis()])
  const faults = await startFaultProxy(s3.port)
  const relay = await startRelay(faults.port)
  const paths = releasePaths(folder.dir)
  const bucket = bucketAt(`s3://${S3_BUCKET}/town`, s3.env())
  const startMs = performance.now()
  const seconds = (): number => (performance.now() - startMs) / 1000
  const newRelease = async (): Promise<string> => {
    const { id } = await publishRelease(folder.dir, { asOfMs: Date.now(), ideas: 200 })
    await publishCurrent(paths, bucket, {}, { signal: new AbortController().signal })
    return id
  }
  const published = await newRelease()
  const origin = `http://127.0.0.1:${relay.port}/${S3_BUCKET}/town/snapshots`
  const start = (port = 0): Promise<ProxyProgram> =>
    startProgram(['--port', String(port), '--origin', origin, '--rate-store', redis.url])
  const proxies = await Promise.all(Array.from({ length: PROXIES }, () => start()))
  const first = `server 127.0.0.1:${proxies[0]?.port};`
  const servers = proxies.map(({ port }) => `server 127.0.0.1:${port};`).join(' ')
  const replace = { [first]: servers, '192.0.2.0/24': '127.0.0.0/8', 'rate=20r/s': 'rate=2000r/s' }
  const nginx = await startNginx({ snapshots: folder.dir, upstreams: [proxies[0]?.port ?? 0], on: ['cdn'], replace })
  const events: string[] = []
  try {
    const shown = async (id: string): Promise<boolean> => {
      // Not of the API, which would count the one who looks.
      const texts = proxies.map(({ port }) => ask(port, '/snapshots/current/manifest.json').then(({ text }) => text))
      return (await Promise.all(texts.map((one) => one.catch(() => '')))).every((one) =>
        one.startsWith(`{"id":"${id}"`),
      )
    }
    const untilShown = async (id: string): Promise<number> => {
      const from = seconds()
      while (!(await shown(id))) await delay(100)
      return seconds() - from
    }
    await untilShown(published)
    const over = new AbortController()
    const publishing = (async () => {
      while (!over.signal.aborted) {
        await delay(12_000 * minutes, undefined, { signal: over.signal }).catch(() => undefined)
        if (over.signal.aborted) return
        const from = seconds()
        const id = await newRelease()
        const took = seconds() - from
        events.push(
          `at ${from.toFixed(0)} s published in ${took.toFixed(1)} s, shown by all ${(await untilShown(id)).toFixed(1)} s later`,
        )
      }
    })()
    const harm = (async () => {
      await delay(15_000 * minutes)
      await proxies[1]?.kill()
      await delay(4_000 * minutes)
      proxies[1] = await start(proxies[1]?.port)
      await delay(11_000 * minutes)
      faults.fault = () => 'gone'
      await delay(12_000 * minutes)
      faults.fault = () => null
    })()
    const load = await loadOn(nginx.port, minutes, perSecond)
    over.abort()
    await Promise.all([publishing, harm])
    console.log(
      [...load, ...events, `bytes from the bucket: ${relay.sent.reduce((sum, bytes) => sum + bytes, 0)}`].join('\n'),
    )
  } finally {
    await Promise.all([nginx.stop(), ...proxies.map((one) => one.kill())])
    await Promise.all([relay.close(), faults.stop(), redis.stop(), s3.stop()])
    folder.remove()
  }
}

/** Clients of a bounded Pareto distribution, each with an address of its own; compared with one limiter that sees all in order. */
async function loadOn(port: number, minutes: number, perSecond: number): Promise<string[]> {
  const random = randomStream(1, 'fleet')
  let sum = 0
  const upTo = Array.from({ length: CLIENTS }, () => (sum += Math.min((1 - random()) ** (-1 / 1.1), 1000)))
  const one = createMemoryRateLimiter({ limit: LIMIT, windowMs: 3_600_000, maxClients: CLIENTS * 2 })
  const seen = { sent: 0, refused: 0, wronglyAllowed: 0, wronglyRefused: 0, errors: new Map<string, number>() }
  const times: number[] = []
  const under = new Set<Promise<void>>()
  const endMs = performance.now() + minutes * 60_000
  for (let nextMs = performance.now(); nextMs < endMs; nextMs += (-Math.log(1 - random()) * 1000) / perSecond) {
    await delay(Math.max(0, nextMs - performance.now()))
    const wanted = random() * (upTo.at(-1) ?? 0)
    const client = upTo.findIndex((most) => most >= wanted)
    const { allowed } = one.take(client)
    const fromMs = performance.now()
    const address = `198.18.${client >> 8}.${client & 255}`
    const target = TARGETS[seen.sent % TARGETS.length] ?? ''
    seen.sent += 1
    const done: Promise<void> = (async () => {
      const fault = await ask(port, target, { headers: { 'x-forwarded-for': address } }).then(
        ({ status }) => {
          times.push(performance.now() - fromMs)
          if (status === 429) seen.refused += 1
          if (status === 200 && !allowed) seen.wronglyAllowed += 1
          if (status === 429 && allowed) seen.wronglyRefused += 1
          return status === 200 || status === 429 ? null : String(status)
        },
        (error: Error) => error.message,
      )
      if (fault !== null) seen.errors.set(fault, (seen.errors.get(fault) ?? 0) + 1)
    })()
    under.add(done)
    void done.finally(() => under.delete(done))
  }
  await Promise.all(under)
  times.sort((a, b) => a - b)
  const at = (share: number): string => `${(times[Math.floor(times.length * share)] ?? 0).toFixed(1)} ms`
  return [
    `${seen.sent} requests of ${CLIENTS} clients in ${minutes} minutes; ${seen.refused} refused`,
    `wrongly allowed ${seen.wronglyAllowed}, wrongly refused ${seen.wronglyRefused}`,
    `errors ${JSON.stringify(Object.fromEntries(seen.errors))}; p50 ${at(0.5)}, p99 ${at(0.99)}, longest ${at(0.999999)}`,
  ]
}

await fleet(Number(process.argv[2] ?? 5), Number(process.argv[3] ?? 200))
