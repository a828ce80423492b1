// A short version of the torture of a bucket that two towns share by mistake: each set-up and command once.
// long test: some seconds for each build and upload
import { expect, it } from 'vitest'
import { randomStream } from '../../src/demo/random.ts'
import { postgresAvailable } from '../support/postgres.ts'
import { describeWithComponent } from '../support/real-component.ts'
import { BUCKET_PARTS } from './bucket-parts.ts'

const seed = Number(process.env['TORTURE_SEED'] ?? Math.floor(Math.random() * 2 ** 31))
/** Of 240 rounds. */
const SOME = 7 / 240

describeWithComponent('beside set-ups that are not its own', postgresAvailable(), () => {
  it('a bucket stays of its town', { timeout: 400_000 }, async () => {
    const share = { random: randomStream(seed, 'bucket'), part: SOME, signal: new AbortController().signal }
    const tally = await BUCKET_PARTS['bucket']?.run(share)
    expect(tally?.losses, `TORTURE_SEED=${seed}`).toEqual([])
    expect(tally?.tried).toBe(9)
  })
})
