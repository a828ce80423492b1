// Owns where the tortures of the way to the database happen: a server, a balanced platform, a writer that never
// rests. Injects nothing.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '../support/postgres.ts'
import { createBalancedPlatform, startWriter, type Writer } from './balanced-platform.ts'
import { GRANTS, ROLE, withPassword, type Scene } from './database-cuts.ts'

export async function withScene<T>(use: (scene: Scene, writer: Writer) => Promise<T>): Promise<T> {
  return withQuietScene(async (scene, startWriting) => use(scene, await startWriting()))
}

/** The writer begins when the caller says so: once, and it is stopped at the end. */
export async function withQuietScene<T>(
  use: (scene: Scene, startWriting: () => Promise<Writer>) => Promise<T>,
): Promise<T> {
  const home = mkdtempSync(join(tmpdir(), 'torture-database-'))
  const postgres = await startPostgres()
  let writer: Writer | null = null
  try {
    const owner = await createBalancedPlatform(postgres)
    await postgres.psql(`${ROLE}; ${GRANTS}`, new URL(owner).pathname.slice(1))
    return await use(
      { postgres, url: withPassword(owner), home },
      async () => (writer = await startWriter(postgres, owner)),
    )
  } finally {
    await (writer as Writer | null)?.stop()
    await postgres.stop()
    rmSync(home, { recursive: true, force: true })
  }
}
