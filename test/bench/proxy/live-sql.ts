// Owns the measurement against an API without snapshots: the database is asked at every request.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Client } from 'pg'
import { packagePath } from '../../../src/process/package-root.ts'
import { startPostgres } from '../../support/postgres.ts'
import { generateDataset, SIZE_1X } from '../generate.ts'
import { capture, requireStatus } from './answers.ts'
import { ratios, type Table } from './measurements.ts'
import { runLoad } from './load.ts'
import { GZIP, TARGET } from './per-request.ts'
import { cpuSeconds } from './proc.ts'
import { publishOrdinary } from './releases.ts'
import { proxyArguments, startPeer, startServer } from './server.ts'
import type { Settings } from './settings.ts'

/** A small dedicated server, as for the builder's benchmark. */
const SERVER = { shared_buffers: '1GB', work_mem: '64MB', max_parallel_workers_per_gather: '0', max_wal_size: '8GB' }

/** The schema has none but its primary keys, because builds need none; whoever asks live makes these. */
const INDEXES = [
  'CREATE INDEX ON votes (created_at)',
  'CREATE INDEX ON comments (created_at)',
  'CREATE INDEX ON votes (idea_id)',
  'CREATE INDEX ON comments (idea_id)',
  'ANALYZE',
]

/** A round against the database: so many requests in turn, because what wrk leaves unfinished would count. */
const REQUESTS = 10

async function cpuMicrosInTurn(url: string, pids: readonly number[]): Promise<number> {
  const cpu = (): number => pids.reduce((sum, pid) => sum + cpuSeconds(pid), 0)
  const before = cpu()
  for (let n = 0; n < REQUESTS; n++) requireStatus('live SQL', await capture(url, GZIP), 200)
  return ((cpu() - before) / REQUESTS) * 1e6
}

export async function measureLiveSql(
  settings: Settings,
  dir: string,
): Promise<{ tables: Table[]; raw: Record<string, number[]> }> {
  const snapshots = join(dir, 'ordinary')
  await publishOrdinary(snapshots)
  const postgres = await startPostgres(SERVER)
  const client = new Client({ connectionString: await postgres.createDatabase('live') })
  const proxy = await startServer('analytics-proxy', proxyArguments(snapshots))
  const live = await startPeer('Express and SQL', 'live-sql.mjs', postgres.url('live'))
  try {
    await client.connect()
    await client.query(await readFile(packagePath('src/source/mapping/built-in/native/schema.sql'), 'utf8'))
    const size = settings.quick ? { ...SIZE_1X, scale: 0.1 } : SIZE_1X
    await generateDataset(client, size, new Date())
    await client.query('VACUUM ANALYZE')
    const load = { url: proxy.url + TARGET, headers: GZIP, pids: [proxy.pid] }
    const liveUrl = live.url + TARGET
    requireStatus(proxy.name, await capture(load.url, GZIP), 200)
    const [own, ownBesideIndexed, plain, indexed]: [number[], number[], number[], number[]] = [[], [], [], []]
    for (const rounds of [plain, indexed]) {
      if (rounds === indexed) for (const statement of INDEXES) await client.query(statement)
      // Also reads the tables into the server's memory.
      requireStatus(live.name, await capture(liveUrl, GZIP), 200)
      for (let round = 0; round < settings.rounds; round++) {
        rounds.push(await cpuMicrosInTurn(liveUrl, [live.pid, postgres.pid]))
        const { cpuMicrosPerRequest } = await runLoad(load, settings.roundSeconds)
        ;(rounds === plain ? own : ownBesideIndexed).push(cpuMicrosPerRequest)
      }
    }
    const goal = { atMost: 1 / 1000, text: '<= 1/1000' }
    return {
      tables: [
        {
          title: `Processor time per request against live SQL, ${(5 * size.scale).toFixed(1)} million votes`,
          how: `GET ${TARGET}; Express, pg and PostgreSQL together, ${REQUESTS} requests in turn a round; first on the schema as it is, then with indexes for this query`,
          rows: [
            { name: 'analytics-proxy', unit: 'µs', values: own },
            { name: 'live SQL', unit: 'µs', values: plain },
            { name: 'live SQL with indexes', unit: 'µs', values: indexed },
            { name: 'analytics-proxy / live SQL', unit: '', values: ratios(own, plain), goal },
            {
              name: 'analytics-proxy / live SQL with indexes',
              unit: '',
              values: ratios(ownBesideIndexed, indexed),
              goal,
            },
          ],
        },
      ],
      raw: { own, ownBesideIndexed, plain, indexed },
    }
  } finally {
    await client.end()
    await Promise.all([live.stop(), proxy.stop()])
    await postgres.stop()
  }
}
