// src/contract/search-files.ts
import { expect, test } from 'vitest'
import type { ExportRow } from '../../src/contract/kinds/tables.ts'
import { SEARCH_FILE, searchFiles, type SearchRow } from '../../src/contract/search-files.ts'
import { siteKindOf } from '../../src/contract/site-paths.ts'
import { TimeZone, UTC } from '../../src/contract/time-zone.ts'

const ROW: ExportRow = {
  id: '7',
  title: 'A tram to the beach',
  category: 'Parks',
  status: 'open',
  createdAt: '2026-05-01T23:30:00.000Z',
  launchedAt: null,
  votes: 1,
  comments: 2,
  totalVotes: 12,
  totalComments: 4,
  url: 'https://ideas.example/7',
  launched: false,
}

/** @param batches of how many rows */
function filesOf(rows: readonly ExportRow[], zone = UTC, batches = rows.length) {
  const search = searchFiles(zone)
  for (let i = 0; i < rows.length; i += batches) search.add(rows.slice(i, i + batches))
  return search.files()
}

const rowOf = (more: ExportRow, zone = UTC): SearchRow =>
  (JSON.parse(filesOf([{ ...ROW, ...more }], zone)[0]?.text ?? '') as [SearchRow])[0]

test.each([
  [0, []],
  [1, [1]],
  [800, [800]],
  [801, [800, 1]],
  [20_000, [800, 4_800, 4_800, 4_800, 4_800]],
  [30_000, [800, 4_800, 4_800, 4_800, 4_800]],
])('%d ideas are in files of %j, whatever the batches', (n, sizes) => {
  const rows = Array.from({ length: n }, (_, i) => ({ ...ROW, title: String(i) }))
  const files = filesOf(rows)
  const found = files.map(({ text }) => JSON.parse(text) as SearchRow[])
  expect(found.map(({ length }) => length)).toEqual(sizes)
  expect(found.flat().map(([title]) => title)).toEqual(rows.slice(0, 20_000).map(({ title }) => title))
  for (const { path } of files) expect([SEARCH_FILE.test(path), siteKindOf(path)?.policy]).toEqual([true, 'data'])
  expect(filesOf(rows, UTC, 333)).toEqual(files)
})

test('a row has what is shown of an idea, with the day that clocks of the zone showed', () => {
  expect(rowOf({})).toEqual(['A tram to the beach', 12, 'open', '2026-05-01', 'https://ideas.example/7'])
  expect(rowOf({}, new TimeZone('Asia/Tokyo'))[3]).toBe('2026-05-02')
  expect(rowOf({}, new TimeZone('America/New_York'))[3]).toBe('2026-05-01')
  expect(rowOf({ status: null, url: null, createdAt: '1970-01-01T00:00:00.000Z' })).toEqual([
    ROW['title'],
    12,
    '',
    '',
    '',
  ])
})

test.each([
  'javascript:alert(1)',
  '/ideas/7',
  'ftp://ideas.example',
  `https://ideas.example/${'7'.repeat(2_000)}`,
  'https:',
  // What a build never publishes: escaped, 20,000 of these would take hundreds of MB of whoever verifies them.
  `https://${'\u0001'.repeat(900)}`,
  `https://ideas.example/"`,
  'https://ideas.example/\u{1F333}',
])('no link leads to %.40s', (url) => expect(rowOf({ url })[4]).toBe(''))

test('what is too long is cut between characters, and says so', () => {
  const [long, short] = ['\u{1F333}\n'.repeat(5_000), '\u{1F333}'.repeat(200)]
  expect(rowOf({ title: long })[0]).toBe(`${'\u{1F333}\n'.repeat(99)}\u{1F333}…`)
  expect(rowOf({ title: short, status: short }).slice(0, 3)).toEqual([short, 12, short])
  const strange = '"\u202E</script>\uFFFE\n__proto__\uD83C'
  expect(rowOf({ title: strange })[0]).toBe(strange)
})

test('whatever a row has that is no idea, a file is made', () => {
  for (const createdAt of ['', 'x', '9999-99-99', '+275760-09-13T00:00:00.000Z', null])
    expect(rowOf({ createdAt, title: null, totalVotes: null })).toEqual(['', 0, 'open', '', ROW['url']])
})
