// Owns a program that reads a data set's ideas into memory and then formats them, again and again, by the product's own
// functions: the rows alone, and the whole ideas export into a stage without compression.
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { toCsv } from '../../../src/analytics/csv-text.ts'
import { ideaRow } from '../../../src/analytics/kinds/ideas.ts'
import { IdeasExport } from '../../../src/builder/documents/streamed-exports.ts'
import type { ExportRow } from '../../../src/contract/kinds/tables.ts'
import type { IdeaFacts } from '../../../src/model/facts.ts'
import { ReportedTotals } from '../../../src/release/checks/reported-totals.ts'
import { Staging } from '../../../src/release/writing/staging.ts'
import { connect } from '../../../src/source/database/connect.ts'
import { parseDatabaseUrl } from '../../../src/source/database/parse-target.ts'
import { beginConsistentRead } from '../../../src/source/read/consistent-read.ts'
import { loadMapping } from '../../../src/source/mapping/mapping.ts'
import { releasePaths } from '../../../src/release/format/paths.ts'

const READ = { statementTimeoutMs: 60_000, lockTimeoutMs: 5_000, rowSecurity: 'off', asOfMs: null } as const

const [url = '', dir = '', rounds = '1'] = process.argv.slice(2)
const { asOfMs, batches } = await readIdeas(url)
const results: object[] = []
for (let round = 0; round <= Number(rounds); round++) {
  const formatted = await cpuSeconds(() => Promise.resolve(format(batches)))
  const written = await cpuSeconds(() => write(batches))
  const rows = batches.reduce((sum, batch) => sum + batch.length, 0)
  // The first round is for the compilers of the runtime.
  if (round > 0) results.push({ rows, formatSeconds: formatted, writeSeconds: written })
}
console.log(JSON.stringify(results))

async function readIdeas(databaseUrl: string): Promise<{ asOfMs: number; batches: IdeaFacts[][] }> {
  const connection = await connect(parseDatabaseUrl(databaseUrl), new AbortController().signal)
  try {
    const source = await beginConsistentRead(connection.client, loadMapping('native', {}), READ)
    const read: IdeaFacts[][] = []
    for await (const batch of source.facts()) read.push(batch)
    return { asOfMs: source.asOfMs, batches: read }
  } finally {
    await connection.close()
  }
}

/** As IdeasExport does it for the period `all`, of which every idea is a row; the text is measured and let go. */
function format(all: readonly (readonly IdeaFacts[])[]): number {
  let characters = 0
  for (const batch of all) {
    const rows: ExportRow[] = []
    for (const idea of batch) {
      const row = ideaRow(idea, 'all', asOfMs, null)
      if (row !== null) rows.push(row)
    }
    characters += rows.map((row) => JSON.stringify(row)).join(',').length + toCsv('ideas', rows).length
  }
  return characters
}

async function write(all: readonly IdeaFacts[][]): Promise<void> {
  const stage = await Staging.create(releasePaths(join(dir, 'rows')), [])
  const ideas = new IdeasExport(stage, asOfMs, null)
  for (const batch of all) await ideas.add(batch)
  await ideas.end(new Date(asOfMs).toISOString(), new ReportedTotals('exact'))
  await stage.discard()
  await rm(join(dir, 'rows'), { recursive: true })
}

async function cpuSeconds(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1e6
}
