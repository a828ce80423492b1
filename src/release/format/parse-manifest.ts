// Owns reading a manifest's text back: JSON, its shape, its id, yielding every millisecond or so. Touches no file.
import { isCount } from './is-count.ts'
import { ianaName } from '../../contract/time-zone.ts'
import { PEOPLE_MODES } from '../../contract/people.ts'
import type { SiteOptions } from '../../contract/site-options.ts'
import { isTimestamp } from '../../contract/timestamp.ts'
import { MONTH, peopleModeOf, RELEASE_ID, releaseId, type Manifest, type ManifestTotals } from './manifest.ts'
import { ReleaseError } from './release-error.ts'
import { runYielding, type Yielding } from './yielding.ts'

/** 20,000 categories, the most that a build publishes, make 46 MB of text. A staging with more is not sealed. */
export const MAX_MANIFEST_BYTES: number = 64 << 20

/**
 * The manifest that a text is. A large one does not block the event loop.
 * @param from where the text was found, for the message
 * @throws ReleaseError (damaged) naming the manifest and what is wrong
 */
export async function manifestOf(text: string, from: string): Promise<Manifest> {
  const manifest = await runYielding(parseManifest(text))
  if (typeof manifest === 'string') throw new ReleaseError('damaged', `${from}: ${manifest}`)
  return manifest
}

/** The manifest, or a sentence that says what is wrong with the text. */
export function* parseManifest(text: string): Yielding<Manifest | string> {
  let value: unknown
  try {
    // A text in any other form is left to JSON.parse, which also reports what is wrong.
    value = (yield* parseFilesLast(text)) ?? parseAtOnce(text)
  } catch (error) {
    return `it is not JSON: ${(error as Error).message}`
  }
  const manifest = value as Manifest
  const wrong = yield* firstWrong(manifest)
  if (wrong !== null) return `its ${wrong} is missing or of the wrong type`
  const twice = firstTwice(manifest.files.map((file) => file.path))
  if (twice !== null) return `it lists ${twice} twice`
  const id = yield* releaseId(manifest.dataAsOf, manifest.files)
  return id === manifest.id ? manifest : `its list of files gives the id ${id}, but it says ${manifest.id}`
}

/** JSON.parse takes about half a millisecond for as much. */
const SLICE_CHARS = 1 << 16
const FILES_PER_STEP = 500

/**
 * Of a text that may be anybody's. 16 MiB of `[],` take 1.8 s and 380 MiB, 60 MiB 12 s and 1.6 GB; all but the files of a manifest
 * with 20,000 categories is some MB.
 */
const AT_ONCE_CHARS = 16 << 20
/** No entry of a file is shorter: it has a hash of 64 characters. */
const FILE_CHARS = 64

/** @throws Error as JSON.parse does, and for a text that is too long for it */
function parseAtOnce(text: string): unknown {
  if (text.length > AT_ONCE_CHARS)
    throw new Error(`${text.length} characters that are not a list of files as analytics-build writes it`)
  return JSON.parse(text)
}

/** What a file begins with. */
const FILE = '{"path":'
const LIST = ',"files":['
const END = ']}\n'

/**
 * JSON.parse of a text as manifestText writes it, its list of files last; null = it is not such a text. The list is cut
 * between two files: at quotes with no backslash before them, so never inside a string. Each piece is parsed as a list.
 */
function* parseFilesLast(text: string): Yielding<unknown> {
  const at = text.indexOf(LIST + FILE)
  if (at < 0 || !text.endsWith(END)) return null
  const end = text.length - END.length
  try {
    const manifest = parseAtOnce(text.slice(0, at) + LIST + END) as { readonly files: unknown[] }
    for (let from = at + LIST.length; from < end;) {
      const cut = text.indexOf(`,${FILE}`, from + SLICE_CHARS)
      const to = cut < 0 ? end : cut
      if (to - from > 2 * SLICE_CHARS) return null
      for (const file of JSON.parse(`[${text.slice(from, to)}]`) as unknown[]) manifest.files.push(file)
      if (manifest.files.length * FILE_CHARS > to) return null
      from = to + 1
      yield
    }
    return manifest
  } catch {
    return null
  }
}

const PROGRAM_VERSION = /^[\w.+-]{1,64}$/
const HEX = /^[0-9a-f]{64}$/
const TOTALS = ['ideas', 'votes', 'comments', 'launchedIdeas', 'categories'] as const satisfies (keyof ManifestTotals)[]

const isNumber = (value: unknown): boolean => typeof value === 'number'
const isText = (value: unknown): boolean => typeof value === 'string'
const isTextOrAbsent = (value: unknown): boolean => value == null || isText(value)

const SITE_PARTS: Checks<SiteOptions> = {
  title: isText,
  languages: isTexts,
  publicUrl: isTextOrAbsent,
  publisher: isTextOrAbsent,
  contact: isTextOrAbsent,
  license: isTextOrAbsent,
  accent: isTextOrAbsent,
  logo: isTextOrAbsent,
}

