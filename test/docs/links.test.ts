// Links, anchors and cited paths of all documents lead somewhere; comments cite documents that exist.
import { readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { describe, expect, test } from 'vitest'
import { packagePath } from '../../src/process/package-root.ts'
import { anchorsOf, codeLines, document, DOCUMENTS, FILES, inlineCode, linksOf, withoutBlocks } from './documents.ts'

const exists = (path: string): boolean =>
  FILES.has(path) || [...FILES].some((file) => file.startsWith(path.endsWith('/') ? path : `${path}/`))

/** Paths that are generated, or placeholders. */
const MADE = /NAME|^docs\/(?:index|data)\.html$|<|…|\*|^snapshots\/(releases|current|demo)|^dist\b|^bin\/start$/

test('there are the documents that a reader looks for', () => {
  const paths = DOCUMENTS.map(({ path }) => path)
  for (const name of ['api', 'architecture', 'cli', 'deployment', 'glossary', 'mappings', 'operations', 'performance'])
    expect(paths).toContain(`docs/${name}.md`)
  expect(paths).toEqual(expect.arrayContaining(['README.md', 'SECURITY.md', 'docs/platforms.md']))
})

describe.each(DOCUMENTS)('$path', (doc) => {
  test('links to files and headings that exist', () => {
    for (const link of linksOf(doc)) {
      if (/^https?:/.test(link)) continue
      const [target = '', anchor] = link.split('#')
      const path = target === '' ? doc.path : posix.join(posix.dirname(doc.path), target)
      expect(exists(path), link).toBe(true)
      if (anchor !== undefined) expect(anchorsOf(document(path)), link).toContain(anchor)
    }
  })

  test('cites paths that exist', () => {
    const cited = [...inlineCode(doc), ...codeLines(doc)].flatMap((code) =>
      [...code.matchAll(/(?<![\w./-])(?:src|test|docs|deploy|scripts|bin|snapshots|\.ci)\/[\w./<>*…-]*/g)].map(
        ([path]) => path.replace(/[.,…]+$/, ''),
      ),
    )
    for (const path of cited) if (!MADE.test(path)) expect(exists(path), path).toBe(true)
  })

  test('has one title, and tables whose rows have the cells of their heads', () => {
    expect(withoutBlocks(doc.text).match(/^# /gm) ?? []).toHaveLength(1)
    for (const [table] of withoutBlocks(doc.text).matchAll(/(?:^\|.*\n)+/gm)) {
      const cells = table
        .trimEnd()
        .split('\n')
        .map((row) => row.replaceAll('\\|', '').split('|').length)
      expect(new Set(cells).size, table.slice(0, 80)).toBe(1)
    }
  })
})

test('a recipe names what its file has', () => {
  const { text: recipes } = document('docs/recipes.md')
  const rows = recipes.matchAll(/^\| `((?:src|test)\/[^`]+\.ts)`[^|]*\|(.*)\|$/gm)
  const named = [...rows].flatMap(([, path = '', text = '']) =>
    [...text.matchAll(/`([A-Za-z_]{4,})`/g)].map(([, name = '']) => [path, name] as const),
  )
  expect(named.length).toBeGreaterThan(10)
  for (const [path, name] of named)
    expect(readFileSync(packagePath(path), 'utf8'), `docs/recipes.md: ${path} has ${name}`).toContain(name)
})

test('comments cite documents of the repository', () => {
  const code = [...FILES].filter((path) => /^(src|test|bin|scripts|deploy)\/|^nginx\.conf$/.test(path))
  const cited = code.flatMap((path) =>
    [...readFileSync(packagePath(path), 'utf8').matchAll(/(?<![\w/.'-])(?:docs\/)?[A-Za-z-]+\.md\b/g)].map(
      ([name]) => [path, name] as const,
    ),
  )
  expect(cited.length).toBeGreaterThan(5)
  for (const [path, name] of cited) expect(exists(name), `${path} cites ${name}`).toBe(true)
})
