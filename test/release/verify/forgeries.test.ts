// What `verify` says of forgeries by somebody who may write all that a site serves, and makes every hash, size, id and chain right
// again: a table, one row each. What it cannot show it says itself, in words that docs/api.md has, too.
// long test: builds a site, and verifies each forgery in its folder and at its address
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { releaseNamed } from '../../../src/builder/commands/which-release.ts'
import { releasePaths } from '../../../src/release/format/paths.ts'
import { prune } from '../../../src/release/writing/prune.ts'
import { verifyRelease, type Verification } from '../../../src/release/verify/verify.ts'
import { openNativeDatabase } from '../../oracle/random-database.ts'
import { buildAt } from '../../support/library-build.ts'
import { describeWithPostgres } from '../../support/postgres.ts'
import { SITE } from '../../support/site.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { forged, zipOf, type Forger } from './forger.ts'

const OVER = 'analytics/export/overview/7d'
const STATS = 'public/stats.json'
const HISTORY = /^analytics\/export\/history\/all\.json of \S+: its row of 2026-05-01 is not as \S+ has it$/
const ZIP = (fault: string): RegExp => new RegExp(`^bulk\\.zip: ${fault}`)
const SHEET = (n: number): string => `xl/worksheets/sheet${n}.xml`
const more = (text: string): string => String(Number(text) + 1)
/** The other days of the site have a line and a row. */
const OLD = ({ date }: { readonly date: string }): boolean => date === '2026-05-01'

type Forgery = readonly [forge: (forger: Forger) => void, fault: RegExp]

