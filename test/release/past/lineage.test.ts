import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { array, assert, constantFrom, option, property, tuple } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { releasePaths, type ReleasePaths } from '../../../src/release/format/paths.ts'
import { lineageOf, noteLineage, readLineage } from '../../../src/release/past/lineage.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const IDS = Array.from({ length: 6 }, (_, i) => `2026052${i}T093000123Z-0123abcd`)
const [A, B, C, D, E] = IDS as [string, string, string, string, string, string]

const readNoted = async (paths: ReleasePaths) => Object.fromEntries(await readLineage(paths))

function folderWith(...ids: readonly string[]): ReleasePaths {
  const paths = releasePaths(temporaryFolder())
  for (const id of ids) mkdirSync(join(paths.releases, id), { recursive: true })
  return paths
}

describe('a lineage', () => {
  it('leaves out what a rollback took back, and what was never current', () => {
    const noted = new Map([
      [B, A],
      [C, B],
      // Rolled back from C to A.
      [D, A],
      [E, D],
    ])
    expect([...lineageOf(E, IDS, noted)]).toEqual([E, D, A])
    expect([...lineageOf(C, IDS, noted)]).toEqual([C, B, A])
  })

  it('ends where a history began', () => {
    const noted = new Map<string, string | null>().set(C, B).set(B, null)
    expect([...lineageOf(C, IDS, noted)]).toEqual([C, B])
  })

  it('goes on to the release before where nothing is noted', () => {
    expect([...lineageOf(D, IDS, new Map())]).toEqual([D, C, B, A])
    expect([...lineageOf(D, [A, C], new Map([[D, B]])), 'of one that is gone']).toContain(B)
  })

  it('ends, whatever is noted', () => {
    const noted = array(tuple(constantFrom(...IDS), option(constantFrom(...IDS))))
    assert(
      property(noted, constantFrom(...IDS), (pairs, start) => {
        const ids = [...lineageOf(start, IDS, new Map(pairs))]
        expect(ids[0]).toBe(start)
        expect(new Set(ids).size).toBe(ids.length)
      }),
    )
  })
})

describe('what is noted', () => {
  it('is read again, and is of releases that are there', async () => {
    const paths = folderWith(A, B)
    await noteLineage(paths, A, null)
    await noteLineage(paths, B, A)
    await noteLineage(paths, C, B)
    expect(await readNoted(paths)).toEqual({ [A]: null, [B]: A, [C]: B })
    mkdirSync(join(paths.releases, C))
    rmSync(join(paths.releases, B), { recursive: true })
    await noteLineage(paths, D, C)
    expect(await readNoted(paths), 'past the one that is gone').toEqual({ [A]: null, [C]: A, [D]: C })
    expect(readdirSync(paths.root).sort()).toEqual(['.lineage', 'releases'])
  })

  it('keeps the name of a removed release of which nothing is noted', async () => {
    const paths = folderWith(A, C)
    await noteLineage(paths, C, B)
    await noteLineage(paths, D, C)
    expect(await readNoted(paths)).toEqual({ [C]: B, [D]: C })
  })

  it('does not make a release follow itself', async () => {
    const paths = folderWith(A, B)
    await noteLineage(paths, B, A)
    const before = readFileSync(paths.lineage, 'utf8')
    await noteLineage(paths, B, B)
    expect(readFileSync(paths.lineage, 'utf8')).toBe(before)
  })

  it.each(['', '{', '[]', 'null', '"text"', '{"a":1}'])('is nothing in a file with %j', async (text) => {
    const paths = folderWith(A)
    writeFileSync(paths.lineage, text)
    expect(await readNoted(paths)).toEqual({})
    await noteLineage(paths, A, null)
    expect(await readNoted(paths)).toEqual({ [A]: null })
  })

  it('is nothing without a file', async () => {
    expect(await readNoted(folderWith())).toEqual({})
  })
})
