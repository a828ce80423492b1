import { assert, constantFrom, nat, property } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DEFAULT_SITE } from '../../../src/contract/site-options.ts'
import {
  manifestPieces,
  manifestText,
  RELEASE_ID,
  releaseId as idOf,
  type Manifest,
  type ManifestFile,
} from '../../../src/release/format/manifest.ts'
import { parseManifest as parsing } from '../../../src/release/format/parse-manifest.ts'
import { runToEnd } from '../../support/run-to-end.ts'
import { aboutOf, AS_OF_MS } from '../sample-release.ts'

const fileAt = (path: string, mark = 'a'): ManifestFile => ({
  path,
  bytes: 10,
  sha256: 'b'.repeat(64),
  contentHash: mark.repeat(64),
  rows: null,
})
const FILES = ['public/stats.json', 'analytics/trending/7d/all.json', 'analytics/export/ideas/all.csv'].map((path) =>
  fileAt(path),
)
const DATA_AS_OF = aboutOf(AS_OF_MS).dataAsOf
const releaseId = (dataAsOf: string, files: readonly ManifestFile[]): string => runToEnd(idOf(dataAsOf, files))
const withFiles = (files: readonly ManifestFile[]): Manifest => ({
  id: releaseId(DATA_AS_OF, files),
  ...aboutOf(AS_OF_MS),
  files,
})
const WHOLE = withFiles(FILES)
const parseManifest = (text: string): Manifest | string => runToEnd(parsing(text))

describe('the release id', () => {
  it('is dataAsOf without punctuation and eight hex digits', () => {
    expect(WHOLE.id).toMatch(RELEASE_ID)
    expect(WHOLE.id.slice(0, 19)).toBe('20260520T093000000Z')
  })

  it('sorts by time', () => {
    const ids = [-1, 0, 1, 60_000, 86_400_000].map((ms) => releaseId(aboutOf(AS_OF_MS + ms).dataAsOf, FILES))
    expect([...ids].sort()).toEqual(ids)
  })

  it('follows path and content hash, not bytes: the times in a document may differ', () => {
    const [first, ...rest] = FILES as [ManifestFile, ...ManifestFile[]]
    const with_ = (change: Partial<ManifestFile>) => releaseId(DATA_AS_OF, [{ ...first, ...change }, ...rest])
    expect(with_({ path: 'public/other.json' })).not.toBe(WHOLE.id)
    expect(with_({ contentHash: 'c'.repeat(64) })).not.toBe(WHOLE.id)
    expect(with_({ sha256: 'c'.repeat(64), bytes: 11, rows: 1 })).toBe(WHOLE.id)
  })

  it('is the same whether a content hash that is that of the bytes is left out or, as in earlier versions, is there', () => {
    const [short, long] = [undefined, 'b'.repeat(64)].map((contentHash) =>
      withFiles([...FILES, { ...fileAt('public/x.csv'), sha256: 'b'.repeat(64), contentHash }]),
    )
    expect(short?.id).toBe(long?.id)
    for (const one of [short, long]) expect(parseManifest(manifestText(one!))).toEqual(one)
    expect(manifestText(short!).match(/"contentHash"/g)).toHaveLength(FILES.length)
  })
})

