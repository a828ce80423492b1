// Owns reading a manifest's text back: JSON, its shape, its id, yielding every millisecond or so. Touches no file.
import { FILE_PARTS, OPTION_PARTS, PARTS, releaseId, type Manifest } from './manifest.ts'
import { ReleaseError } from './release-error.ts'
import { fields, wrongKey } from './json-check.ts'
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
 * The text may be anybody's, so the part that is parsed at once has a bound: 16 MiB of `[],` take 1.8 s and 380 MiB, 60 MiB take 12 s
 * and 1.6 GB. A manifest with 20,000 categories has some MB without its list of files.
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

function* firstWrong(manifest: Manifest): Yielding<string | null> {
  if (typeof manifest !== 'object' || manifest === null) return 'object'
  const part = wrongKey(manifest, PARTS)
  if (part !== null) return part
  const option = wrongKey(manifest.options, OPTION_PARTS)
  if (option !== null) return `options.${option}`
  if (manifest.rows.users == null && manifest.options.people === 'exact') return 'rows'
  const files: unknown = manifest.files
  if (!Array.isArray(files)) return 'files'
  for (let from = 0; from < files.length; from += FILES_PER_STEP) {
    if (!files.slice(from, from + FILES_PER_STEP).every(fields(FILE_PARTS))) return 'files'
    yield
  }
  return null
}

function firstTwice(paths: readonly string[]): string | null {
  const seen = new Set<string>()
  return paths.find((path) => seen.size === seen.add(path).size) ?? null
}
