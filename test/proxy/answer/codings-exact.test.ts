// A stamped body is one gzip member or one br stream, and decodes to exactly the identity body: held against zlib a
// hundred thousand times. real test: these take seconds.
import { describe, expect, test } from 'vitest'
import { formatTimestamp } from '../../../src/contract/timestamp.ts'
import { CODINGS } from '../../../src/release/format/coding.ts'
import { randomStream } from '../../../src/demo/random.ts'
import { codedFault, memberFault } from '../../support/coded-fault.ts'
import { anyMoment, bodyBytes, tailAt, templateOf } from '../../support/stamped-bodies.ts'

const SEED = Number(process.env['CODINGS_SEED'] ?? Math.floor(Math.random() * 2 ** 31))
const BODIES = Number(process.env['CODINGS_BODIES'] ?? 100_000)
/** Of one text: making a template compresses, which costs more than to decode; a stamp only overwrites. */
const MOMENTS = 50

describe.each(CODINGS)(`%s, CODINGS_SEED=${SEED}`, (coding) => {
  const bodies = Math.ceil(BODIES / CODINGS.length)

  test(`${bodies} bodies decode to exactly the text, and nothing is left`, async () => {
    const random = randomStream(SEED, coding)
    let held = 0
    while (held < bodies) {
      const { what, head, stamped } = await templateOf(random, coding)
      for (let i = 0; i < MOMENTS && held < bodies; i++, held++) {
        const nowMs = anyMoment(random)
        const body = bodyBytes(stamped.at(nowMs))
        // Where its parts begin and end is the template's, not the moment's.
        const found =
          codedFault(body, coding, head, tailAt(formatTimestamp(nowMs))) ??
          (coding === 'gzip' && i === 0 ? memberFault(body) : null)
        if (found !== null || body.length !== stamped.bytes)
          throw new Error(
            `CODINGS_SEED=${SEED}, body ${held} (${what}) at ${formatTimestamp(nowMs)}: ${found ?? 'its size'}`,
          )
      }
    }
    expect(held).toBe(bodies)
  })
})
