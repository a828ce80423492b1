// real test: reads 550 MB
import { expect, it } from 'vitest'
import { exportHead, exportTail } from '../../../src/contract/document-text.ts'
import { jsonRows } from '../../../src/release/verify/json-rows.ts'

const TO = '2026-05-20T09:30:00.000Z'

it('the rows of a document are read from more than a string can hold, never much of it at once', async () => {
  const head = exportHead({ type: 'ideas', period: 'all', from: null, to: TO })
  const wanted = 2 ** 29 + 2 ** 24
  const rowText = JSON.stringify({ id: '1', title: 'x'.repeat(20_000) })
  const piece = Buffer.from(`,${rowText}`.repeat(13))
  const pieces = Math.ceil(wanted / piece.length)
  let given = -1
  let [rows, most] = [0, 0]
  const read = await jsonRows(
    async () => {
      given += 1
      if (given === 0) return Buffer.from(`${head.text}${rowText}`)
      if (given <= pieces) return piece
      return given === pieces + 1 ? Buffer.from(exportTail(13 * pieces + 1, TO, TO).text) : null
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
