import { array, assert, constantFrom, nat, property, record } from 'fast-check'
import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import {
  aroundList,
  contentHash,
  documentText,
  STAMP_TAIL_BYTES,
  textAndHash,
} from '../../src/contract/document-text.ts'
import { EXPORT_TYPES } from '../../src/contract/kinds/tables.ts'
import { PERIODS } from '../../src/contract/windows.ts'
import { anyText } from './any-text.ts'

const GENERATED = '2026-05-20T09:31:00.456Z'
const AS_OF = '2026-05-20T09:30:00.123Z'
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

test('a document ends with generatedAt and version, and the 24 bytes of the time begin STAMP_TAIL_BYTES before its end', () => {
  assert(
    property(record({ title: anyText(), count: nat(), nested: record({ generatedAt: anyText() }) }), (document) => {
      const bytes = Buffer.from(documentText(document, GENERATED))
      const at = bytes.length - STAMP_TAIL_BYTES
      expect(bytes.toString('latin1', at, at + 24)).toBe(GENERATED)
      expect(bytes.toString('latin1', at + 24)).toBe('","version":"1.0"}')

      bytes.write('9999-12-31T23:59:59.999Z', at, 'latin1')
      const parsed = JSON.parse(bytes.toString()) as object
      expect(parsed).toEqual({ ...document, generatedAt: '9999-12-31T23:59:59.999Z', version: '1.0' })
      expect(Object.keys(parsed)).toEqual([...Object.keys(document), 'generatedAt', 'version'])
    }),
  )
})

describe('the content hash', () => {
  const timeline = { from: 'f', to: 't', count: 2, undated: { from: 1 } }
  const times = { from: 'f', to: 't' }
  const document = {
    period: '7d',
    ...times,
    count: 2,
    nested: { from: 1 },
    timelines: { '7d': timeline },
    dataAsOf: 'd',
  }

  test('is sha256 of the document without its times, nor those of the timelines in it', () => {
    expect(contentHash(document)).toBe(
      sha256(
        '{"period":"7d","count":2,"nested":{"from":1},"timelines":{"7d":{"count":2,"undated":{"from":1}}},"version":"1.0"}',
      ),
    )
  })

  test('leaves nothing out of the text', () => {
    expect(documentText(document, GENERATED)).toBe(
      JSON.stringify({ ...document, generatedAt: GENERATED, version: '1.0' }),
    )
  })

  test.each([
    ['from', { from: null }, true],
    ['to', { to: 'later' }, true],
    ['dataAsOf', { dataAsOf: 'later' }, true],
    ['generatedAt', { generatedAt: 'later' }, true],
    ['a number', { count: 3 }, false],
    ['a time inside', { nested: { from: 2 } }, false],
    ['the period', { period: '30d' }, false],
    ['a time of a timeline', { timelines: { '7d': { ...timeline, from: 'g', to: 'u' } } }, true],
    ['a time below one', { timelines: { '7d': { ...timeline, undated: { from: 2 } } } }, false],
    ['a number of a timeline', { timelines: { '7d': { ...timeline, count: 3 } } }, false],
    ['a timeline', { timelines: { '30d': timeline } }, false],
  ])('with another %s is the same: %s', (_, changed, same) => {
    expect(contentHash({ ...document, ...changed }) === contentHash(document)).toBe(same)
  })

  test('comes with the text when both are computed at once', () => {
    expect(textAndHash(document, GENERATED)).toEqual({
      text: documentText(document, GENERATED),
      contentHash: contentHash(document),
    })
  })

  test('and the text of a streamed export are those of the same document made at once', () => {
    const rows = array(record({ id: anyText(), votes: nat() }), { maxLength: 5 })
    assert(
      property(rows, constantFrom(...EXPORT_TYPES), constantFrom(...PERIODS), (data, type, period) => {
        const head = { type, period, from: period === 'all' ? null : GENERATED, to: AS_OF }
        const whole = { ...head, data, rowCount: data.length, dataAsOf: AS_OF }
        const between = data.map((row) => JSON.stringify(row)).join(',')
        const before = aroundList(head, 'data')
        const after = aroundList({ data: [], rowCount: data.length, dataAsOf: AS_OF }, 'data', GENERATED)
        expect(before.text.before + between + after.text.after).toBe(documentText(whole, GENERATED))
        expect(sha256(before.hashed.before + between + after.hashed.after)).toBe(contentHash(whole))
      }),
    )
  })
})
