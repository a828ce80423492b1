// Owns what each file of a tree can be broken by: itself, what it uses, and what these use. A tree is its files and how their text is
// read, so that a test can invent one.
import { posix } from 'node:path'
import { edgesOf } from './edges.ts'

export interface Tree {
  /** From the root, with slashes. */
  readonly files: readonly string[]
  readonly read: (path: string) => string
}

export interface Graph {
  /** All that this file can be broken by; everything where some file says neither in its text nor in a line what it uses. */
  reach(path: string): ReadonlySet<string>
  /** Without what it does not say. */
  told(path: string): ReadonlySet<string>
  /** What only types come from. */
  readonly types: ReadonlySet<string>
  /** The files among what this one uses that leave it untold, with what they say. */
  untold(path: string): ReadonlyMap<string, readonly string[]>
  /** Of a line: the files that it names. */
  matching(pattern: string): readonly string[]
}

interface Known {
  readonly uses: readonly string[]
  readonly untold: readonly string[]
}

/** `*` is within a folder, `**` is anything, a slash at the end is all below. */
function expressionOf(pattern: string): RegExp {
  const parts = pattern.replace(/\/$/, '/**').split(/(\*\*\/|\*\*|\*)/)
  const meant = { '**/': '(?:.*/)?', '**': '.*', '*': '[^/]*' } as const
  const escaped = parts.map((part) => meant[part as '*'] ?? part.replaceAll(/[\\^$.+?()[\]{}|]/g, '\\$&'))
  return new RegExp(`^${escaped.join('')}$`)
}

export function graphOf({ files, read }: Tree): Graph {
  const all = new Set(files)
  const folders = new Set(files.flatMap((file) => parentsOf(file)))
  const types = new Set<string>()
  const known = new Map<string, Known>()
  const closures = new Map<string, ReadonlySet<string>>()

  function matching(pattern: string): readonly string[] {
    if (all.has(pattern)) return [pattern]
    if (folders.has(pattern)) return matching(`${pattern}/`)
    // The compiler leaves another ending behind.
    if (!/[*]|\/$/.test(pattern)) return [pattern.replace(/\.js$/, '.ts')].filter((one) => all.has(one))
    const expression = expressionOf(pattern)
    return files.filter((file) => expression.test(file))
  }

  function edges(path: string): Known {
    const before = known.get(path)
    if (before !== undefined) return before
    const said = edgesOf(path, read(path))
    for (const type of said.types) types.add(type)
    const found = new Set([...said.uses.flatMap(matching), ...said.maybe.filter((one) => all.has(one))])
    const now = { uses: [...found], untold: said.untold }
    known.set(path, now)
    return now
  }

  function closure(path: string): ReadonlySet<string> {
    const before = closures.get(path)
    if (before !== undefined) return before
    const reached = new Set([path])
    // A set that grows while it is walked.
    for (const one of reached) for (const used of isCode(one) ? edges(one).uses : []) reached.add(used)
    closures.set(path, reached)
    return reached
  }

  function untold(path: string): ReadonlyMap<string, readonly string[]> {
    const tests = [...closure(path)].filter((one) => one.startsWith('test/') && isCode(one))
    return new Map(tests.map((one) => [one, edges(one).untold] as const).filter(([, said]) => said.length > 0))
  }

  return {
    reach: (path) => (untold(path).size > 0 ? all : closure(path)),
    told: closure,
    types,
    untold,
    matching,
  }
}

const isCode = (path: string): boolean => /\.(?:ts|js|mjs)$/.test(path) && !path.endsWith('.d.ts')

function parentsOf(path: string): string[] {
  const parent = posix.dirname(path)
  return parent === '.' ? [] : [parent, ...parentsOf(parent)]
}
