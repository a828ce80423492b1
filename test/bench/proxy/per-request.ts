// Owns the main measurement: what one answer costs in processor time, beside servers that give the same one.
import { realpathSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { capture, header, type Captured } from './answers.ts'
import { requireSameDocument, requireSameHead, requireStatus, requireTrending } from './answers.ts'
import { alternate, ratios, type Goal, type Table } from '../measurements.ts'
import { CONNECTIONS, runLoad, type Load, type Round } from './load.ts'
import { startNginx } from './nginx-file.ts'
import { publishOrdinary } from './releases.ts'
import { proxyArguments, startConstant, startServer, type Server } from './server.ts'
import type { Settings } from '../settings.ts'

const TARGET = '/api/analytics/trending?limit=20'
const GZIP: Readonly<Record<string, string>> = { 'Accept-Encoding': 'gzip' }

interface Case {
  readonly server: Server
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
  readonly isError?: boolean
  /** The case that this one is the measure for. */
  readonly goal?: { readonly of: string; readonly limit: Goal }
}

export async function measurePerRequest(settings: Settings, dir: string): Promise<Table[]> {
  const snapshots = join(dir, 'ordinary')
  await publishOrdinary(snapshots)
  const cases: Case[] = []
  try {
    await startAll(cases, dir, snapshots)
    return tablesOf(cases, await roundsOf(cases, settings), settings)
  } finally {
    await Promise.all([...new Set(cases.map(({ server }) => server))].map((server) => server.stop()))
  }
}

async function startAll(cases: Case[], dir: string, snapshots: string): Promise<void> {
  const constant = async (name: string, answer: Captured): Promise<Server> => {
    const file = join(dir, `${name.replace(/\W+/g, '-')}.json`)
    writeFileSync(file, JSON.stringify({ ...answer, body: answer.body.toString('base64') }))
    return startConstant(name, file)
  }
  const proxy = await startServer('analytics-proxy', proxyArguments(snapshots))
  cases.push({ server: proxy, target: TARGET, headers: GZIP })
  const expected = await capture(proxy.url + TARGET, GZIP)
  const release = realpathSync(join(snapshots, 'current'))
  const snapshot = readFileSync(join(release, 'analytics/trending/7d/all.json'), 'utf8')
  requireTrending(expected, JSON.parse(snapshot) as Record<string, unknown>)

  const peer = async (server: Server, limit: Goal, target = TARGET): Promise<void> => {
    cases.push({ server, target, headers: GZIP, goal: { of: proxy.name, limit } })
    requireSameDocument(server.name, await capture(server.url + target, GZIP), expected)
  }
  const floor = await constant('bare node:http', expected)
  await peer(floor, { atMost: 1.25 })
  requireSameHead(floor.name, await capture(floor.url + TARGET, GZIP), expected)
  const files = { 'answer.json': gunzipSync(expected.body), 'answer.json.gz': expected.body }
  const nginx = await startNginx(join(dir, 'nginx'), files, expected.headers)
  await peer(nginx, { atMost: 1.9 }, '/answer.json')

  /** A server that works its answer out, and a bare one that always gives the same. */
  const besideConstant = async (
    server: Server,
    headers: Case['headers'],
    status: number,
    before = async (): Promise<void> => {},
  ): Promise<void> => {
    const asked = { target: TARGET, headers, isError: status >= 400 }
    cases.push({ server, ...asked })
    await before()
    const answer = await capture(server.url + TARGET, headers)
    requireStatus(server.name, answer, status)
    const bare = await constant(`bare node:http, ${status}`, answer)
    cases.push({ server: bare, ...asked, goal: { of: server.name, limit: { atMost: 1.15 } } })
    requireSameHead(bare.name, await capture(bare.url + TARGET, headers), answer)
  }
  const unmodified = { ...proxy, name: 'analytics-proxy, 304' }
  await besideConstant(unmodified, { ...GZIP, 'If-None-Match': header(expected, 'ETag') ?? '' }, 304)
  const spent = await startServer(
    'analytics-proxy, 429',
    proxyArguments(snapshots, ['--rate-limit', '1', '--rate-window', '24h']),
  )
  await besideConstant(spent, GZIP, 429, async () =>
    requireStatus('the first request', await capture(spent.url + TARGET, GZIP), 200),
  )
}

function loadOf({ server, target, headers, isError = false }: Case): Load {
  return { url: server.url + target, headers, isError, pids: [server.pid] }
}

async function roundsOf(cases: readonly Case[], settings: Settings): Promise<Record<string, Round[]>> {
  // One after the other: of seven at once on one core, one may get no answer within its second.
  for (const one of cases) await runLoad(loadOf(one), settings.warmUpSeconds)
  const raw: Record<string, Round[]> = Object.fromEntries(cases.map(({ server }) => [server.name, []]))
  await alternate(
    settings.requestRounds,
    cases.map((one) => async () => void raw[one.server.name]?.push(await runLoad(loadOf(one), 1))),
  )
  return raw
}

function tablesOf(cases: readonly Case[], raw: Record<string, Round[]>, settings: Settings): Table[] {
  const each = (name: string, figure: keyof Round): number[] => (raw[name] ?? []).map((round) => round[figure])
  const how = `GET ${TARGET}, Accept-Encoding: gzip; wrk, ${CONNECTIONS} connections, 1 thread, ${settings.requestRounds} alternating rounds of 1 s`
  const figures = (title: string, unit: string, figure: keyof Round): Table => ({
    title,
    how,
    rows: cases.map(({ server }) => ({ name: server.name, unit, values: each(server.name, figure) })),
  })
  return [
    figures('Processor time per request', 'µs', 'cpuMicrosPerRequest'),
    {
      title: 'Processor time per request of the proxy against others',
      how: 'user and system time of all its processes, divided by that of the other in the same round',
      rows: cases.flatMap(({ server, goal }) => {
        if (goal === undefined) return []
        const [own, others] = [each(goal.of, 'cpuMicrosPerRequest'), each(server.name, 'cpuMicrosPerRequest')]
        return [{ name: `${goal.of} / ${server.name}`, unit: '', values: ratios(own, others), goal: goal.limit }]
      }),
    },
    figures('Requests per second', '', 'perSecond'),
    figures('Latency, 99th percentile', 'µs', 'p99Micros'),
  ]
}
