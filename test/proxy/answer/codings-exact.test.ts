// A stamped body is one gzip member or one br stream, and decodes to exactly the identity body: held against zlib.
// real test: this takes seconds.
import { expect, test } from 'vitest'
import { CODINGS } from '../../../src/release/format/coding.ts'
import { faultOf } from '../../support/stamped-bodies.ts'

test.each(CODINGS)('ten thousand bodies as %s decode to exactly the text, and nothing is left', async (coding) => {
  expect(await faultOf(coding, 10_000, 20, Math.floor(Math.random() * 2 ** 31))).toBe(null)
})
