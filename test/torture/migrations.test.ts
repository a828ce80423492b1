// A short version of the torture by changes of the platform: each kind at least once.
// long test: dozens of builds beside a platform that reloads, swaps and alters its tables
import { expect, it } from 'vitest'
import { randomStream } from '../../src/demo/random.ts'
import { postgresAvailable } from '../support/postgres.ts'
import { describeWithComponent } from '../support/real-component.ts'
import { MIGRATION_PARTS } from './migration-parts.ts'

const seed = Number(process.env['TORTURE_SEED'] ?? Math.floor(Math.random() * 2 ** 31))
const TIMEOUT_MS = 480_000
/** Of 500 builds. */
const SOME = 0.08

describeWithComponent('while a platform reloads, swaps and alters its tables', postgresAvailable(), () => {
  it('a release is true or absent', { timeout: TIMEOUT_MS }, async () => {
    const share = { random: randomStream(seed, 'migrations'), part: SOME, signal: new AbortController().signal }
    const tally = await MIGRATION_PARTS['migrations']?.run(share)
    expect(tally?.losses, `TORTURE_SEED=${seed}\n${tally?.table?.join('\n')}`).toEqual([])
    expect(tally?.tried).toBeGreaterThanOrEqual(40)
    expect(tally?.words.get('true')).toBeGreaterThan(20)
  })
})
