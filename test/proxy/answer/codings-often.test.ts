// src/proxy/answer/timestamp-splice.ts, src/release/format/coding.ts
// long test: codings-exact.test.ts with five times as many bodies
import { expect, test } from 'vitest'
import { CODINGS } from '../../../src/release/format/coding.ts'
import { faultOf } from '../../support/stamped-bodies.ts'

test.each(CODINGS)('fifty thousand bodies as %s decode to exactly the text, and nothing is left', async (coding) => {
  expect(await faultOf(coding, 50_000, 50, Math.floor(Math.random() * 2 ** 31))).toBe(null)
})
