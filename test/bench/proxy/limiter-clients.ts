// Owns the measurement of what the limiter remembers: memory with very many clients against a limiter of the smallest
// size there is, after the same requests.
import { join } from 'node:path'
import { clientAddress, LEAST_CLIENTS } from './client-addresses.ts'
import type { Table } from './measurements.ts'
import { MIB } from './machine.ts'
import { rssBytes } from './proc.ts'
import { askAll } from './raw-client.ts'
import { publishOrdinary } from './releases.ts'
import { proxyArguments, startServer } from './server.ts'
import type { Settings } from './settings.ts'

/** Or a million requests would take minutes; the same on both sides. */
const PIPELINED = 50

export async function measureLimiter(
  settings: Settings,
  dir: string,
): Promise<{ tables: Table[]; raw: Record<string, number[]> }> {
  const snapshots = join(dir, 'ordinary')
  await publishOrdinary(snapshots)
  const clients = settings.limiterClients
  const [full, least]: [number[], number[]] = [[], []]
  for (let round = 0; round < settings.limiterRounds; round++) {
    full.push(await residentMib(snapshots, [], clients))
    least.push(await residentMib(snapshots, ['--rate-clients', String(LEAST_CLIENTS)], clients))
  }
  const growth = full.map((mib, round) => mib - (least[round] ?? Number.NaN))
  return {
    tables: [
      {
        title: `${clients.toLocaleString('en')} clients of the limiter, half of them IPv6`,
        how: 'VmRSS after one request over HTTP from each, by X-Forwarded-For from loopback; one proxy remembers all of them, the other the 1,000 that are the least it can be told to',
        rows: [
          { name: 'all remembered', unit: 'MiB', values: full },
          { name: '1,000 remembered', unit: 'MiB', values: least },
          { name: 'difference', unit: 'MiB', values: growth, goal: { atMost: 128 } },
        ],
      },
    ],
    raw: { full, least },
  }
}

async function residentMib(snapshots: string, more: readonly string[], clients: number): Promise<number> {
  const proxy = await startServer('analytics-proxy', proxyArguments(snapshots, more))
  try {
    // A path that does not exist is counted like any other, and is answered with the least work.
    const request = (n: number): string =>
      `GET /api/x HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${clientAddress(n)}\r\n\r\n`
    await askAll(proxy.port, clients, 404, request, PIPELINED)
    return rssBytes(proxy.pid) / MIB
  } finally {
    await proxy.stop()
  }
}
