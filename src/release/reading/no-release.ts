// Owns what is said of a folder without a current release: what it has instead, and which folder may be meant. Reads names only.
import { readdir } from 'node:fs/promises'
import { basename, isAbsolute, join, resolve } from 'node:path'
import { nearest } from '../../process/near.ts'
import { some } from '../../process/printable.ts'
import { releasePaths, type ReleasePaths } from '../format/paths.ts'
import { currentId } from './release-list.ts'

/** So many folders in the folder are looked into. */
const MAX_LOOKS = 100
const SHOWN = 3

/** `text` says it, `has` is its end: what is there instead. `meant` has a current release, and is above, inside or called nearly so. */
export async function noReleaseIn({ root }: Pick<ReleasePaths, 'root'>) {
  const [names, beside] = [await namesIn(root), await namesIn(join(root, '..'))]
  // The second of several sites is not the first, and what the demo invents is nobody's.
  const others = listed(beside).filter((name) => withoutDigits(name) !== withoutDigits(basename(root)))
  const near = names === 'no such folder' ? nearest(basename(root), others) : null
  const inside = listed(names).filter((name) => name !== 'demo')
  const folders = ['..', '../..', ...inside.slice(0, MAX_LOOKS), ...(near === null ? [] : [`../${near}`])]
  const has = typeof names === 'string' ? names : names.length === 0 ? 'it is empty' : `it has ${some(names, SHOWN)}`
  const text = `no release in ${isAbsolute(root) ? root : `${root} (${resolve(root)})`}: ${has}`
  for (const folder of folders.map((name) => join(root, name))) {
    const id = await currentId(releasePaths(folder)).catch(() => null)
    if (id !== null) return { text, has, meant: folder }
  }
  return { text, has, meant: null }
}

/** A string = why they are not known. */
async function namesIn(folder: string): Promise<string[] | string> {
  return readdir(folder).then(
    (names) => names.sort(),
    ({ code }: NodeJS.ErrnoException) => (code === 'EACCES' ? 'this user may not list it' : 'no such folder'),
  )
}

const withoutDigits = (name: string): string => name.replaceAll(/\d+/g, '')

const listed = (names: string[] | string): readonly string[] => (typeof names === 'string' ? [] : names)
