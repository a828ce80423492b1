import { stringify } from 'csv-stringify/sync'
import { array, assert, asyncProperty, constantFrom, integer, property, string } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { countRecords, readCsv } from '../../../src/release/checks/csv-records.ts'

/** Reads a text that comes in pieces of so many bytes. */
async function readAll(
  text: string,
  size = 1 << 16,
): Promise<{ records: (readonly string[])[]; fault: string | null }> {
  const bytes = Buffer.from(text)
  let at = 0
  const source = readCsv(async () => (at >= bytes.length ? null : bytes.subarray(at, (at += size))))
  const records: (readonly string[])[] = []
  for (;;) {
    const { done, value } = await source.next()
    if (done === true) return { records, fault: value }
    records.push(...value)
  }
}

describe('records of CSV', () => {
  const TEXTS: readonly [text: string, records: readonly (readonly string[])[]][] = [
    ['', []],
    ['\r\n', [['']]],
    ['a\r\n', [['a']]],
    [
      'a,b\r\nc,d\r\n',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    [',\r\n', [['', '']]],
    ['"a,b","c\r\nd",""\r\n', [['a,b', 'c\r\nd', '']]],
    ['"say ""hi"""\r\n', [['say "hi"']]],
    ['""""\r\n', [['"']]],
    ['a\nb\r\n', [['a\nb']]],
    ['a\rb,c\r\n', [['a\rb', 'c']]],
    ['\uFEFFa,é😀\r\n', [['\uFEFFa', 'é😀']]],
  ]
  it.each(TEXTS)('%j', async (text, records) => {
    for (const size of [1, 2, 1 << 16]) expect(await readAll(text, size)).toEqual({ records, fault: null })
    expect(countRecords(text)).toBe(records.length)
  })

  const TORN: readonly [text: string, records: readonly (readonly string[])[], fault: RegExp | null, whole: number][] =
    [
      ['a', [['a']], null, 0],
      ['a,', [['a', '']], null, 0],
      ['a\r\n"b', [['a']], /^it is not CSV: Quote Not Closed: /, 1],
      ['a\r\n"b\r\nc\r\n', [['a']], /^it is not CSV: Quote Not Closed: /, 1],
      ['a\r\n"b"c\r\nd\r\n', [['a']], /^it is not CSV: Invalid Closing Quote: /, 3],
      ['a\r\nb"c\r\n', [['a']], /^it is not CSV: Invalid Opening Quote: /, 1],
    ]
  it.each(TORN)('are read up to what is none, which is named: %j', async (text, records, fault, whole) => {
    const read = await readAll(text)
    expect(read.records).toEqual(records)
    if (fault === null) expect(read.fault).toBeNull()
    else expect(read.fault).toMatch(fault)
    expect(countRecords(text)).toBe(whole)
  })

  const cells = array(
    array(
      array(constantFrom('"', ',', '\r', '\n', '\r\n', 'a', "'", ' ', '😀', ''), { maxLength: 6 }).map((parts) =>
        parts.join(''),
      ),
      { minLength: 2, maxLength: 4 },
    ),
    { maxLength: 6 },
  )

  it('are those that were written, whatever the cells hold and wherever the pieces end', async () => {
    const written = asyncProperty(cells, string(), integer({ min: 1, max: 20 }), async (records, title, size) => {
      const all = [...records, [title, title]]
      const text = stringify(all, { record_delimiter: '\r\n', quoted_match: /[\r\n]/ })
      expect(await readAll(text, size)).toEqual({ records: all, fault: null })
    })
    await assert(written)
  })

  it('are counted as they were written', () => {
    assert(
      property(cells, (records) => {
        const text = stringify(records, { record_delimiter: '\r\n', quoted_match: /[\r\n]/ })
        expect(countRecords(text)).toBe(records.length)
      }),
    )
  })

  // Where the search for the next quote went to the end of the text for each line, 300,000 lines took over a minute.
  it.each([
    ['no quote', 'some idea 😀,open,2026-05-20T09:30:00.000Z,,https://ideas.example.org/ideas/1\r\n'],
    ['a quote in every line', '"some, idea",open\r\n'],
    ['only line breaks in cells', '"\r\n\r\n\r\n",\r\n'],
  ])('are counted in time that grows with the text: %s', (_, line) => {
    // With its square it would be minutes, and the test's own limit would end it.
    expect(countRecords(line.repeat(300_000))).toBe(300_000)
  })
})
