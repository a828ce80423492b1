// A read that begins twice says why it failed, not that nothing could be asked afterwards: src/source/read/consistent-read.ts.
import type pg from 'pg'
import { expect, test } from 'vitest'
import { beginConsistentRead } from '../../../src/source/read/consistent-read.ts'

const mapping = { name: 'mine', sha256: '', requires: [], selects: [] }
const asked = { builtIn: false, sections: {}, params: {} }
const OPTIONS = { asOfMs: null, rowSecurity: 'off', statementTimeoutMs: 1000, lockTimeoutMs: 1000 } as const

test('that the server ended the session for', async () => {
  const queries: string[] = []
  const query = async (text: string): Promise<never> => {
    queries.push(text.slice(0, 8).trim())
    throw queries.length === 1
      ? Object.assign(new Error('the database was dropped'), { code: '57P04' })
      : new Error('Client has encountered a connection error and is not queryable')
  }
  const read = beginConsistentRead({ query } as unknown as pg.Client, { ...mapping, asked }, OPTIONS)
  await expect(read).rejects.toThrow(/^mapping mine: the database was dropped; check the database name .*57P04/)
  expect(queries).toEqual(['BEGIN IS', 'ROLLBACK'])
})