/** Each may be absent: earlier versions had none of them. */
const OPTION_PARTS: Checks<Manifest['options']> = {
  voteWeight: isNumber,
  commentWeight: isNumber,
  topCategories: isNumber,
  siteUrl: isText,
  // The gate computes with them: undefined would become NaN, which passes every comparison.
  people: (value) => PEOPLE_MODES.some((mode) => mode === value),
  timeZone: (value) => typeof value === 'string' && ianaName(value) !== null,
  site: (value) =>
    Object.entries(SITE_PARTS).every(([key, isRight]) => isRight((value as Record<string, unknown> | null)?.[key])),
}

type Checks<T> = Readonly<Record<keyof T, (value: unknown) => boolean>>
type Part = readonly [what: string, isRight: (manifest: Manifest) => boolean]

/** The parts of a manifest but its files, in the order of the message. */
const PARTS: readonly Part[] = [
  ['dataAsOf', ({ dataAsOf }) => isTimestamp(dataAsOf)],
  ['generatedAt', ({ generatedAt }) => isTimestamp(generatedAt)],
  ['nextUpdateAt', ({ nextUpdateAt }) => isTimestamp(nextUpdateAt)],
  ['id or version', ({ id, version }) => typeof id === 'string' && typeof version === 'string'],
  ['programVersion', ({ programVersion }) => programVersion === undefined || isProgramVersion(programVersion)],
  ['mapping', ({ mapping }) => typeof mapping?.name === 'string' && typeof mapping.sha256 === 'string'],
  // Anything but true and false must not be taken for open.
  ['closed', ({ closed }) => closed === undefined || typeof closed === 'boolean'],
  ...Object.entries(OPTION_PARTS).map(([key, isRight]): Part => [
    `options.${key}`,
    ({ options }) => {
      const value: unknown = options?.[key as keyof typeof options]
      return value === undefined || isRight(value)
    },
  ]),
  ['months', ({ months }) => months === undefined || isMonths(months)],
  ['month', ({ month }) => month === undefined || MONTH.test(month)],
  ['previous', ({ previous }) => previous === undefined || isNamed(previous)],
  ['site', ({ site }) => site === undefined || isTexts(site?.assets)],
  ['rows', ({ rows, options }) => TOTALS.every((key) => isCount(rows?.[key])) && isPublished(rows?.users, options)],
  ['categories', ({ categories }) => Array.isArray(categories) && categories.every(isCategory)],
]

function* firstWrong(manifest: Manifest): Yielding<string | null> {
  if (typeof manifest !== 'object' || manifest === null) return 'object'
  const part = PARTS.find(([, isRight]) => !isRight(manifest))
  if (part !== undefined) return part[0]
  const files: readonly unknown[] = manifest.files
  if (!Array.isArray(files)) return 'files'
  for (let from = 0; from < files.length; from += FILES_PER_STEP) {
    if (!files.slice(from, from + FILES_PER_STEP).every(isFile)) return 'files'
    yield
  }
  return null
}

function isProgramVersion(value: unknown): boolean {
  return typeof value === 'string' && PROGRAM_VERSION.test(value)
}

function isPublished(users: unknown, options: Manifest['options'] | undefined): boolean {
  return isCount(users) || (users === null && peopleModeOf(options) !== 'exact')
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string')
}

/** 1,200: --keep-months is no more. */
function isMonths(value: unknown): boolean {
  return isTexts(value) && value.length <= 1200 && value.every((one) => MONTH.test(one))
}

function firstTwice(paths: readonly string[]): string | null {
  const seen = new Set<string>()
  return paths.find((path) => seen.size === seen.add(path).size) ?? null
}

function isNamed(value: unknown): boolean {
  const { id, bytes, sha256 } = (value ?? {}) as Record<string, unknown>
  return typeof id === 'string' && RELEASE_ID.test(id) && isCount(bytes) && isHash(sha256)
}

function isCategory(value: unknown): boolean {
  const { name, key } = (value ?? {}) as { name?: unknown; key?: unknown }
  return typeof name === 'string' && typeof key === 'string'
}

// No segment may begin with a dot: a manifest must not lead out of its release.
const PATH = /^(?:[a-z0-9-][a-z0-9.-]*\/)*[a-z0-9-][a-z0-9.-]*$/

function isFile(value: unknown): boolean {
  const { path, bytes, sha256, contentHash, rows, gzip, br } = (value ?? {}) as Record<string, unknown>
  return (
    typeof path === 'string' &&
    PATH.test(path) &&
    isCount(bytes) &&
    (rows === null || isCount(rows)) &&
    isHash(sha256) &&
    (contentHash === undefined || isHash(contentHash)) &&
    [gzip, br].every((coded) => coded == null || isCoded(coded))
  )
}

function isCoded(value: unknown): boolean {
  const { bytes, sha256 } = value as Record<string, unknown>
  return isCount(bytes) && isHash(sha256)
}

function isHash(value: unknown): boolean {
  return typeof value === 'string' && HEX.test(value)
}
