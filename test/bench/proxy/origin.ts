// Owns what a proxy costs that holds nothing, beside one that reads a folder: each answers every question about trending once, so that
// each file is read once.
import { setTimeout as sleep } from 'node:timers/promises'
import { join } from 'node:path'
import { ratios, type Table } from '../measurements.ts'
import type { Settings } from '../settings.ts'
import { capture, header, requireStatus, type Captured } from './answers.ts'
import { MIB } from './machine.ts'
import { startNginxOn } from './nginx-file.ts'
import { cpuSeconds, peakRssBytes } from './proc.ts'
import { publishOrdinary } from './releases.ts'
import { proxyArguments, startServer, UNREACHED_LIMIT } from './server.ts'

const GZIP = { 'Accept-Encoding': 'gzip' }

export async function measureOrigin(settings: Settings, dir: string): Promise<Table[]> {
  const snapshots = join(dir, 'ordinary')
  const { categories } = await publishOrdinary(snapshots)
  const nginx = await startNginxOn(join(dir, 'nginx'), snapshots)
  const targets = ['24h', '7d', '30d', '90d'].flatMap((period) =>
    categories.map(({ name }) => `/api/analytics/trending?period=${period}&category=${encodeURIComponent(name)}`),
  )
  const [program = ''] = proxyArguments(snapshots)
  const ways = {
    'a folder': proxyArguments(snapshots),
    'an origin': [program, '--port', '0', '--origin', nginx.url, ...UNREACHED_LIMIT],
  }
  const answers: Captured[][] = []
  const micros: number[][] = []
  const memory: number[][] = []
  try {
    for (let round = 0; round < settings.rounds; round++)
      for (const [way, [name, args]] of Object.entries(ways).entries()) {
        const proxy = await startServer(name, args)
        while ((await capture(`${proxy.url}/readyz`, {})).status !== 200) await sleep(50)
        const before = cpuSeconds(proxy.pid)
        const got: Captured[] = []
        for (const target of targets) got.push(await capture(proxy.url + target, GZIP))
        ;(micros[way] ??= []).push(((cpuSeconds(proxy.pid) - before) * 1e6) / targets.length)
        ;(memory[way] ??= []).push(peakRssBytes(proxy.pid) / MIB)
        await proxy.stop()
        for (const answer of got) requireStatus(name, answer, 200)
        answers[way] = got
      }
  } finally {
    await nginx.stop()
  }
  const [folder = [], origin = []] = answers
  for (const [i, target] of targets.entries()) {
    const [a, b] = [folder[i], origin[i]].map((answer) => answer && header(answer, 'ETag'))
    if (a === undefined || a !== b) throw new Error(`${target}: ${a} from a folder, ${b} from an origin`)
  }
  const rows = (unit: string, values: readonly number[][]): Table['rows'] => [
    ...Object.keys(ways).map((name, way) => ({ name, unit, values: values[way] ?? [] })),
    { name: 'an origin / a folder', unit: '', values: ratios(values[1] ?? [], values[0] ?? []) },
  ]
  const how = `GET of ${targets.length} answers, each once, gzip, one after the other; the origin is nginx; ${settings.rounds} alternating rounds`
  return [
    { title: 'Processor time per first answer, by where the proxy reads', how, rows: rows('µs', micros) },
    { title: 'Peak memory of the proxy, by where it reads', how, rows: rows('MiB', memory) },
  ]
}