describe('parsing a manifest', () => {
  it('gives back what was written', () => {
    expect(parseManifest(manifestText(WHOLE))).toEqual(WHOLE)
  })

  it('rejects it truncated at any byte', () => {
    const text = manifestText(WHOLE).trimEnd()
    for (let length = 0; length < text.length; length++)
      expect(parseManifest(text.slice(0, length)), `${length} bytes`).toMatch(/^it is not JSON: /)
  })

  const REJECTED: readonly [what: string, change: object, message: RegExp][] = [
    ['no id', { id: undefined }, /its id/],
    ['another id', { id: `${WHOLE.id.slice(0, -1)}x` }, /gives the id .*, but it says/],
    ['no version', { version: 1 }, /its version/],
    ['dataAsOf without milliseconds', { dataAsOf: '2026-05-20T09:30:00Z' }, /its dataAsOf/],
    ['dataAsOf of another moment', { dataAsOf: '2026-05-20T09:30:00.001Z' }, /gives the id/],
    ['no such date', { dataAsOf: '2026-02-30T00:00:00.000Z' }, /its dataAsOf/],
    ['generatedAt a number', { generatedAt: AS_OF_MS }, /its generatedAt/],
    ['no nextUpdateAt', { nextUpdateAt: undefined }, /its nextUpdateAt/],
    ['no mapping', { mapping: undefined }, /its mapping/],
    ['a mapping without name', { mapping: { sha256: 'a' } }, /its mapping/],
    ['no rows', { rows: undefined }, /its rows/],
    ['rows without votes', { rows: { ...WHOLE.rows, votes: undefined } }, /its rows/],
    ['rows below zero', { rows: { ...WHOLE.rows, users: -1 } }, /its rows/],
    ['users null, where they are exact', { rows: { ...WHOLE.rows, users: null } }, /its rows/],
    ['votes null', { rows: { ...WHOLE.rows, votes: null }, options: { ...WHOLE.options, people: 'off' } }, /its rows/],
    ['a weight in words', { options: { ...WHOLE.options, voteWeight: 'five' } }, /its options\.voteWeight/],
    ['an address that is none', { options: { ...WHOLE.options, siteUrl: 1 } }, /its options\.siteUrl/],
    ['a site without a title', { options: { ...WHOLE.options, site: { languages: ['en'] } } }, /its options\.site/],
    [
      'a site with a licence of the wrong type',
      { options: { ...WHOLE.options, site: { ...DEFAULT_SITE, license: 1 } } },
      /its options\.site/,
    ],
    ['no site at all', { options: { ...WHOLE.options, site: null } }, /its options\.site/],
    ['a time zone database that is no text', { timeZoneDatabase: null }, /its timeZoneDatabase/],
    ['people of no mode', { options: { ...WHOLE.options, people: 'some' } }, /its options\.people/],
    ['categories that are names only', { categories: ['Product'] }, /its categories/],
    // What is counted and reported of them is computed with.
    ['no ignored rows', { ignored: undefined }, /its ignored/],
    ['ignored rows without a number', { ignored: [{ relation: 'users', reason: 'undated' }] }, /its ignored/],
    ['no source', { source: undefined }, /its source/],
    ['a source with a lag in words', { source: { ...WHOLE.source, replayLagMs: 'some' } }, /its source/],
    ['no files', { files: undefined }, /its files/],
    ['files null', { files: [null] }, /its files/],
  ]
  it.each(REJECTED)('rejects %s', (_, change, message) => {
    expect(parseManifest(JSON.stringify({ ...WHOLE, ...change }))).toMatch(message)
  })

  it.each(['rounded', 'off'])('reads users that are null with --people %s', (people) => {
    const manifest = { ...WHOLE, rows: { ...WHOLE.rows, users: null }, options: { ...WHOLE.options, people } }
    expect(parseManifest(JSON.stringify(manifest))).toEqual(manifest)
  })

  it.each(['null', '[]', '"text"', '7', 'true'])('rejects %s in place of a manifest', (text) => {
    expect(parseManifest(text)).toMatch(/is missing or of the wrong type/)
  })

  const BAD_FILES: readonly [what: string, change: object][] = [
    ['a path out of the release', { path: '../current/manifest.json' }],
    ['dot segments inside', { path: 'public/../../../etc/passwd' }],
    ['a single dot', { path: 'public/./stats.json' }],
    ['an absolute path', { path: '/etc/passwd' }],
    ['a hidden file', { path: 'public/.stats.json' }],
    ['a backslash', { path: 'public\\stats.json' }],
    ['an empty segment', { path: 'public//stats.json' }],
    ['a folder', { path: 'public/' }],
    ['no path', { path: '' }],
    ['a NUL', { path: 'public/stats.json\u0000' }],
    ['a newline, which the id would take for the next line', { path: 'public/stats.json\n' }],
    ['upper case', { path: 'public/Stats.json' }],
    ['bytes below zero', { bytes: -1 }],
    ['bytes a fraction', { bytes: 1.5 }],
    ['bytes a text', { bytes: '10' }],
    ['a short sha256', { sha256: 'b'.repeat(63) }],
    ['a sha256 in upper case', { sha256: 'B'.repeat(64) }],
    ['a short content hash', { contentHash: 'c'.repeat(63) }],
    ['a content hash null', { contentHash: null }],
    ['rows a text', { rows: '3' }],
    ['rows below zero', { rows: -3 }],
  ]
  it.each(BAD_FILES)('rejects a file with %s, even when the id agrees', (_, change) => {
    expect(parseManifest(manifestText(withFiles([...FILES, { ...fileAt('public/x.json'), ...change }])))).toMatch(
      /its files is missing or of the wrong type/,
    )
  })

  it('rejects a path that is listed twice', () => {
    const manifest = withFiles([...FILES, fileAt('public/stats.json', 'c')])
    expect(parseManifest(manifestText(manifest))).toBe('it lists public/stats.json twice')
  })

  it('takes what a later minor version adds', () => {
    const later = { ...WHOLE, version: '1.1', programVersion: '1.2.3-rc.1+5', added: { by: 'a later version' } }
    expect(parseManifest(JSON.stringify(later))).toEqual(later)
  })

  it.each([7, null, '', '1.0\u001B[2J', 'x'.repeat(65)])(
    'rejects the version of a program that is %j',
    (programVersion) => {
      const text = JSON.stringify({ ...WHOLE, programVersion })
      expect(parseManifest(text)).toBe('its programVersion is missing or of the wrong type')
    },
  )
})

