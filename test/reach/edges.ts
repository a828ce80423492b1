// Owns what one file names of others: what it imports, and the files that it reads, starts or loads, as paths or patterns from the
// repository's root. Where that cannot be told from its text, its line `// depends on: …` says it. Reads no file.
import { posix } from 'node:path'
import { parseSync, Visitor } from 'rolldown/utils'

export interface Edges {
  /** What is loaded with it, or later. A pattern where a part of the name is made at run time. */
  readonly uses: readonly string[]
  /** What only its types come from: gone when it runs. */
  readonly types: readonly string[]
  /** Paths that may name a file, and may be any other text. */
  readonly maybe: readonly string[]
  /** What nobody can tell, as it stands there. Empty where a line tells it. */
  readonly untold: readonly string[]
}

const LINE = /^\/\/ depends on: (.+)$/m
const CODE = /\.(?:ts|js|mjs)$/
const PROGRAM = /\banalytics-(?:build|proxy)\.js\b/
/** They start what package.json or a test runner says. */
const STARTERS = new Set(['npm', 'npx'])
/** What is made of parts and begins so is a path, from the folder in which tests run. */
const ROOM = /^(?:bin|deploy|docs|scripts|src|test)\/\S+$/
/** Nobody changes what is in them. */
const MADE = /^(?:node_modules|snapshots)(?:\/|$)/
/** What scripts/compile.js makes of several files: its first one. */
const BUNDLES: Readonly<Record<string, string>> = { 'dist/site/assets/page.js': 'src/site/client/page.ts' }
/** Functions that take a path, or its segments: where they are, and what they make of it. */
const PATHS = new Map([
  ['packagePath', { from: 'src/process/package-root.ts', file: (...segments: string[]) => segments.join('/') }],
  ['document', { from: 'test/docs/documents.ts', file: (path = '') => path }],
  ['fillTemplate', { from: 'src/source/sql/template.ts', file: (name = '') => `src/source/${name}.sql` }],
])
const PATHS_FROM = new Set([...PATHS.values()].map(({ from }) => from))

type Node = Parameters<NonNullable<ConstructorParameters<typeof Visitor>[0]['CallExpression']>>[0]['arguments'][number]

/** The text, with `**` for what is only known at run time. */
function patternOf(node: Node): string {
  if (node.type === 'Literal' && typeof node.value === 'string') return node.value
  if (node.type === 'TemplateLiteral') return node.quasis.map(({ value }) => value.cooked ?? value.raw).join('**')
  return '**'
}

/** Compiled files are those that they are made of. */
function sourceOf(path: string): string {
  return BUNDLES[path] ?? (path.startsWith('dist/') ? path.replace(/^dist\//, 'src/').replace(/\.js$/, '.ts') : path)
}

/** A line that begins as it does is more exact. */
const isReplaced = (pattern: string, lines: readonly string[]): boolean => {
  const [begin = ''] = pattern.split('*')
  return lines.some((line) => line !== pattern && line.startsWith(begin))
}

const isUntold = (pattern: string): boolean => pattern.startsWith('**') || pattern === '.' || pattern === 'dist'

const isMetaUrl = (node: Node | undefined): boolean =>
  node?.type === 'MemberExpression' && node.object.type === 'MetaProperty'

/** What its lines say: paths, folders with a slash behind, patterns; `nothing else` is none. */
export function linesOf(text: string): string[] {
  return [...text.matchAll(new RegExp(LINE, 'gm'))]
    .flatMap(([, said = '']) => said.split(', '))
    .filter((one) => one !== 'nothing else')
}

/** @param path from the root, with slashes */
export function edgesOf(path: string, text: string): Edges {
  const lines = linesOf(text)
  if (!CODE.test(path)) return { uses: lines, types: [], maybe: [], untold: [] }
  const { program } = parseSync(path, text)
  const uses = new Set(lines)
  const types = new Set<string>()
  const maybe = new Set<string>()
  const untold = new Set<string>()
  const folder = posix.dirname(path)
  const beside = (name: string): string => posix.join(folder, name)
  const said = ({ start, end }: { start: number; end: number }): string => text.slice(start, end)
  const use = (pattern: string, node: { start: number; end: number }): void => {
    const from = posix.normalize(pattern)
    if (isUntold(from)) untold.add(said(node))
    else if (!MADE.test(from) && !isReplaced(from, lines)) uses.add(sourceOf(from))
  }
  const imported = (name: string, isType: boolean): void => {
    if (name.startsWith('.')) (isType ? types : uses).add(beside(name))
  }
  const named = (value: string): void => {
    if (STARTERS.has(value)) untold.add(`'${value}'`)
    const started = PROGRAM.exec(value)?.[0]
    if (started !== undefined && !path.startsWith('src/')) maybe.add(`bin/${started}`)
    // In bin/ a name of what is compiled.
    if (value.includes('/')) maybe.add(sourceOf(path.startsWith('bin/') ? `dist/${value}` : value))
  }
  new Visitor({
    ImportDeclaration: ({ source, importKind }) => imported(source.value, importKind === 'type'),
    ExportAllDeclaration: ({ source, exportKind }) => imported(source.value, exportKind === 'type'),
    ExportNamedDeclaration: ({ source, exportKind }) => {
      if (source != null) imported(source.value, exportKind === 'type')
    },
    ImportExpression: (node) => {
      const pattern = patternOf(node.source)
      if (pattern.startsWith('.')) uses.add(beside(pattern))
      else if (pattern.startsWith('**')) untold.add(said(node))
    },
    NewExpression: (node) => {
      const [name, base] = node.arguments
      if (node.callee.type !== 'Identifier' || node.callee.name !== 'URL' || name === undefined) return
      const pattern = patternOf(name)
      if (isMetaUrl(base)) use(pattern.startsWith('**') ? pattern : beside(pattern), node)
    },
    CallExpression: (node) => {
      if (node.callee.type !== 'Identifier') return
      const { name } = node.callee
      const given = node.arguments.map(patternOf)
      const known = PATHS.get(name)
      // In the function itself, what its callers name.
      if (known !== undefined && uses.has(known.from) && !PATHS_FROM.has(path)) use(known.file(...given), node)
      const joined = given.join('/')
      if (/^(?:join|resolve)$/.test(name) && ROOM.test(joined) && path.startsWith('test/')) use(joined, node)
    },
    MemberExpression: (node) => {
      if (node.object.type !== 'MetaProperty' || node.property.type !== 'Identifier') return
      if (/^(?:dirname|filename)$/.test(node.property.name)) untold.add(said(node))
    },
    Literal: ({ value }) => {
      if (typeof value === 'string') named(value)
    },
    TemplateLiteral: (node) => {
      const pattern = patternOf(node)
      if (ROOM.test(pattern) && path.startsWith('test/')) use(pattern, node)
    },
    TemplateElement: ({ value }) => named(value.cooked ?? value.raw),
  }).visit(program)
  const isTold = LINE.test(text)
  return { uses: [...uses], types: [...types], maybe: [...maybe], untold: isTold ? [] : [...untold] }
}
