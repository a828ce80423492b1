// A folder of snapshots for each test, and whatever the test starts: ended after it, the last one first.
import { afterEach, beforeEach } from 'vitest'
import { snapshotsFolder } from './release.ts'

export interface PerTest {
  readonly folder: { readonly dir: string }
  /** What ends the things that the test has started. */
  readonly running: (() => Promise<unknown>)[]
}

export function perTest(): PerTest {
  let folder: ReturnType<typeof snapshotsFolder> | undefined
  const running: (() => Promise<unknown>)[] = []
  beforeEach(() => {
    folder = snapshotsFolder()
  })
  afterEach(async () => {
    for (const stop of running.splice(0).reverse()) await stop()
    folder?.remove()
  })
  return {
    running,
    folder: {
      get dir() {
        if (folder === undefined) throw new Error('no test is running')
        return folder.dir
      },
    },
  }
}
