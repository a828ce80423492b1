// long test: starts the program, or builds, for each case
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { KeptPast } from '../../../src/release/writing/kept-past.ts'
import { keptSample, rowsByMonth } from '../../release/kept-sample.ts'
import { diffText } from '../../../src/builder/report/diff-report.ts'
import { diff, type Diff, type Side } from '../../../src/builder/report/diff.ts'
import type { Manifest, ManifestFile } from '../../../src/release/format/manifest.ts'
import { aboutOf, promoteSample, AS_OF_MS, publishSamples } from '../../release/sample-release.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { failureOf, run } from '../build-program.ts'

const file = (path: string, mark: string, bytes = 100): ManifestFile => ({
  path,
  bytes,
  sha256: mark.repeat(64),
  contentHash: mark.repeat(64),
  rows: null,
})
function side(change: Partial<Manifest> = {}): Side {
  return {
    manifest: { id: 'one', ...aboutOf(AS_OF_MS), files: [], ...change },
    kept: null,
  }
}
const named = (...names: string[]): Manifest['categories'] => names.map((name) => ({ name, key: name }))

describe('two releases', () => {
  it('differ in nothing when they are one', () => {
    const same = side({ files: [file('a.json', 'a')] })
    expect(diff(same, same)).toMatchObject({
      comparable: true,
      totals: { users: { a: 1, b: 1 }, votes: { a: 3, b: 3 } },
      categories: { added: [], removed: [] },
      files: { added: [], removed: [], changed: [], same: 1 },
    })
  })

  it('differ in totals, size, categories, and files by what they say', () => {
    const a = side({ categories: named('Design', 'Old'), files: [file('a', 'a'), file('b', 'b'), file('c', 'c')] })
    const b = side({
      categories: named('Design', 'New'),
      rows: { ...a.manifest.rows, votes: 10 },
      files: [{ ...file('a', 'a'), sha256: 'e'.repeat(64) }, file('b', 'f', 50), file('d', 'd')],
    })
    expect(diff(a, b)).toMatchObject({
      totals: { votes: { a: 3, b: 10 } },
      bytes: { a: 300, b: 250 },
      categories: { added: ['New'], removed: ['Old'] },
      files: { added: ['d'], removed: ['c'], changed: ['b'], same: 1 },
    })
  })

  it('are not comparable when their mapping, parameters or weights are not the same', () => {
    const { options } = side().manifest
    for (const change of [
      { mapping: { name: 'native', sha256: 'f' } },
      { options: { ...options, voteWeight: 1 } },
      { options: { ...options, people: 'rounded' as const } },
    ]) {
      const found = diff(side(), side(change))
      expect(found.comparable).toBe(false)
      expect(diffText(found)).toContain('so the numbers are not comparable')
    }
  })

  it('say by which time zones each was cut; their numbers are comparable all the same', () => {
    const found = diff(side({ timeZoneDatabase: '2025c' }), side({ timeZoneDatabase: '2026e' }))
    expect(found).toMatchObject({
      a: { timeZoneDatabase: '2025c' },
      b: { timeZoneDatabase: '2026e' },
      comparable: true,
    })
    expect(diffText(found)).toMatch(/^A .*, mapping native, time zones 2025c\nB .*, time zones 2026e\n/)
    expect(diffText(diff(side(), side()))).not.toContain('time zones')
  })

  it('are comparable when one is of a version that knew only exact people, and when only --site-url is another', () => {
    const { options } = side().manifest
    for (const change of [{ people: 'exact' as const }, { siteUrl: 'https://ideas.example.org' }])
      expect(diff(side(), side({ options: { ...options, ...change } })).comparable).toBe(true)
  })

  it('show no number of people where there is none', () => {
    const options = { ...side().manifest.options, people: 'off' as const }
    const off = side({ options, rows: { ...side().manifest.rows, users: null } })
    expect(diff(off, off)).toMatchObject({ comparable: true, totals: { users: { a: null, b: null } } })
    expect(diffText(diff(off, off))).toMatch(/^users {24}- {13}-\n/m)
  })

  it('differ in their past by month where one was built on the other', () => {
    const a = { ...side(), kept: keptSample('one') }
    const own = rowsByMonth(AS_OF_MS, {})
    const kept: KeptPast = {
      ...keptSample('two', 'one'),
      past: { own, earlier: rowsByMonth(AS_OF_MS - 3_600_000, { '2026-04': 80 }), newestDay: null },
    }
    const b = { ...side({ id: 'two' }), kept }
    const found = diff(a, b)
    expect(found.revisions?.find(({ relation }) => relation === 'votes')).toEqual({
      relation: 'votes',
      had: 243,
      has: 83,
      rows: 240,
      months: [
        { month: '2026-05', was: 200, is: 0 },
        { month: '2026-04', was: 40, is: 80 },
      ],
    })
    const text = diffText(found)
    expect(text).toContain(
      '\n\nthe past of A is not so in B; the largest changes (--json: all):\n  votes           240 of 243 rows (98.8 %):\n    2026-05 200 to 0, 2026-04 40 to 80\nfiles ',
    )
    const unrelated = [
      diff(a, { ...b, kept: { ...kept, comparedWith: 'other' } }),
      diff(a, { ...b, kept: null }),
      diff({ ...a, kept: null }, b),
      diff(b, a),
    ]
    for (const other of unrelated) {
      expect(other.revisions).toBeNull()
      expect(diffText(other)).not.toContain('past')
    }
  })
})

