// A short version of the torture of a bucket that two towns share by mistake: each set-up and command once.
// long test: some seconds for each build and upload
// all of it after a change of: src/release/publishing/, src/release/writing/, src/builder/run/, test/torture/
import { it } from 'vitest'
import { postgresAvailable } from '../support/postgres.ts'
import { describeWithComponent } from '../support/real-component.ts'
import { BUCKET_PARTS } from './bucket-parts.ts'
import { shortTorture, TIMEOUT_MS } from './short-torture.ts'

const { survive } = shortTorture('bucket')

describeWithComponent('beside set-ups that are not its own', postgresAvailable(), () => {
  it('a bucket stays of its town', { timeout: TIMEOUT_MS }, async () => {
    // Of 240 rounds; and two others.
    await survive(BUCKET_PARTS['bucket'], 7 / 240, 9)
  })
})
