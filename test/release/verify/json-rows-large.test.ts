// real test: reads 550 MB
import { expect, it } from 'vitest'
import { aroundList } from '../../../src/contract/document-text.ts'
import { jsonRows } from '../../../src/release/verify/json-rows.ts'

const TO = '2026-05-20T09:30:00.000Z'

it('the rows of a document are read from more than a string can hold, never much of it at once', async () => {
  const head = aroundList({ type: 'ideas', period: 'all', from: null, to: TO }, 'data')
  const wanted = 2 ** 29 + 2 ** 24
  const rowText = JSON.stringify({ id: '1', title: 'x'.repeat(20_000) })
  const piece = Buffer.from(`,${rowText}`.repeat(13))
  const pieces = Math.ceil(wanted / piece.length)
  let given = -1
  let [rows, most] = [0, 0]
  const read = await jsonRows(
    async () => {
      given += 1
      if (given === 0) return Buffer.from(`${head.text.before}${rowText}`)
      if (given <= pieces) return piece
      const tail = { data: [], rowCount: 13 * pieces + 1, dataAsOf: TO }
      return given === pieces + 1 ? Buffer.from(aroundList(tail, 'data', TO).text.after) : null
    },
    'id',
    ({ length }) => {
      rows += length
      most = Math.max(most, length)
    },
  )
  expect(read).toMatchObject({ rows: 13 * pieces + 1, document: { rowCount: 13 * pieces + 1 } })
  expect(rows).toBe(13 * pieces + 1)
  expect(most).toBeLessThanOrEqual(2 * 13)
}, 60_000)
