// The plan of the house is a table of docs/architecture.md: which rooms there are, and what each may import. No arrow that it lacks, none
// that it has too many, and none that leads back.
// depends on: docs/architecture.md, src/
import { readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { parseSync } from 'rolldown/utils'
import { expect, test } from 'vitest'
import { packagePath } from '../../src/process/package-root.ts'
import { document, FILES } from './documents.ts'

interface Room {
  readonly name: string
  readonly uses: readonly string[]
  readonly isPure: boolean
}

const ROOMS: readonly Room[] = [
  ...document('docs/architecture.md').text.matchAll(
    /^\| `src\/(?<name>[a-z/]*?)\/?` \| (?<owns>[^|]+) \| (?<uses>[^|]*) \|$/gm,
  ),
].map(({ groups: { name = '', owns = '', uses = '' } = {} }) => ({
  name,
  uses: [...uses.matchAll(/`([^`]+)`/g)].map(([, one = '']) => one),
  isPure: owns.includes('Pure'),
}))

/** The room with the longest name in which a file is. */
function roomOf(path: string): Room {
  const [room] = ROOMS.filter(({ name }) => path.startsWith(`src/${name}/`)).toSorted(
    (a, b) => b.name.length - a.name.length,
  )
  if (room === undefined) throw new Error(`${path} is in no room of docs/architecture.md`)
  return room
}

interface Arrow {
  readonly from: string
  readonly room: Room
  /** A room, a file without its ending, or a package. */
  readonly to: readonly string[]
}

/** Of a file: what it imports of other rooms, and of packages. */
function arrowsOf(from: string): Arrow[] {
  const text = readFileSync(packagePath(from), 'utf8')
  const { staticImports, staticExports, dynamicImports } = parseSync(from, text).module
  const named = [
    ...staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...staticExports.flatMap(({ entries }) => entries.flatMap(({ moduleRequest }) => moduleRequest?.value ?? [])),
    ...dynamicImports.map(({ moduleRequest: { start, end } }) => text.slice(start + 1, end - 1)),
    ...[...text.matchAll(/\brequire\('([^']+)'\)/g)].map(([, name = '']) => name),
  ]
  const room = roomOf(from)
  return named.flatMap((name) => {
    if (!name.startsWith('.')) return { from, room, to: [name.startsWith('node:') ? name : packageOf(name)] }
    const path = posix.join(posix.dirname(from), name)
    const other = roomOf(path)
    return other === room ? [] : { from, room, to: [other.name, path.replace(/^src\/(.*)\.ts$/, '$1')] }
  })
}

const packageOf = (name: string): string => /^(?:@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? name

const ARROWS = [...FILES].filter((path) => /^src\/.+\.ts$/.test(path)).flatMap(arrowsOf)
const said = ({ from, to }: Arrow): string => `${from} imports ${to.at(-1)}`

test('a file imports what its room may: rooms, single files, packages', () => {
  const forbidden = ARROWS.filter(
    ({ room, to }) => !to.some((one) => one.startsWith('node:') || room.uses.includes(one)),
  )
  expect(forbidden.map(said)).toEqual([])
})

test('a pure room has of Node.js hashes only: no files, no clock, no network', () => {
  const impure = ARROWS.filter(({ room, to: [one = ''] }) => room.isPure && /^node:(?!crypto$)/.test(one))
  expect(impure.map(said)).toEqual([])
  expect(ROOMS.filter(({ isPure }) => isPure).length).toBeGreaterThan(3)
})

test('a room imports what the table says that it may', () => {
  const idle = ROOMS.flatMap((room) => {
    const used = new Set(ARROWS.filter((arrow) => arrow.room === room).flatMap(({ to }) => to))
    return room.uses.filter((one) => !used.has(one)).map((one) => `${room.name} does not import ${one}`)
  })
  expect(idle).toEqual([])
})

test('each room stands below those that use it: no arrow leads back', () => {
  const above = new Map(ROOMS.map(({ name }, i) => [name, i]))
  const back = ROOMS.flatMap(({ name, uses }, i) =>
    uses.filter((one) => (above.get(one) ?? -1) >= i).map((one) => `${name} → ${one}`),
  )
  expect(back).toEqual([])
})

test('a plane imports no other plane', () => {
  const isPlane = (path: string): boolean => /^src\/proxy\/planes\/[a-z-]+\.ts$/.test(path)
  const texts = [...FILES].filter(isPlane).map((path) => [path, readFileSync(packagePath(path), 'utf8')] as const)
  expect(texts.length).toBeGreaterThan(1)
  expect(texts.filter(([, text]) => /from '\.\//.test(text)).map(([path]) => path)).toEqual([])
})

/** Each program has a main. */
const ENTRIES = ['main']

test('a name that is exported has one meaning', () => {
  const named = [...FILES]
    .filter((path) => /^src\/.+\.ts$/.test(path))
    .flatMap((path) => {
      const { staticExports } = parseSync(path, readFileSync(packagePath(path), 'utf8')).module
      // Not what a file hands on from another one.
      const own = staticExports.flatMap(({ entries }) => entries.filter(({ moduleRequest }) => moduleRequest === null))
      return own.flatMap(({ exportName: { name } }) => (name === null ? [] : { name, path }))
    })
  const twice = named.filter(
    ({ name, path }) => !ENTRIES.includes(name) && named.some((other) => other.name === name && other.path !== path),
  )
  expect(named.length).toBeGreaterThan(1000)
  expect(twice.map(({ name, path }) => `${name}: ${path}`)).toEqual([])
})