const NAMED: Readonly<Record<string, Forgery>> = {
  'manifest: another id': [
    (f) =>
      (f.spoilManifest = (text) => text.replace(/(?<=^{"id":"\d{8}T\d{9}Z-)./, (hex) => (hex === '0' ? '1' : '0'))),
    /its list of files gives the id/,
  ],
  'manifest: another instant': [
    (f) => f.say({ dataAsOf: '2026-05-03T19:00:00.000Z' }),
    /its dataAsOf is 2026-05-03T18:00:00\.000Z$/,
  ],
  'manifest: made at another time': [(f) => f.say({ generatedAt: '2026-05-03T19:00:00.000Z' }), /its generatedAt is/],
  'manifest: another version': [(f) => f.say({ version: '1.1' }), /its version is 1\.0$/],
  'manifest: another mode of people': [
    (f) => f.say({ options: { ...f.manifest.options, people: 'off' } }),
    /--people off|people/,
  ],
  'manifest: another time zone': [
    (f) => f.say({ options: { ...f.manifest.options, timeZone: 'Asia/Tokyo' } }),
    /timeZone is|time zone|from is/,
  ],
  'manifest: another mapping': [
    (f) => f.say({ mapping: { ...f.manifest.mapping, sha256: 'a'.repeat(64) } }),
    /its last row is of mapping \w+, its release of aaaaaaaa$/,
  ],
  'manifest: a closed site': [(f) => f.say({ closed: true }), /the site is closed to visitors, but/],
  'manifest: other totals': [
    (f) => f.say({ rows: { ...f.manifest.rows, ideas: 99 } }),
    /^total ideas: .* in rows of manifest\.json$/,
  ],
  'manifest: a category left out': [
    (f) => f.say({ categories: f.manifest.categories.slice(1) }),
    /categories|answers no combination/,
  ],
  'manifest: another release before it': [
    (f) => f.say({ previous: { ...f.manifest.previous!, sha256: 'a'.repeat(64) } }),
    /manifest of 2026-05-03T10:00:00\.000Z is \w+, but a{64} in previous of/,
  ],
  'manifest: the release before it is that of another day': [
    (f) => f.say({ previous: f.manifestOf(f.ids[0]!).previous! }),
    /^previous: 20260501T\S+, but the history has the release of 2026-05-02T10:00:00\.000Z after it$/,
  ],
  'manifest: a file twice': [
    (f) => f.say({ files: [...f.manifest.files, f.manifest.files[0]!] }),
    /it lists \S+ twice$/,
  ],
  'manifest: a file left out': [(f) => f.list(`${OVER}.json`, null), /overview\/7d\.json: not in the manifest$/],
  'manifest: a key twice': [
    (f) => (f.spoilManifest = (text) => text.replace('"rows":{', '"rows":{"ideas":99,')),
    /manifest\.json .*not as it is written, such as with a key twice$/,
  ],
  'document: a number': [
    (f) => f.change(STATS, (text) => text.replace(/(?<="totalIdeas":)\d+/, more)),
    /^total ideas: .* in totalIdeas of public\/stats\.json/,
  ],
  'document: a key twice': [
    (f) => f.change(STATS, (text) => text.replace('"totalIdeas"', '"totalIdeas":99,"totalIdeas"')),
    /^public\/stats\.json: .*a key comes twice/,
  ],
  'document: that of another day': [
    (f) => f.files.set(STATS, readFileSync(join(f.root, 'releases', f.ids[0]!, STATS))),
    /^public\/stats\.json: its generatedAt is 2026-05-02/,
  ],
  'document: a row of a table left out': [
    (f) =>
      f.change(`${OVER}.json`, (text) =>
        text.replace(/(?<="data":\[)\{[^}]*\},?/, '').replace(/"rowCount":\d+/, '"rowCount":0'),
      ),
    /overview\/7d\.(?:json|csv): /,
  ],
  'document: a CSV': [
    (f) => f.change(`${OVER}.csv`, (text) => text.replace(/\d+(?=\D*$)/, more)),
    /overview\/7d\.csv: its header or one of its \d+ rows is not as in its JSON$/,
  ],
  'log: a line that its chain does not follow': [
    (f) => (f.spoilLog = (text) => text.replace(/(?<=2026-05-01,.*)\d+(?=,\w{64}\n2026-05-02)/, more)),
    /^log\.csv: its line of 2026-05-01 does not follow/,
  ],
  'log: other totals of a day': [
    (f) => f.cell(2, 3, more),
    /^log\.csv of 2026-05-01: ideas of 2026-05-01T10:00:00\.000Z is \d+, but \d+ in analytics\/export\/history/,
  ],
  'log: other totals of the last day of a month, and of the history': [
    (f) => {
      f.cell(1, 3, more)
      f.history((rows) =>
        rows.map((row) => (row.date === '2026-04-30' ? { ...row, totalIdeas: row.totalIdeas + 1 } : row)),
      )
    },
    /releases\/2026-04\/manifest\.json/,
  ],
  'log: another manifest of a release that is there': [
    (f) => f.cell(-1, 2, () => 'b'.repeat(64)),
    /^log\.csv of 2026-05-02: manifest of 2026-05-02T10:00:00\.000Z is b{64}, but/,
  ],
  'log: another release of the same instant': [
    (f) => f.cell(-1, 1, (id) => `${id.slice(0, -8)}00000000`),
    /^log\.csv of 2026-05-02: id of 2026-05-02T10:00:00\.000Z is/,
  ],
  'log: an earlier day': [
    (f) => f.cell(-1, 0, () => '2026-05-01'),
    /^log\.csv: its line of 2026-05-01 is of \S+, which was read later$/,
  ],
  'log: a second line for an old day': [
    (f) => f.lines.push(f.lines[0]!.replace('Z-', '1Z-').replace(/(\d{8}T\d{8})\d1Z/, '$11Z')),
    /^log\.csv: its line of 2026-04-29 stands after the end of 2026-05-02, which was not taken back$/,
  ],
  'log: the last line twice': [
    (f) => f.lines.push(f.lines.at(-1)!),
    /^log\.csv: its line of 2026-05-02 is there twice/,
  ],
  'log: two lines in the other order': [
    (f) => (f.lines = [f.lines[1]!, f.lines[0]!, ...f.lines.slice(2)]),
    /^log\.csv: its line of 2026-04-29 stands after the end of 2026-04-30/,
  ],
  'log: a cell that is no number': [(f) => f.cell(1, 4, () => '1e3'), /^log\.csv: line 3 is no line of a day/],
  'log: a day that there is not': [(f) => f.cell(1, 0, () => '2026-04-31'), /^log\.csv: line 3 is no line of a day/],
  'log: another header': [
    (f) => (f.header = f.header.replace('totalIdeas,totalVotes', 'totalVotes,totalIdeas')),
    /log\.csv/,
  ],
  'history: a number that the log has': [
    (f) => f.history((rows) => rows.map((row) => (OLD(row) ? { ...row, totalVotes: row.totalVotes + 1 } : row))),
    HISTORY,
  ],
  'history: a number that the log has not': [
    (f) => f.history((rows) => rows.map((row) => (OLD(row) ? { ...row, launchedIdeas: row.launchedIdeas + 1 } : row))),
    HISTORY,
  ],
  'history: a row left out': [(f) => f.history((rows) => rows.filter((row) => !OLD(row))), HISTORY],
  'history: a row twice': [
    (f) => f.history((rows) => rows.flatMap((row) => (OLD(row) ? [row, row] : [row]))),
    /2026-05-01 does not come after 2026-05-01$/,
  ],
  'history: the row of another day': [
    (f) =>
      f.history((rows) =>
        rows.map((row) => (OLD(row) ? { ...rows[0]!, date: row.date, dataAsOf: row.dataAsOf } : row)),
      ),
    HISTORY,
  ],
  'history: a row of a day without a release': [
    (f) =>
      f.history((rows) => [
        ...rows.slice(0, -1),
        { ...rows[0]!, date: '2026-05-02', dataAsOf: '2026-05-02T22:00:00.000Z' },
        rows.at(-1)!,
      ]),
    /2026-05-02 does not come after 2026-05-02$|its row of 2026-05-02 is not as/,
  ],
  'history: its own row': [
    (f) => f.history((rows) => [...rows.slice(0, -1), { ...rows.at(-1)!, totalIdeas: 99 }]),
    /^total ideas: /,
  ],
  'history: one period only': [
    (f) => f.change('analytics/export/history/30d.json', (text) => text.replace(/(?<="totalIdeas":)\d+/, more)),
    /history\/30d\.json: row \d, of .* is not as in the history of all time$/,
  ],
  'zip: a number in a table': [
    (f) =>
      void (entryAt(f, `${OVER}.csv`).content = Buffer.from(
        entryAt(f, `${OVER}.csv`)
          .content.toString()
          .replace(/(?<=\r\n.*)\d/, (digit) => (digit === '9' ? '8' : '9')),
      )),
    ZIP('its analytics/export/overview/7d.csv is not that of the release'),
  ],
  'zip: a longer table': [
    (f) =>
      void (entryAt(f, `${OVER}.csv`).content = Buffer.concat([entryAt(f, `${OVER}.csv`).content, Buffer.alloc(9)])),
    ZIP('its analytics/export/overview/7d.csv has \\d+ bytes, expected \\d+$'),
  ],
  'zip: a table left out': [
    (f) => (f.entries = f.entries.filter(({ name }) => name !== `${OVER}.csv`)),
    ZIP('analytics/export/overview/7d.csv is not where it must be in it'),
  ],
  'zip: a table twice': [
    (f) => (f.entries = f.entries.flatMap((entry) => (entry.name === `${OVER}.csv` ? [entry, entry] : [entry]))),
    ZIP('.* is not where it must be in it'),
  ],
  'zip: a table of another day': [
    (f) => void (entryAt(f, `${OVER}.csv`).content = readFileSync(join(f.root, 'releases', f.ids[0]!, `${OVER}.csv`))),
    ZIP('its analytics/export/overview/7d.csv '),
  ],
  'zip: a name that leads out of it': [
    (f) => void (entryAt(f, `${OVER}.csv`).name = '../'.repeat(6) + OVER.slice(-8) + '.csv'),
    ZIP('.* is not where it must be in it'),
  ],
  'zip: a directory that lists something else': [
    (f) => (f.spoilZip = (zip) => Buffer.concat([zip.subarray(0, zip.lastIndexOf('PK\u0001\u0002')), zipOf([], 0)])),
    ZIP('its directory is not that of its entries'),
  ],
  'zip: something after its end': [
    (f) => (f.spoilZip = (zip) => Buffer.concat([zip, Buffer.from('x')])),
    ZIP('its directory is not that of its entries'),
  ],
  'zip: left out': [(f) => f.list('bulk.zip', null), /^bulk\.zip: not in the manifest$/],
  'table: a cell of which no text can be made': [
    (f) => f.change(`${OVER}.json`, (text) => text.replace(/(?<="value":)\d+/, '{"toString":1}')),
    /^analytics\/export\/overview\/7d\.json: its rows are not objects of at most 64 texts, numbers, booleans and nulls in a list$/,
  ],
  'workbook: a title': [
    (f) => f.workbook('ideas.xlsx', SHEET(1), (text) => text.replace('>Idea 29<', '>Idea 28<')),
    /^ideas\.xlsx: its sheet ideas is not that of the release$/,
  ],
  'workbook: a number of a table': [
    (f) => f.workbook('tables.xlsx', SHEET(2), (text) => text.replace(/(?<="B4"><v>)\d+/, more)),
    /^tables\.xlsx: its sheet overview is not that of the release$/,
  ],
  'workbook: a number of people where there is none': [
    (f) =>
      f.workbook('tables.xlsx', SHEET(2), (text) => text.replace(/(?=<\/row><row r="4">)/, '<c r="F3"><v>7</v></c>')),
    /^tables\.xlsx: its sheet overview has \d+ bytes, expected \d+$/,
  ],
  'workbook: a row left out': [
    (f) => f.workbook('ideas.xlsx', SHEET(1), (text) => text.replace(/<row r="30">.*?<\/row>/s, '')),
    /^ideas\.xlsx: its sheet ideas has \d+ bytes, expected \d+$/,
  ],
  'workbook: a row more': [
    (f) => f.workbook('ideas.xlsx', SHEET(1), (text) => text.replace('</sheetData>', '<row r="99"></row></sheetData>')),
    /^ideas\.xlsx: its sheet ideas has \d+ bytes, expected \d+$/,
  ],
  'workbook: something after its end': [
    (f) => f.workbook('ideas.xlsx', SHEET(1), (text) => `${text}<!-- -->`),
    /^ideas\.xlsx: its sheet ideas has \d+ bytes, expected \d+$/,
  ],
  'workbook: the name of a column': [
    (f) => f.workbook('tables.xlsx', SHEET(2), (text) => text.replace('>value<', '>other<')),
    /^tables\.xlsx: its sheet overview is not that of the release$/,
  ],
  'workbook: how cells look': [
    (f) => f.workbook('tables.xlsx', 'xl/styles.xml', (text) => text.replace('yyyy', 'mm')),
    /^tables\.xlsx: its xl\/styles\.xml has \d+ bytes, expected \d+$/,
  ],
  'workbook: the name of a sheet': [
    (f) => f.workbook('tables.xlsx', 'xl/workbook.xml', (text) => text.replace('overview', 'overvieW')),
    /^tables\.xlsx: its xl\/workbook\.xml is not that of the release$/,
  ],
  'workbook: that of another day': [
    (f) => f.files.set('tables.xlsx', readFileSync(join(f.root, 'releases', f.ids[0]!, 'tables.xlsx'))),
    /^tables\.xlsx: /,
  ],
  'workbook: the other one': [(f) => f.files.set('ideas.xlsx', f.files.get('tables.xlsx')!), /^ideas\.xlsx: /],
  'workbook: without its table': [
    (f) => f.list('analytics/export/history/all.json', null),
    /^tables\.xlsx: its table analytics\/export\/history\/all\.json is not there$/,
  ],
  'workbook: how many rows': [(f) => f.list('ideas.xlsx', { rows: 29 }), /^ideas\.xlsx: the manifest says 29 rows/],
  'search: a title': [
    (f) => f.change('search/1.json', (text) => text.replace('Idea 29', 'Idea 28')),
    /^analytics\/export\/ideas\/all\.json: the files of the search are not what its rows make$/,
  ],
  'search: a file more': [
    (f) => {
      f.files.set('search/2.json', f.files.get('search/1.json')!)
      const file = f.manifest.files.find(({ path }) => path === 'search/1.json')!
      f.say({
        files: f.manifest.files.flatMap((one) => (one === file ? [one, { ...one, path: 'search/2.json' }] : [one])),
      })
    },
    /^analytics\/export\/ideas\/all\.json: the files of the search are not what its rows make$/,
  ],
  'archive: other totals of its month': [
    (f) => f.cell(1, 5, more),
    /^log\.csv of 2026-04-30: comments of 2026-04-30T10:00:00\.000Z is/,
  ],
}

/** By a server that sends what is there, whatever it is: a proxy would show no release that is forged so clumsily. */
async function served(snapshots: string): Promise<string> {
  const server = createServer(({ url = '/' }, answer) => {
    try {
      answer.end(readFileSync(join(snapshots, url.replace('/snapshots/', ''))))
    } catch {
      answer.writeHead(404).end()
    }
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/snapshots`
}

const entryAt = (f: Forger, path: string) => f.entries.find(({ name }) => name === path)!

/** What nothing that is served can show, and how the verdict says so. */
const NOT_PROVED: Readonly<Record<string, readonly [forge: (forger: Forger) => void, said: RegExp]>> = {
  'page: a number': [(f) => f.change('index.html', (text) => text.replace(/<p>/, '<p>99 ')), /^pages, .*: bytes only$/],
  'page: left out': [(f) => f.list('404.html', null), /^pages, .*: bytes only$/],
  'page: that of another day': [
    (f) => f.files.set('index.html', readFileSync(join(f.root, 'releases', f.ids[0]!, 'index.html'))),
    /^pages, .*: bytes only$/,
  ],
  'workbook: what a column means': [
    (f) => f.workbook('tables.xlsx', SHEET(1), (text) => text.replace('Different people', 'Anybody')),
    /^pages, .* and tables\.xlsx: bytes only$/,
  ],
  'zip: another README': [
    (f) => void (entryAt(f, 'README.txt').content = Buffer.from('mine')),
    /^pages, .*texts in bulk\.zip and tables\.xlsx: bytes only$/,
  ],
  'manifest: when the next release is due': [
    (f) => f.say({ nextUpdateAt: '2030-01-01T00:00:00.000Z' }),
    /^what only its manifest says \(such as nextUpdateAt\)/,
  ],
  'manifest: another version of the program': [
    (f) => f.say({ programVersion: '9.9.9' }),
    /^what only its manifest says \(such as nextUpdateAt\)/,
  ],
  'manifest: no release before it': [
    (f) => {
      const { previous: _, ...rest } = f.manifest
      f.manifest = rest
    },
    /^releases before it: it names none, though its history has earlier days$/,
  ],
  'log: a line left out': [
    (f) => (f.lines = f.lines.toSpliced(2, 1)),
    /^log\.csv: it has no line of a release that the history has, of: 2026-05-01$/,
  ],
  'log: the last line left out': [
    (f) => (f.lines = f.lines.slice(0, -1)),
    /^log\.csv: it has no line of a release that the history has, of: 2026-05-02$/,
  ],
  'log: a second line for the last day, as of a rollback': [
    (f) => f.lines.push(f.lines.at(-1)!.replace(/T10(\d+)Z-\w+/, 'T11$1Z-00000000')),
    /^log\.csv: it has lines of releases that the history has not, taken back or invented, of: 2026-05-02$/,
  ],
  'log: a later day': [
    (f) => f.cell(2, 0, () => '2026-05-02'),
    /^that all of it was not written anew, with log\.csv: a line that was saved before \(--log\) shows that$/,
  ],
}

describeWithPostgres('a forged site', (postgres) => {
  let client: pg.Client | undefined
  const site = temporaryFolder(afterAll)
  beforeAll(async () => {
    const opened = await openNativeDatabase(postgres(), 'forgeries')
    client = opened.client
    const { query } = { query: (text: string) => opened.client.query(text) }
    await query(`INSERT INTO users SELECT n, '2026-04-01' FROM generate_series(1, 13) n`)
    await query(
      `INSERT INTO ideas (id, title, created_at)
       SELECT n, 'Idea ' || n, '2026-04-01'::timestamptz + n * interval '1 day' FROM generate_series(1, 30) n`,
    )
    await query(
      `INSERT INTO votes (idea_id, user_id, created_at, value)
       SELECT i, n, '2026-04-28', 1 FROM generate_series(1, 9) n, generate_series(1, 20) i`,
    )
    for (const time of ['04-29T10', '04-30T10', '05-01T10', '05-02T10', '05-03T10', '05-03T18']) {
      const asOfMs = Date.parse(`2026-${time}:00:00.000Z`)
      await query(
        `INSERT INTO comments (id, idea_id, user_id, created_at)
         VALUES (${asOfMs / 3_600_000}, 1, 1, '${new Date(asOfMs - 1).toISOString()}')`,
      )
      const { kind } = await buildAt(asOfMs, opened.url, site, { site: SITE, acceptRevision: true })
      expect(kind).toBe('published')
    }
    await prune(releasePaths(site), { keep: 3, keepMonths: 24 }, Date.now() + 86_400_000)
  }, 120_000)
  afterAll(() => client?.end())

  /** In the folder, and at the address. */
  const verdicts = async (
    forge: (forger: Forger) => void,
    saved: string | null = null,
  ): Promise<readonly Verification[]> => {
    const snapshots = forged(site, temporaryFolder(), forge)
    const address = await served(snapshots)
    const verdict = async (which: string): Promise<Verification> => {
      const found = await releaseNamed(releasePaths(snapshots), which)
      try {
        return await verifyRelease(found, () => {}, saved)
      } finally {
        await found.reader.close()
      }
    }
    // A manifest that is none is an error of the command, which ends it.
    const named = (error: Error): Verification =>
      ({ faults: [error.message], unread: [], notProved: [] }) as unknown as Verification
    return Promise.all(['current', address].map((which) => verdict(which).catch(named)))
  }

  test('is whole before it is forged', async () => {
    for (const { faults, unread } of await verdicts(() => {})) expect([faults, unread]).toEqual([[], []])
  })

  describe('is named', () => {
    test.each(Object.entries(NAMED))('%s', async (_, [forge, fault]) => {
      for (const { faults } of await verdicts(forge)) expect(faults).toContainEqual(expect.stringMatching(fault))
    })
  })

  describe('is not proved to be true, and the verdict says so', () => {
    test.each(Object.entries(NOT_PROVED))('%s', async (_, [forge, said]) => {
      for (const { faults, notProved } of await verdicts(forge)) {
        expect(faults).toEqual([])
        expect(notProved).toContainEqual(expect.stringMatching(said))
      }
    })
  })
})
