// Owns where the tortures of the way to the database happen: a server, a balanced platform, a writer that never
// rests. Injects nothing.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '../support/postgres.ts'
import { createBalancedPlatform, startWriter, type Writer } from './balanced-platform.ts'
import { GRANTS, ROLE, withPassword, type Scene } from './database-cuts.ts'

export async function withScene<T>(use: (scene: Scene, writer: Writer) => Promise<T>): Promise<T> {
  const home = mkdtempSync(join(tmpdir(), 'torture-database-'))
  const postgres = await startPostgres()
  let writer: Writer | undefined
  try {
    const owner = await createBalancedPlatform(postgres)
    await postgres.psql(`${ROLE}; ${GRANTS}`, new URL(owner).pathname.slice(1))
    writer = await startWriter(postgres, owner)
    return await use({ postgres, url: withPassword(owner), home }, writer)
  } finally {
    await writer?.stop()
    await postgres.stop()
    rmSync(home, { recursive: true, force: true })
  }
}
