// Owns what is made once per run of the real tests and only read afterwards: a folder for the data of a new PostgreSQL
// cluster, filled by the first test that starts one. Goes with the run, also when it is killed.
import { chownSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { serverAccount, TEMPLATE } from './postgres.ts'
import { supervise } from './supervised.ts'

export function setup(): () => Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'test-run-'))
  const account = serverAccount()
  if (account !== undefined) chownSync(folder, account.uid, account.gid)
  // A program that only waits: the folder goes when this process ends.
  const keeper = supervise(['tail', '-f', '/dev/null'], { folder, signal: 'TERM' })
  process.env[TEMPLATE] = folder
  return () => keeper.stop()
}
