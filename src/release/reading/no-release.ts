// Owns what is said of a folder without a current release: what it has instead, and which folder may be meant. Reads names only.
import { readdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { nearest } from '../../process/near.ts'
import { some } from '../../process/printable.ts'
import { releasePaths, type ReleasePaths } from '../format/paths.ts'
import { currentId } from './release-list.ts'

/** What is said, the end of it (what is there instead), and a folder with a current release that is above it, in it or called nearly so; null = there is none. */
export type NoRelease = Readonly<{ text: string; has: string; meant: string | null }>

/** Of names in a folder, that are looked into. */
const MAX_LOOKS = 100
const SHOWN = 3

export async function noReleaseIn({ root }: Pick<ReleasePaths, 'root'>): Promise<NoRelease> {
  const [names, beside] = [await namesIn(root), (await namesIn(join(root, '..'))) ?? []]
  const near = names === null ? nearest(basename(root), beside) : null
  const folders = [
    ...['..', '../..', ...(names ?? []).slice(0, MAX_LOOKS)].map((name) => join(root, name)),
    ...(near === null ? [] : [join(root, '..', near)]),
  ]
  const has = names === null ? 'no such folder' : names.length === 0 ? 'it is empty' : `it has ${some(names, SHOWN)}`
  const text = `no release in ${root}: ${has}`
  for (const folder of folders) {
    const id = await currentId(releasePaths(folder)).catch(() => null)
    if (id !== null) return { text, has, meant: folder }
  }
  return { text, has, meant: null }
}

/** null = it is no folder, or not for this user. */
async function namesIn(folder: string): Promise<string[] | null> {
  return readdir(folder).then(
    (names) => names.sort(),
    () => null,
  )
}