describe('parsing a large manifest, in steps', () => {
  const coded = { bytes: 5, sha256: 'd'.repeat(64) }
  const LARGE = withFiles(
    Array.from({ length: 250 }, (_, i) => ({
      ...fileAt(`analytics/trending/7d/category/c-${String(i).padStart(4, '0')}.json`),
      gzip: coded,
      br: i % 2 === 0 ? coded : null,
    })),
  )
  const text = manifestText(LARGE)
  const stepsOf = (of: string): number => [...parsing(of)].length

  it('gives back what was written, in many steps', () => {
    expect(parseManifest(text)).toEqual(LARGE)
    expect(stepsOf(text) - stepsOf(`${text} `), 'steps of the JSON alone').toBeGreaterThanOrEqual(2)
  })

  it.each([0, 1, 499, 500, 501, 1001])('of %i files is the same text in pieces', (count) => {
    const manifest = withFiles(Array.from({ length: count }, (_, i) => fileAt(`public/${i}.json`)))
    expect([...manifestPieces(manifest)].join('')).toBe(manifestText(manifest))
  })

  const { files, ...about } = LARGE
  const OTHER_FORMS: readonly [what: string, text: string][] = [
    ['indented by another program', JSON.stringify(LARGE, null, 2)],
    ['with the list in front', `${JSON.stringify({ files, ...about })}\n`],
    ['with something behind the list', manifestText({ ...LARGE, added: [1] } as Manifest)],
    ['with the list twice: the last one counts', text.replace('{', '{"files":[],')],
  ]
  it.each(OTHER_FORMS)('takes it %s', (_, form) => {
    const expected = JSON.parse(form) as Manifest
    expect(expected.files).toHaveLength(250)
    expect(parseManifest(form)).toEqual(expected)
  })

  // Nothing that only looks like the list, or like a place between two files, is taken for it.
  const LOOKS_LIKE: readonly [what: string, change: object][] = [
    ['a text that holds the list', { version: '1.0,"files":[{"path":"x"},{"path":"y"}]}' }],
    ['another list of files inside', { added: { x: 1, files } }],
    ['a name that ends like it', { 'x,"files': files }],
  ]
  it.each(LOOKS_LIKE)('is not misled by %s', (_, change) => {
    const expected = { ...about, ...change, files }
    expect(parseManifest(`${JSON.stringify(expected)}\n`)).toEqual(expected)
  })

  // Small on the wire, where it is compressed; taken apart at once they were seconds of silence and gigabytes.
  it.each([
    ['lists of nothing', () => `[${'[],'.repeat(20 << 20)}0]`],
    ['a manifest with lists of nothing before its files', () => text.replace('{', `{"x":[${'[],'.repeat(6 << 20)}0],`)],
    ['lists of nothing behind a file', () => text.replace(/\]\}\n$/, `,${'[],'.repeat(6 << 20)}0]}\n`)],
    ['files of nothing', () => text.replace(/\]\}\n$/, `${',{"path":0}'.repeat(2 << 20)}]}\n`)],
  ])('refuses %s, without taking it apart', (_, make) => {
    const hostile = make()
    const before = process.memoryUsage().rss
    expect(parseManifest(hostile)).toMatch(/^it is not JSON: \d+ characters that are not a list of files/)
    expect(process.memoryUsage().rss - before).toBeLessThan(200 << 20)
  })

  it('with one character too many, too few or another is judged as JSON.parse does it', () => {
    // White space behind the last newline is the same JSON, but no text of ours: read without being cut.
    const uncut = (of: string) => parseManifest(`${of} `)
    const said = (of: Manifest | string): string =>
      typeof of === 'string' ? of.replace(/(?<=^it is not JSON: ).*/s, 'why') : JSON.stringify(of)
    const cut = text.indexOf(',{"path":', 1 << 16)
    // Anywhere, and around the first cut and both ends of the list.
    const places = [nat(text.length - 1)].concat(
      [cut, text.indexOf('"files"'), text.length - 10].map((at) => nat(20).map((more) => at + more - 10)),
    )
    for (const place of places)
      assert(
        property(
          place,
          constantFrom('', ',', '"', '\\', ']', '}', '{', '[', ':', '0', 'x', ' ', ',{"path":', ']}', '\n'),
          constantFrom(0, 1),
          (at, put, drop) => {
            const changed = text.slice(0, at) + put + text.slice(at + drop)
            expect(said(parseManifest(changed))).toBe(said(uncut(changed)))
          },
        ),
        { numRuns: 50 },
      )
  })
})
