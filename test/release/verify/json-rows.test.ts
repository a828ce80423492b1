import { array, assert, asyncProperty, constantFrom, integer, nat, record } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { contentHash, documentText } from '../../../src/contract/document-text.ts'
import { jsonRows, type ParsedDocument, type ReadDocument } from '../../../src/release/verify/json-rows.ts'
import { anyText } from '../../contract/any-text.ts'

const FIRST = 'id'
const TIMES = { from: null, to: '2026-05-20T09:30:00.000Z', dataAsOf: '2026-05-20T09:30:00.000Z' }

interface AllRead {
  readonly rows: readonly ParsedDocument[]
  readonly end: ReadDocument | string
}

async function readAll(text: string | Buffer, size = 1 << 16, first: string | null = FIRST): Promise<AllRead> {
  const bytes = Buffer.from(text)
  let from = 0
  const rows: ParsedDocument[] = []
  const next = async (): Promise<Buffer | null> => (from >= bytes.length ? null : bytes.subarray(from, (from += size)))
  const end = await jsonRows(next, first, (batch) => void rows.push(...batch))
  return { rows, end }
}

const title = array(constantFrom('"', '\\', ',{"id":', '],"', '"data":[', '{', '}', 'a', 'é', '😀', '\u2028'), {
  maxLength: 6,
}).map((parts) => parts.join(''))
const row = record({ id: title, title: anyText(), votes: nat() }, { noNullPrototype: true })
const document = array(row, { maxLength: 8 }).map((data) => ({
  type: 'ideas',
  period: '7d',
  ...TIMES,
  data,
  rowCount: data.length,
}))

