// The documents of the repository, as the tests of test/docs read them: text, links, headings, code.
// depends on: docs/, *.md, snapshots/README.md
import { readdirSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { packagePath } from '../../src/process/package-root.ts'

export interface Document {
  /** From the repository's root. */
  readonly path: string
  readonly text: string
}

export function document(path: string): Document {
  return { path, text: readFileSync(packagePath(path), 'utf8') }
}

/** Folders that are generated or installed. */
const NOT_OURS = ['.git', 'node_modules', 'dist', '.compiled', '.bench', '.torture']

function filesBelow(folder: string): string[] {
  return readdirSync(packagePath(folder), { withFileTypes: true }).flatMap((entry) => {
    const path = posix.join(folder, entry.name)
    if (NOT_OURS.includes(entry.name) || (folder === 'snapshots' && entry.name !== 'README.md')) return []
    return entry.isDirectory() ? filesBelow(path) : [path]
  })
}

/** Every file of the repository. */
export const FILES: ReadonlySet<string> = new Set(filesBelow('.'))

/** Those for readers. The changelog describes the past, so it is not compared with the code. */
export const DOCUMENTS: readonly Document[] = [...FILES]
  .filter((path) => /^([A-Z]+\.md|docs\/[^/]+\.md|snapshots\/README\.md)$/.test(path) && path !== 'CHANGELOG.md')
  .map(document)

export function withoutBlocks(text: string): string {
  return text.replaceAll(/^```[\s\S]*?^```/gm, '')
}

/** The text in backticks, outside of blocks. */
export function inlineCode({ text }: Document): string[] {
  return [...withoutBlocks(text).matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code)
}

/** Lines of the blocks of code. */
export function codeLines({ text }: Document): string[] {
  return [...text.matchAll(/^```\w*\n([\s\S]*?)^```/gm)].flatMap(([, block = '']) => block.split('\n'))
}

/** The anchors of its headings, as GitHub makes them. */
export function anchorsOf({ text }: Document): string[] {
  return [...withoutBlocks(text).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(/\s/g, '-'),
  )
}

export function linksOf({ text }: Document): string[] {
  return [...withoutBlocks(text).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target)
}
