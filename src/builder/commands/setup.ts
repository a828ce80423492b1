// Owns what setup does to the world: its files, its sessions, the build that it starts. Asks nothing itself.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { lstatSync, realpathSync, statSync } from 'node:fs'
import { access, chown, constants, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, isAbsolute, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { CliError, errorLine, usageError } from '../../process/cli-error.ts'
import { packagePath } from '../../process/package-root.ts'
import type { Target } from '../../source/database/parse-target.ts'
import type { MappingRequires } from '../../source/mapping/requires-line.ts'
import { BUCKET_VARIABLE } from '../../release/publishing/bucket.ts'
import { replaceFile } from '../../release/writing/state.ts'
import { paramValues } from '../../source/mapping/parameters.ts'
import { granted, roleScript } from '../../source/mapping/role-script.ts'
import { exitCodeFor } from '../report/exit-codes.ts'
import type { BuilderContext } from '../run/context.ts'
import { answersOfFlags, type Ask } from '../setup/ask.ts'
import { withSession } from '../run/session.ts'
import { lookAt } from '../setup/look.ts'
import type { RoleEffects } from '../setup/role-question.ts'
import { endRole, makeRole, newMark, readPowers, sessionOf } from '../setup/role.ts'
import type { SetupRequest } from '../setup/env-file.ts'
import { runSetup, type SetupEffects } from '../setup/setup.ts'
import { OPTIONS, SETUP_WRITTEN, type Values } from '../options/build-options.ts'
import { givenParams } from './build-request.ts'

const FILE = 'analytics.env'
const AGAIN_MS = 2000

export async function setup(values: Values<'setup'>, context: BuilderContext): Promise<number> {
  const file = resolve(typedFolder(), values.output ?? FILE)
  const ask = await askOf(values, context)
  await checkWritable(file)
  try {
    return await runSetup(requestOf(values, context.env), effectsOf(file, ask, context))
  } catch (error) {
    const code = exitCodeFor(error)
    // One that nobody expected is logged with its stack, and a signal is said as elsewhere; the rest of what setup says is no log.
    if (code === 1 || code > 128 || context.signal.aborted) throw error
    process.stderr.write(errorLine('analytics-build', error as Error))
    return code
  }
}

async function askOf({ yes }: Values<'setup'>, { out }: BuilderContext): Promise<Ask> {
  if (yes) return answersOfFlags(out)
  if (!process.stdin.isTTY || !process.stdout.isTTY)
    throw usageError(
      'setup asks its questions on a terminal, and there is none: for a script give --yes, --database-url and, as needed, the other flags of setup --help',
    )
  // Loaded only here: no other command asks.
  const { askOnTerminal } = await import('../setup/terminal.ts')
  return askOnTerminal(out)
}

/** This is checked before the first question, so that no answer is lost. */
async function checkWritable(file: string): Promise<void> {
  try {
    if (lstatSync(file, { throwIfNoEntry: false }) !== undefined) throw usageError(isThere(file))
    await access(dirname(file), constants.W_OK)
  } catch (error) {
    if (error instanceof CliError) throw error
    throw usageError(
      `--output: cannot write ${file}: ${(error as Error).message}; work in a folder of your own, or give another file`,
    )
  }
}

function requestOf(values: Values<'setup'>, env: BuilderContext['env']): SetupRequest {
  const given = { ...values, publish: values.publish?.shown ?? null }
  const chosen = SETUP_WRITTEN.flatMap((name): [string, string][] => {
    const [value, variable] = [given[name], OPTIONS.setup[name].envVar]
    return value === null || variable === undefined ? [] : [[variable, String(value)]]
  })
  if (values.publish !== null)
    // They are written as passwords are: cron has no other environment than the file, and another working directory.
    for (const [name, value] of Object.entries(env))
      if (BUCKET_VARIABLE.test(name) && value) chosen.push([name, name.endsWith('_FILE') ? resolve(value) : value])
  return { ...values, params: givenParams(values.param), env, chosen: new Map(chosen) }
}

function effectsOf(file: string, ask: Ask, { signal, out }: BuilderContext): SetupEffects {
  return {
    ask,
    out,
    places: {
      root: typedRoot(),
      real: packagePath(),
      node: process.execPath,
      file,
      folder: typedFolder(),
    },
    reach: (target) => withSession(target, signal, (client) => sessionOf(client)),
    reachAsCron: (target) => withoutOurs(() => withSession(target, signal, (client) => sessionOf(client))),
    lookAt: (target) => lookAt(target, signal),
    roleEffects: (...about) => roleEffects(signal, ...about),
    save: (text) => writeNew(file, text, 0o600),
    change: changeFile,
    forget: () => rm(file, { force: true }),
    build: () => firstBuild(file),
  }
}

/** The package as it was typed: a link such as /opt/current, which the next version moves. */
function typedRoot(script = process.argv[1] ?? ''): string {
  const root = resolve(dirname(script), '..')
  return script.endsWith('/bin/analytics-build.js') && realpathSync(root) === packagePath() ? root : packagePath()
}

/** The folder as a shell calls it, with its links. */
function typedFolder(): string {
  const { PWD = '' } = process.env
  try {
    const [typed, here] = [statSync(PWD), statSync('.')]
    if (isAbsolute(PWD) && typed.ino === here.ino && typed.dev === here.dev) return PWD
  } catch {
    // This user may not look at that folder, as where root has begun a command of another user.
  }
  return process.cwd()
}

function isThere(file: string): string {
  return `--output: ${file} is there already: remove it, or give another name`
}

/** Writes a file whole, to the disk, and never in place of another, which may have come meanwhile. */
export async function writeNew(path: string, text: string, mode: number): Promise<void> {
  try {
    await writeFile(path, text, { flag: 'wx', mode, flush: true })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw usageError(isThere(path))
    await rm(path, { force: true }).catch(() => {})
    throw usageError(`--output: cannot write ${path}: ${(error as Error).message}`)
  }
}

/** Changes the text of a file. Its mode, its owner and a link to it stay; a reader finds the old text or the new one. */
async function changeFile(path: string, from: string, to: string): Promise<void> {
  const file = await realpath(path)
  if ((await readFile(file, 'utf8')) !== from) throw new Error('it was changed meanwhile')
  const { mode, uid, gid } = await stat(file)
  const next = `${dirname(file)}/.${basename(file)}.${process.pid}`
  await replaceFile(file, to, mode & 0o7777, next)
  if (process.getuid?.() === 0) await chown(file, uid, gid)
}

function roleEffects(
  signal: AbortSignal,
  ...[target, source, params, role]: Parameters<SetupEffects['roleEffects']>
): RoleEffects {
  const requires = (): MappingRequires[] => granted(source, paramValues(source.file, params, {}))
  const mark = newMark()
  const reads = () => ({ requires: requires(), searchPath: target.searchPath })
  const logIn = (as: Target) => withoutOurs(() => withSession(as, signal, (client) => sessionOf(client, reads())))
  return {
    powers: () => withSession(target, signal, (client) => readPowers(client, role)),
    script: (hash) => roleScript(source.file.name, requires(), role, hash),
    make: (script) => withSession(target, signal, (client) => makeRole(client, mark, script, role, reads())),
    // A pooler may have the password of an earlier role of that name for a moment.
    reachAsCron: (as) => logIn(as).catch(() => delay(AGAIN_MS, undefined, { signal }).then(() => logIn(as))),
    // A signal ends the work that makes the role, not the work that removes it.
    end: (how) =>
      withSession(target, how === 'keep' ? signal : AbortSignal.any([]), (client) => endRole(client, mark, role, how)),
  }
}

/** The variables that the work of a set-up must not inherit: the file alone says what is built, as it will for cron. */
const OURS = /^(?:ANALYTICS_|PG|DATABASE_URL)/
async function withoutOurs<T>(work: () => Promise<T>): Promise<T> {
  const before = { ...process.env }
  for (const name of Object.keys(before)) if (OURS.test(name)) delete process.env[name]
  return work().finally(() => Object.assign(process.env, before))
}

async function firstBuild(file: string): Promise<void> {
  const args = [packagePath('bin', 'analytics-build.js'), 'build', '--env-file', file]
  const child = await withoutOurs(async () =>
    spawn(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit'] }),
  )
  const [code, by] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null]
  if (code === 0) return
  const how = by === null ? `exit code ${code}` : by
  throw new CliError(
    code ?? 1,
    `${file} is written, but its first build failed (${how}); when that is fixed: analytics-build build --env-file ${file}`,
  )
}
