// A short version of the torture by changes of the platform: each kind at least once.
// long test: dozens of builds beside a platform that reloads, swaps and alters its tables
// all of it after a change of: src/source/, src/builder/run/, test/torture/
import { expect, it } from 'vitest'
import { postgresAvailable } from '../support/postgres.ts'
import { describeWithComponent } from '../support/real-component.ts'
import { MIGRATION_PARTS } from './migration-parts.ts'
import { shortTorture, TIMEOUT_MS } from './short-torture.ts'

const { isSample, survive } = shortTorture('migrations')

describeWithComponent('while a platform reloads, swaps and alters its tables', postgresAvailable(), () => {
  it('a release is true or absent', { timeout: TIMEOUT_MS }, async () => {
    const { words } = await survive(MIGRATION_PARTS['migrations'], 0.08, 40)
    expect(words.get('true')).toBeGreaterThan(isSample ? 0 : 20)
  })
})
