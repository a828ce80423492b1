// Runs npm as somebody does who was told nothing by the npm that runs these tests.
// depends on: nothing else
import { spawnSync } from 'node:child_process'

/** What npm says when it reaches no registry and its cache does not have what it needs. */
export const NO_REGISTRY = /\b(?:ENOTCACHED|ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH)\b/

export interface Npm {
  readonly ok: boolean
  readonly said: string
}

/** Of this process, without what the npm that runs these tests was told: `npm test` hands all of it on as variables. */
export function npmEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_(?!config_)/i.test(name)))
}

export function npm(cwd: string, ...args: readonly string[]): Npm {
  const env = npmEnvironment()
  const { status, stdout, stderr } = spawnSync('npm', [...args], { cwd, env, encoding: 'utf8', timeout: 300_000 })
  return { ok: status === 0, said: `${stdout}${stderr}` }
}
