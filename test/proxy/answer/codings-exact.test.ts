// A stamped body is one gzip member or one br stream, and decodes to exactly the identity body: held against zlib a
// hundred thousand times, and against the programs gzip and brotli by samples.
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { formatTimestamp } from '../../../src/contract/timestamp.ts'
import { CODING_SUFFIX, CODINGS } from '../../../src/release/format/coding.ts'
import { randomStream } from '../../../src/demo/random.ts'
import { temporaryFolder } from '../../release/sample-release.ts'
import { codedFault, memberFault } from '../../support/coded-fault.ts'
import { describeWithComponent, findProgram } from '../../support/real-component.ts'
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

describe.each([
  ['gzip', 'gzip'],
  ['br', 'brotli'],
] as const)('%s', (coding, program) => {
  describeWithComponent(`by the program ${program}`, findProgram(program, program), (bin) => {
    const run = (...args: string[]): void => void execFileSync(bin, args, { stdio: 'pipe' })

    test(`300 bodies (CODINGS_SEED=${SEED})`, async () => {
      const folder = temporaryFolder()
      const random = randomStream(SEED, program)
      const texts: { readonly file: string; readonly what: string; readonly text: Buffer }[] = []
      for (let i = 0; i < 300; i++) {
        const { what, head, stamped } = await templateOf(random, coding)
        const nowMs = anyMoment(random)
        const file = join(folder, String(i))
        writeFileSync(`${file}${CODING_SUFFIX[coding]}`, bodyBytes(stamped.at(nowMs)))
        texts.push({ file, what, text: Buffer.concat([head, Buffer.from(tailAt(formatTimestamp(nowMs)))]) })
      }
      const coded = texts.map(({ file }) => `${file}${CODING_SUFFIX[coding]}`)
      run('-t', ...coded)
      run('-d', ...coded)
      for (const { file, what, text } of texts) expect(readFileSync(file).equals(text), what).toBe(true)
    })
  })
})
