// Owns one build beside the platform, in this process or as the program: its attempts, each with its end, and how it ended.
// Judges nothing.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BuildEffects } from '../../../src/builder/run/context.ts'
import { runBuild } from '../../../src/builder/run/run-build.ts'
import { packagePath } from '../../../src/process/package-root.ts'
import { SILENT } from '../../../src/process/log.ts'
import { SourceError } from '../../../src/source/database/source-error.ts'
import { loadMapping } from '../../../src/source/mapping/mapping.ts'
import { effectsAt, requestOf } from '../../support/library-build.ts'
import { begin, failureOf, logOf } from '../../builder/build-program.ts'
import type { Span } from './ledger.ts'

export interface Attempt extends Span {
  /** Why it began again; null = it did not. */
  readonly why: string | null
}

export interface Ended extends Span {
  /** `failed` = as a build that cannot read its source does: exit 3. */
  readonly how: 'published' | 'refused' | 'failed'
  /** Of a build that published nothing. */
  readonly message: string
  readonly attempts: readonly Attempt[]
}

export interface BuildOptions {
  readonly url: string
  readonly snapshots: string
  /** A file. */
  readonly mapping: string
  /** Which row of the settings says that the site is closed. */
  readonly form: 'row' | 'no-row'
}

export type Build = (options: BuildOptions) => Promise<Ended>

/** Of the waits before a new attempt: in this process they are shorter. */
const WAITED = 0.1
/** What the first of them is; the others are longer. */
const FIRST_WAIT_MS = 500
export const FIRST_WAITS: Readonly<Record<'here' | 'program', number>> = {
  here: FIRST_WAIT_MS * WAITED,
  program: FIRST_WAIT_MS,
}

/** Two files in a folder: as it is, and without what it requires, which a mapping need not say. */
export function mappingFiles(folder: string): readonly string[] {
  const text = readFileSync(packagePath('test', 'torture', 'migrations', 'mapping.sql'), 'utf8')
  const texts = { 'requires.sql': text, 'plain.sql': text.replaceAll(/^-- requires .*\n/gm, '') }
  return Object.entries(texts).map(([name, sql]) => {
    writeFileSync(join(folder, name), sql)
    return join(folder, name)
  })
}

/** The attempts of a build, by when it gave each of them up. */
function attemptsOf(
  { fromMs, toMs }: Span,
  again: readonly { readonly atMs: number; readonly why: string }[],
): Attempt[] {
  const begun = [fromMs, ...again.map(({ atMs }) => atMs)]
  return begun.map((ms, i) => ({ fromMs: ms, toMs: again[i]?.atMs ?? toMs, why: again[i]?.why ?? null }))
}

/** Data only, without siblings: the reading is what matters. */
export const buildHere: Build = async ({ url, snapshots, mapping, form }) => {
  const again: { atMs: number; why: string }[] = []
  const effects: BuildEffects = {
    ...effectsAt(Date.now),
    log: {
      ...SILENT,
      info(fields, message) {
        if ('waitMs' in fields) again.push({ atMs: Date.now(), why: message })
      },
    },
    sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms * WAITED)),
  }
  const change = { mapping: loadMapping(mapping, { form }), site: null, acceptRevision: true, keep: 1 }
  const fromMs = Date.now()
  const ended = (how: Ended['how'], message: string): Ended => {
    const span = { fromMs, toMs: Date.now() }
    return { ...span, how, message, attempts: attemptsOf(span, again) }
  }
  try {
    const outcome = await runBuild(requestOf(url, snapshots, { siblings: false, ...change }), effects)
    if (outcome.kind === 'published') return ended('published', '')
    if (outcome.kind === 'refused') return ended('refused', outcome.reasons.join('; '))
    throw new Error(`a build ended as ${outcome.kind}`)
  } catch (error) {
    if (error instanceof SourceError) return ended('failed', error.message)
    throw error
  }
}

const HOW: Readonly<Record<number, Ended['how']>> = { 0: 'published', 3: 'failed', 4: 'refused' }

/** With a site, and the real waits. */
export const buildProgram: Build = async ({ url, snapshots, mapping, form }) => {
  const fromMs = Date.now()
  const options = ['--source', mapping, '--param', `form=${form}`, '--accept-revision', '--keep', '1']
  const ran = await begin(['--snapshots', snapshots, ...options], { DATABASE_URL: url }).done
  const span = { fromMs, toMs: Date.now() }
  const how = HOW[ran.code]
  if (how === undefined) throw new Error(`it ended with ${ran.code}: ${ran.stderr}`)
  const again = logOf(ran)
    .filter((line) => 'waitMs' in line)
    .map(({ time, message }) => ({ atMs: Date.parse(String(time)), why: message }))
  return { ...span, how, message: how === 'published' ? '' : failureOf(ran), attempts: attemptsOf(span, again) }
}