describe('the rows of a document', () => {
  it('are those of JSON.parse, and so are all other keys and the content hash, wherever the pieces end', async () => {
    const same = asyncProperty(document, integer({ min: 1, max: 40 }), async (made, size) => {
      const text = documentText(made, TIMES.to)
      const { rows, end } = await readAll(text, size)
      expect(rows).toEqual(made.data)
      expect(end).toMatchObject({ rows: made.data.length, contentHash: contentHash(made) })
      const { data: _, ...others } = (end as ReadDocument).document
      const { data: __, ...expected } = JSON.parse(text) as ParsedDocument
      expect(others).toEqual(expected)
    })
    await assert(same)
  })

  it('are never read from what is not JSON: one character more, less or another', async () => {
    const characters = ['"', '\\', ',', '{', '}', '[', ']', ':', '0', ' ', '']
    const change = record({ at: nat(), remove: nat({ max: 2 }), insert: constantFrom(...characters) })
    const never = asyncProperty(
      document,
      change,
      integer({ min: 1, max: 40 }),
      async (made, { at, remove, insert }, size) => {
        const text = documentText(made, TIMES.to)
        const place = at % text.length
        // By way of bytes: half of a surrogate pair is no text.
        const changed = Buffer.from(text.slice(0, place) + insert + text.slice(place + remove)).toString()
        const { rows, end } = await readAll(changed, size)
        if (typeof end === 'string') return
        // What is read is what JSON.parse reads; and other text of the rows has another hash.
        const parsed = JSON.parse(changed) as typeof made
        if (end.rows !== null) expect(rows).toEqual(parsed.data)
        if (changed !== text && end.contentHash === contentHash(made))
          expect(parsed).toMatchObject({
            type: made.type,
            period: made.period,
            data: made.data,
            rowCount: made.rowCount,
          })
      },
    )
    await assert(never, { numRuns: 2000 })
  })

  it('of no list are none: the document is read whole', async () => {
    const made = { stats: { totalIdeas: 1 }, topCategories: [{ category: 'a', count: 1 }] }
    const text = documentText(made, TIMES.to)
    for (const first of [null, FIRST])
      expect(await readAll(text, 7, first)).toMatchObject({
        rows: [],
        end: { rows: null, contentHash: contentHash(made) },
      })
  })

  it.each([
    ['{"data":[,{"id":1}]}', /^its list begins with a comma$/],
    ['{"data":[{"id":1},,{"id":2}]}', /^it is not JSON: /],
    ['{"data":[{"id":1}', /^it is not JSON: /],
    ['{"data":[{"id":1},{"id":2}]}}', /^it is not JSON: /],
    [
      '{"data":[{"id":1},null,{"id":2}]}',
      /^its rows are not objects of at most 64 texts, numbers, booleans and nulls in a list$/,
    ],
    [
      '{"data":[{"id":1},{"id":2},7]}',
      /^its rows are not objects of at most 64 texts, numbers, booleans and nulls in a list$/,
    ],
    [
      '{"data":[{"id":{"toString":1}}]}',
      /^its rows are not objects of at most 64 texts, numbers, booleans and nulls in a list$/,
    ],
    [
      '{"data":[{"id":[1]},{"id":2}]}',
      /^its rows are not objects of at most 64 texts, numbers, booleans and nulls in a list$/,
    ],
    ['{"data":[{"id":1,"of":[{"id":2},{"id":3}]}]}', /^it is not JSON: /],
    [
      `{"data":[{"id":1${Array.from({ length: 64 }, (_, i) => `,"c${i}":0`).join('')}}]}`,
      /^its rows are not objects of at most 64 texts, numbers, booleans and nulls in a list$/,
    ],
    ['{"x":{"data":[{"id":1},{"id":2}]}}', /^it is not JSON: /],
    ['[{"data":[{"id":1}]}]', /^it is not JSON: /],
    ['[]', /^it is not an object$/],
    ['null', /^it is not an object$/],
    ['', /^it is not JSON: /],
  ])('%s has none', async (text, fault) => {
    for (const size of [1, 1000]) expect((await readAll(text, size)).end).toMatch(fault)
  })

  it.each([
    '{"\xff":1}',
    '{"\xff":1,"data":[]}',
    '{"data":[{"id":"\xc3"},{"id":1}]}',
    '{"data":[],"x":"\xed\xa0\x80"}',
  ])('are of no document that is not UTF-8: %j', async (text) => {
    for (const size of [1, 1000]) expect((await readAll(Buffer.from(text, 'latin1'), size)).end).toBe('it is not UTF-8')
  })

  it('may not be larger than 64 MiB each: a list that never goes on must not fill the memory', async () => {
    const piece = Buffer.alloc(1 << 20, 'x')
    let given = 0
    const next = async (): Promise<Buffer> => (given++ === 0 ? Buffer.from('{"data":[{"id":"') : piece)
    expect(await jsonRows(next, FIRST, () => expect.unreachable())).toBe(
      '64 MiB of it are one row, or no row of a document',
    )
    expect(given).toBeLessThan(70)
  })
})

describe('a document that somebody made to be read badly', () => {
  const lists = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth)
  it.each([
    ['no documents where they belong', '{"timelines":null}'],
    ['no document where one belongs', '{"timelines":{"7d":null},"outcomes":5}'],
    ['a list where they belong', '{"timelines":[null]}'],
    ['no documents before a list', '{"timelines":null,"data":[{"id":"a"}]}'],
  ])('is read, with %s', async (_, text) => {
    expect((await readAll(text)).end).toMatchObject({ document: JSON.parse(text) as object })
  })

  it.each([
    ['all of it', `{"a":${lists(200_000)}}`],
    ['documents in documents', `${'{"timelines":{"a":'.repeat(100_000)}0${'}}'.repeat(100_000)}`],
    ['what is before a list', `{"a":${lists(30_000)},"data":[{"id":"a"}]}`],
    ['what is after a list', `{"data":[{"id":"a"}],"a":${lists(200_000)}}`],
  ])('is none where it is too deep: %s', async (_, text) => {
    expect((await readAll(text)).end).toMatch('it is too large or too deep: ')
  })
})