describe('what diff prints', () => {
  const many = Array.from({ length: 100 }, (_, i) => String(i))
  const a = side()
  const rows = { ...a.manifest.rows, users: 1_000, votes: 0 }
  const b = side({ id: 'two', categories: named('Design', ...many), rows })

  it('shows the first of much that differs', () => {
    const compared = diff(a, b)
    const months = ['2026-01', '2026-02', '2026-03', '2026-04'].map((month) => ({ month, was: 1, is: 2 }))
    const revised = { ...compared, revisions: [{ relation: 'votes' as const, had: 9, has: 13, rows: 4, months }] }
    expect(diffText(revised)).toContain('2026-01 1 to 2, 2026-02 1 to 2, 2026-03 1 to 2 and 1 more\n')
    const text = diffText(compared)
    const lines = text.split('\n')
    expect(lines.slice(0, 2)).toEqual([
      'A  one  data as of 2026-05-20T09:30:00.000Z, mapping native',
      'B  two  data as of 2026-05-20T09:30:00.000Z, mapping native',
    ])
    expect(text).toContain('users                        1         1,000          +999\n')
    expect(text).toContain('votes                        3             0            -3\n')
    expect(text).toContain('categories  100 added, 1 removed\n  + 0, 1, 2 and 97 more\n  - Product\n')
  })

  it('lets no name of a category write on the terminal', () => {
    const text = diffText(diff(side(), side({ categories: named('\u001B[2J\r\nA\u202E\u0007') })))
    expect(text).not.toMatch(/[^\P{Cc}\n]|\u202E/u)
    expect(text).toContain('[2J A')
  })
})

describe('analytics-build diff', () => {
  it('compares ids and the current release, prints a table, or everything as JSON, and ends with 0', async () => {
    const snapshots = temporaryFolder()
    const [first = '', second = ''] = await publishSamples(snapshots, AS_OF_MS, AS_OF_MS + 60_000)
    const program = (...args: string[]): ReturnType<typeof run> => run(['diff', ...args, '--snapshots', snapshots])
    const text = await program(first, 'current')
    expect(text).toMatchObject({ code: 0, stderr: '' })
    expect(text.stdout).toMatch(new RegExp(`^A  ${first}  .*\nB  ${second}  `))
    const found = JSON.parse((await program(first, second, '--json')).stdout) as Diff
    expect(found).toMatchObject({ a: { id: first }, b: { id: second }, comparable: true })
  })

  it('says in one line, and with exit 2, what it does not know; with 1, what is damaged; with 7, what it cannot read', async () => {
    const snapshots = temporaryFolder()
    const [id = ''] = await publishSamples(snapshots, AS_OF_MS)
    const { id: torn } = await promoteSample(snapshots, AS_OF_MS + 1)
    await writeFile(join(snapshots, 'releases', torn, 'manifest.json'), 'x')
    const FAILURES: readonly [args: string[], code: number, message: RegExp][] = [
      [[id], 2, /missing required argument 'B'/],
      [[id, id, id], 2, /unexpected argument ".*"; diff takes <A> <B>/],
      [['current', 'x'], 2, new RegExp(`no release x in .*; there are: ${id}, ${torn}$`)],
      [['current', '.refused-x'], 2, /no release \.refused-x in /],
      [['current', '../releases'], 2, /no release \.\.\/releases in /],
      [['current', 'https://user:s3cret@host'], 2, /URL: not allowed/],
      [['current', 'http://127.0.0.1:1'], 7, /http:\/\/127\.0\.0\.1:1\/current\/manifest\.json: .*ECONNREFUSED/],
      [[id, torn], 1, /manifest\.json: it is not JSON/],
    ]
    for (const [args, code, message] of FAILURES) {
      const ran = await run(['diff', ...args, '--snapshots', snapshots])
      expect(failureOf(ran)).toMatch(message)
      expect(ran).toMatchObject({ code, stdout: '' })
      expect(ran.stderr).not.toContain('s3cret')
    }
  })
})
