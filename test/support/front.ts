// A real server of others in front of a real proxy, with a release, for the tests of a file.
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { freePort, listens } from './ports.ts'
import { startProgram, type ProxyProgram } from './proxy.ts'
import { publishRelease, snapshotsFolder, type ReleaseSpec } from './release.ts'
import { supervise, untilUp, type Supervised } from './supervised.ts'

/** What the configuration of a front names. */
interface Places {
  readonly port: number
  readonly proxy: ProxyProgram
  /** Of its own; removed with it. */
  readonly folder: string
}

/**
 * @param commandOf starts it in the foreground, given the file of its configuration
 * @returns its port, once the tests run
 */
export function frontOf(
  name: string,
  configurationOf: (places: Places) => string,
  commandOf: (file: string) => readonly string[],
  release: ReleaseSpec = {},
): () => number {
  const used = snapshotsFolder()
  let proxy: ProxyProgram | undefined
  let front: Supervised | undefined
  let port = 0
  beforeAll(async () => {
    await publishRelease(used.dir, release)
    proxy = await startProgram(['--snapshots', used.dir])
    port = await freePort()
    const folder = mkdtempSync(join(tmpdir(), 'front-'))
    const file = join(folder, 'conf')
    writeFileSync(file, configurationOf({ port, proxy, folder }))
    front = supervise(commandOf(file), { folder, signal: 'TERM' })
    await untilUp(front, name, () => listens(port))
  })
  afterAll(async () => {
    await front?.stop()
    await proxy?.kill()
    used.remove()
  })
  return () => port
}
