// Owns the measurement of a large CSV, uncompressed: what a slow reader costs in memory, and how fast a fast one is.
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { capture, requireStatus } from './answers.ts'
import { ratios, type Table } from '../measurements.ts'
import { MIB, onClientCore, program } from './machine.ts'
import { startNginxOn } from './nginx-file.ts'
import { peakRssBytes, resetPeak, rssBytes } from './proc.ts'
import { BIG_EXPORT, publishBigExport } from './releases.ts'
import { proxyArguments, startServer, type Server } from './server.ts'
import type { Settings } from '../settings.ts'

const TARGET = '/api/analytics/export?type=ideas&period=all&format=csv'

export async function measureBigExport(settings: Settings, dir: string): Promise<Table[]> {
  const snapshots = join(dir, 'big')
  const manifest = await publishBigExport(snapshots, settings.bigBytes)
  const bytes = manifest.files.find(({ path }) => path === BIG_EXPORT)?.bytes ?? 0
  const proxy = await startServer('analytics-proxy', proxyArguments(snapshots))
  const nginx = await startNginxOn(join(dir, 'nginx'), snapshots)
  const nginxUrl = `${nginx.url}/releases/${manifest.id}/${BIG_EXPORT}`
  try {
    requireStatus(proxy.name, await capture(`${proxy.url}/healthz`, {}), 200)
    // The slow reader comes first: a fast one may leave memory behind that is then found free.
    const growth: number[] = []
    for (let round = 0; round < (settings.quick ? 1 : 3); round++)
      growth.push(await growthWhileReading(proxy, settings.slowSeconds))
    const own: number[] = []
    const others: number[] = []
    await mbPerSecond(proxy.url + TARGET, bytes)
    await mbPerSecond(nginxUrl, bytes)
    for (let round = 0; round < settings.rounds; round++) {
      own.push(await mbPerSecond(proxy.url + TARGET, bytes))
      others.push(await mbPerSecond(nginxUrl, bytes))
    }
    const rows = [
      { name: 'memory growth, one reader at 1 MB/s', unit: 'MiB', values: growth, goal: { atMost: 16 } },
      { name: 'analytics-proxy', unit: 'MB/s', values: own },
      { name: 'nginx', unit: 'MB/s', values: others },
      { name: 'analytics-proxy / nginx', unit: '', values: ratios(own, others), goal: { atLeast: 0.4 } },
    ]
    const how = `peak resident memory over ${settings.slowSeconds} s of reading; curl to /dev/null on the other core`
    return [{ title: `CSV export of ${(bytes / 1e6).toFixed(0)} MB, identity`, how, rows }]
  } finally {
    await Promise.all([proxy.stop(), nginx.stop()])
  }
}

const SIP_BYTES = 50_000
const SIP_MS = 50

/** MiB that the proxy grows by while somebody takes 1 MB a second. */
async function growthWhileReading(proxy: Server, seconds: number): Promise<number> {
  resetPeak(proxy.pid)
  const before = rssBytes(proxy.pid)
  const socket = connect(proxy.port, '127.0.0.1')
  await once(socket, 'connect')
  socket.pause()
  socket.write(`GET ${TARGET} HTTP/1.1\r\nHost: bench\r\n\r\n`)
  const endMs = performance.now() + seconds * 1000
  let taken = 0
  const startMs = performance.now()
  while (performance.now() < endMs) {
    const due = ((performance.now() - startMs) / SIP_MS) * SIP_BYTES
    while (taken < due) {
      const chunk = socket.read() as Buffer | null
      if (chunk === null) break
      taken += chunk.length
    }
    await sleep(SIP_MS)
  }
  const growth = (peakRssBytes(proxy.pid) - before) / MIB
  socket.destroy()
  if (taken < seconds * 0.5e6) throw new Error(`the slow reader got only ${taken} bytes`)
  return growth
}

async function mbPerSecond(url: string, bytes: number): Promise<number> {
  const format = '%{http_code} %{size_download} %{speed_download}'
  const [command, args] = onClientCore(program('curl', 'curl'), ['-s', '-o', '/dev/null', '-w', format, url])
  const { stdout } = await promisify(execFile)(command, args)
  const [status, size, speed] = stdout.split(' ').map(Number)
  if (status !== 200 || size !== bytes) throw new Error(`${url}: status ${status}, ${size} of ${bytes} bytes`)
  return (speed ?? 0) / 1e6
}
