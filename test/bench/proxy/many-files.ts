// Owns the measurements on a release of many files: memory when each was asked for, the time to the first answer, and
// how long the event loop stands still while the proxy changes to another release.
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { packagePath } from '../../../src/process/package-root.ts'
import type { Manifest } from '../../../src/release/format/manifest.ts'
import { switchTo } from '../../../src/release/writing/promote.ts'
import { capture, header, requireStatus } from './answers.ts'
import type { Table } from '../measurements.ts'
import { MIB } from './machine.ts'
import { TARGET } from './per-request.ts'
import { rssBytes } from './proc.ts'
import { askAll } from './raw-client.ts'
import { publishMany, publishTwin } from './releases.ts'
import { proxyArguments, startConstant, startServer, type Server } from './server.ts'
import type { Settings } from '../settings.ts'
import { releasePaths } from '../../../src/release/format/paths.ts'

export async function measureManyFiles(settings: Settings, dir: string): Promise<Table[]> {
  const snapshots = join(dir, 'many')
  const manifest = await publishMany(snapshots, settings.manyFiles)
  const twin = publishTwin(snapshots, manifest)
  const [starts, resident, idle] = [[] as number[], [] as number[], [] as number[]]
  const bareStarts: number[] = []
  const bareAnswer = join(dir, 'answer.json')
  writeFileSync(bareAnswer, JSON.stringify({ status: 200, headers: ['Content-Length', '0'], body: '' }))
  for (let n = 0; n < settings.starts; n++) {
    starts.push(await firstAnswerMs(() => startServer('analytics-proxy', proxyArguments(snapshots))))
    bareStarts.push(await firstAnswerMs(() => startConstant('bare node:http', bareAnswer)))
  }
  for (let n = 0; n < (settings.quick ? 1 : 3); n++) {
    const [before, after] = await residentMib(snapshots, manifest)
    idle.push(before)
    resident.push(after)
  }
  const { delays, quiet } = await switchDelaysMs(snapshots, [twin.id, manifest.id], settings.switches)
  return [
    {
      title: `A release of ${manifest.files.length.toLocaleString('en')} snapshots`,
      how: 'memory: VmRSS, each trending list asked for once as gzip with limit=20; delay: monitorEventLoopDelay (1 ms) inside the proxy, the longest of a second around the switch, by --import of loop-delay-hook.mjs',
      rows: [
        { name: 'start to first answer', unit: 'ms', values: starts, goal: { atMost: 300 } },
        { name: 'start of bare node:http to first answer', unit: 'ms', values: bareStarts },
        { name: 'resident memory before', unit: 'MiB', values: idle },
        { name: 'resident memory after', unit: 'MiB', values: resident, goal: { atMost: 150 } },
        { name: 'event-loop delay without a switch', unit: 'ms', values: quiet },
        { name: 'event-loop delay of a switch', unit: 'ms', values: delays, goal: { atMost: 25 } },
      ],
    },
  ]
}

async function firstAnswerMs(start: () => Promise<Server>): Promise<number> {
  const startMs = performance.now()
  const server = await start()
  requireStatus(server.name, await capture(server.url + TARGET, {}), 200)
  const tookMs = performance.now() - startMs
  await server.stop()
  return tookMs
}

async function residentMib(snapshots: string, manifest: Manifest): Promise<[number, number]> {
  const proxy = await startServer('analytics-proxy', proxyArguments(snapshots))
  try {
    requireStatus(proxy.name, await capture(proxy.url + TARGET, {}), 200)
    const before = rssBytes(proxy.pid) / MIB
    const targets = manifest.files.flatMap(({ path }) => {
      const [, period, , key] = /^analytics\/trending\/(\w+)\/(all|category\/(.+))\.json$/.exec(path) ?? []
      const category = manifest.categories.find((known) => known.key === key)?.name
      if (period === undefined) return []
      const chosen = category === undefined ? '' : `&category=${encodeURIComponent(category)}`
      return [`/api/analytics/trending?limit=20&period=${period}${chosen}`]
    })
    const request = (n: number): string => `GET ${targets[n]} HTTP/1.1\r\nHost: bench\r\nAccept-Encoding: gzip\r\n\r\n`
    await askAll(proxy.port, targets.length, 200, request)
    return [before, rssBytes(proxy.pid) / MIB]
  } finally {
    await proxy.stop()
  }
}

const HOOK = packagePath('test', 'bench', 'proxy', 'loop-delay-hook.mjs')

/** Looks for a new release are 400 ms apart. */
const SWITCH_MS = 1000

async function switchDelaysMs(
  snapshots: string,
  ids: readonly string[],
  switches: number,
): Promise<{ delays: number[]; quiet: number[] }> {
  const proxy = await startServer('analytics-proxy', ['--import', HOOK, ...proxyArguments(snapshots)], true)
  try {
    const [delays, quiet]: [number[], number[]] = [[], []]
    await longestDelayMs(proxy)
    for (let n = 0; n < switches; n++) {
      const id = ids[n % ids.length] ?? ''
      await sleep(SWITCH_MS)
      quiet.push(await longestDelayMs(proxy))
      await switchTo(releasePaths(snapshots), id, Date.now())
      await sleep(SWITCH_MS)
      delays.push(await longestDelayMs(proxy))
      const serving = header(await capture(proxy.url + TARGET, {}), 'X-Snapshot-Id')
      if (serving !== id) throw new Error(`the proxy serves ${serving} a second after the switch to ${id}`)
    }
    return { delays, quiet }
  } finally {
    await proxy.stop()
  }
}

/** Since it was last asked. */
async function longestDelayMs(proxy: Server): Promise<number> {
  proxy.child.send({ ask: 'delay' })
  const [answer] = (await once(proxy.child, 'message')) as [{ readonly longestMs: number }]
  return answer.longestMs
}
