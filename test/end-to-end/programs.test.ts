// The recipes for programs that guess what a cell is (src/site/pages/recipes.ts), as they are printed, each run by its program: of a site in
// Berlin, whose months begin in another month of UTC, with categories that such programs take for a number, for nothing or for a formula.
// real test: pandas and R read the files of a build
// long test: builds and serves for each case
import { execFile, execFileSync } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ExportDocument } from '../../src/contract/kinds/export.ts'
import { RECIPES } from '../../src/site/pages/recipes.ts'
import { openNativeDatabase } from '../oracle/random-database.ts'
import { buildAt } from '../support/library-build.ts'
import { describeWithPostgres } from '../support/postgres.ts'
import { startProgram, type ProxyProgram } from '../support/proxy.ts'
import { describeWithComponent, findProgram, type RealComponent } from '../support/real-component.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const run = promisify(execFile)
const AS_OF = Date.parse('2026-06-15T10:00:00.000Z')
const BY_CATEGORY = 'analytics/export/timeline-by-category/all'
const NAMES = ['NA', '03', 'None', '=1+1', 'null']

/** The first Python that has pandas: that of Debian where another one comes before it. */
function withPandas(): RealComponent {
  for (const bin of ['python3', '/usr/bin/python3'])
    try {
      execFileSync(bin, ['-c', 'import pandas'], { stdio: 'ignore' })
      return { ok: true, bin }
    } catch {
      continue
    }
  return { ok: false, how: 'pandas is not installed: apt-get install python3-pandas' }
}

describeWithPostgres('a table whose cells look like something else', (postgres) => {
  let proxy: ProxyProgram | undefined
  let base = ''
  const [snapshots, cwd] = [temporaryFolder(afterAll), temporaryFolder(afterAll)] as const
  beforeAll(async () => {
    const { url, client } = await openNativeDatabase(postgres(), 'programs')
    try {
      const list = NAMES.map((name) => `'${name}'`).join()
      await client.query(`
        INSERT INTO users SELECT n, now() - interval '10 years' FROM generate_series(1, 20) AS n;
        INSERT INTO ideas (id, title, created_at)
          SELECT n, 'Idea ' || n, timestamp '2025-01-01 00:30' AT TIME ZONE 'Europe/Berlin' FROM generate_series(1, 10) AS n;
        INSERT INTO categories SELECT unnest(ARRAY[${list}]);
        INSERT INTO idea_categories SELECT n, (ARRAY[${list}])[1 + n % 5] FROM generate_series(1, 10) AS n;
        INSERT INTO votes
          SELECT idea, person, 1, CASE WHEN person < 18
                   THEN ('2025-01-01 00:40'::timestamp + person * interval '1 month') AT TIME ZONE 'Europe/Berlin' END
            FROM generate_series(1, 10) AS idea, generate_series(1, 20) AS person WHERE person < 10 + idea`)
    } finally {
      await client.end()
    }
    expect(await buildAt(AS_OF, url, snapshots, { timeZone: 'Europe/Berlin' })).toMatchObject({ kind: 'published' })
    proxy = await startProgram(['--snapshots', snapshots])
    base = proxy.base.replace(/\/$/, '')
  })
  afterAll(() => proxy?.kill())

  const code = (wanted: string): string =>
    RECIPES.find(({ name }) => name === wanted)?.code(base) ?? expect.fail(`there is no recipe ${wanted}`)

  /** Votes by a cell of the JSON, as lines. */
  async function votesBy(path: string, column: string, shown: (cell: string) => string): Promise<string[]> {
    const { data } = (await (await fetch(`${base}/${path}.json`)).json()) as ExportDocument
    const sums = new Map<string, number>()
    for (const row of data)
      if (row[column] !== null) {
        const cell = shown(String(row[column]))
        sums.set(cell, (sums.get(cell) ?? 0) + Number(row['votes']))
      }
    return Array.from(sums, ([cell, votes]) => `${cell} ${votes}`).sort()
  }
  /** A text that a spreadsheet would run begins with an apostrophe in CSV. */
  const inCsv = (text: string): string => text.replace(/^=/, "'=")
  const linesOf = (text: string): string[] => text.trimEnd().split('\n').sort()

  describeWithComponent('by pandas', withPandas(), (python) => {
    test('keeps each category and the month of each vote', async () => {
      const print = (by: string): string => `
for cell, votes in timeline.groupby(${by})["votes"].sum().items():
    print(cell, votes)`
      const both = ['"category"', 'timeline["bucket"].dt.strftime("%Y-%m")'].map(print).join('\nprint("---")')
      const { stdout } = await run(python, ['-c', `${code('pandas')}\nprint("---")${both}`])
      const [, categories = '', months = ''] = stdout.split('---\n')
      expect(linesOf(categories)).toEqual(await votesBy(BY_CATEGORY, 'category', inCsv))
      expect(linesOf(months)).toEqual(await votesBy(BY_CATEGORY, 'bucket', (label) => label.slice(0, 7)))
      expect(linesOf(categories)).toHaveLength(NAMES.length)
      expect(linesOf(months)).toEqual(expect.arrayContaining(['2025-01 0', '2025-02 10']))
    })
  })

  describeWithComponent('by R', findProgram('Rscript', 'r-base-core'), (rscript) => {
    test('keeps the day of each vote and, as its words say, each category', async () => {
      const what = RECIPES.find(({ name }) => name === 'r')?.what ?? ''
      const [, strings = '', classes = ''] = /(na\.strings = "") and colClasses = c\((.*?)\) keep/.exec(what) ?? []
      const more = `
votes <- aggregate(votes ~ bucket, timeline, sum)
cat(paste(format(votes$bucket), votes$votes), "---", sep = "\\n")
table <- read.csv("${base}/${BY_CATEGORY}.csv", ${strings}, colClasses = c(bucket = "Date", ${classes}))
votes <- aggregate(votes ~ category, table, sum)
cat(paste(votes$category, votes$votes), sep = "\\n")`
      const { stdout } = await run(rscript, ['-e', code('r') + more], { cwd })
      const [days = '', categories = ''] = stdout.split('---\n')
      expect(linesOf(days)).toEqual(await votesBy('analytics/export/timeline/all-by-day', 'bucket', String))
      expect(linesOf(categories)).toEqual(await votesBy(BY_CATEGORY, 'category', inCsv))
    })
  })
})
