// src/site/site.ts: its small files, and that every file has a place that servers know.
import { isDeepStrictEqual } from 'node:util'
import { expect, test } from 'vitest'
import type { SiteOptions } from '../../src/contract/site-options.ts'
import { LANGUAGES, siteKindOf } from '../../src/contract/site-paths.ts'
import { favicon, robotsFile, siteFiles } from '../../src/site/site.ts'
import type { SiteInput } from '../../src/site/page/input.ts'
import { hostileInput, siteInput } from './reuse-input.ts'

test('robots are kept from what is made for programs, and from a demo', () => {
  expect(robotsFile(siteInput()).text).toBe('User-agent: *\nDisallow: /api/\nDisallow: /snapshots/\n')
  expect(robotsFile(siteInput({ demo: true })).text).toBe('User-agent: *\nDisallow: /\n')
})

test('the icon has the colour of the site', () => {
  const words = { ...siteInput().words, accent: '#aa2200' }
  expect(favicon(siteInput({ words })).text).toContain('<g fill="#aa2200">')
})

test('each file has its own path, of a kind that is served', () => {
  const paths = [...siteFiles(siteInput({ languages: LANGUAGES }))].map(({ path }) => path)
  expect(new Set(paths).size).toBe(paths.length)
  for (const path of paths) expect(siteKindOf(path), path).not.toBeNull()
})

test('which files there are depends neither on titles nor on the number of categories', () => {
  const pathsOf = (input: SiteInput): string[] => Array.from(siteFiles(input), ({ path }) => path)
  const usual = pathsOf(siteInput())
  for (const text of ['../a/b', '']) expect(pathsOf(hostileInput(text))).toEqual(usual)
})

/** None is that of the site that is changed. */
const OTHERS: SiteOptions = {
  publicUrl: 'https://other.example/numbers',
  title: 'Another title',
  publisher: 'Another publisher',
  contact: 'https://other.example/contact',
  license: 'CC0-1.0',
  accent: '#8a1c3a',
  logo: '0123456789abcdef'.repeat(4),
  languages: ['de'],
}

const USUAL = [...siteFiles(siteInput())]
test.each(Object.entries(OTHERS))('the option %s is seen in some file', (key, value) => {
  const { publicUrl, languages, words, ...usual } = siteInput()
  const { publicUrl: address, languages: spoken, ...said } = { ...words, publicUrl, languages, [key]: value }
  // Made one after another: the first that is another one is enough.
  const files = siteFiles({ ...usual, publicUrl: address, languages: spoken, words: said })
  expect(USUAL.every((file) => isDeepStrictEqual(files.next().value, file))).toBe(false)
})
