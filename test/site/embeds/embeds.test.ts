// src/site/embeds/embeds.ts, embed-frame.ts
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { UNCATEGORIZED } from '../../../src/contract/category-name.ts'
import { LANGUAGES } from '../../../src/contract/site-paths.ts'
import { pageOf, pagesOf } from '../../../src/site/page/page.ts'
import { speechOf } from '../../../src/site/page/speech.ts'
import type { SiteFile, SiteInput } from '../../../src/site/page/input.ts'
import { categoryEmbed, embedFiles, embedLines, EMBEDS, embedSnippet } from '../../../src/site/embeds/embeds.ts'
import { categoryView, documents, hostileInput, PUBLIC_URL, siteInput, trendingIdea } from '../reuse-input.ts'
import { NAUGHTY } from '../naughty.ts'

const KIB = 1024

function embed(input: SiteInput, name: keyof typeof EMBEDS): string {
  return (
    pagesOf(input)
      .flatMap(embedFiles)
      .find(({ path }) => path === `embed/${name}.html`)?.text ?? ''
  )
}

/** Of the site, and of a category of this name. */
const allOf = (input: SiteInput, name: string): SiteFile[] => [
  ...pagesOf(input).flatMap(embedFiles),
  categoryEmbed(pageOf(input), categoryView({ name })),
]

test('the totals have the change in 30 days', () => {
  const text = embed(siteInput(), 'totals')
  expect(text).toContain('<dt>Ideas</dt><dd class="n">1,850</dd><dd class="soft">43 new in 30 days</dd>')
  expect(text).toContain('<title>Harbourtown Ideas: totals</title>')
  expect(text).toContain('<time datetime="2026-11-22T13:17:04.641Z">')
})

test('nothing is said to be new where no launch has a date', () => {
  const { timelines, ...others } = documents()
  const launchedIdeas = documents().categories.all.totals.launchedIdeas
  const all = { ...timelines.all, undated: { ...timelines.all.undated, launchedIdeas } }
  const text = embed(siteInput({ documents: { ...others, timelines: { ...timelines, all } } }), 'totals')
  expect(text).toContain(`<dt>Launched ideas</dt><dd class="n">${launchedIdeas}</dd></div>`)
  expect(text).toContain('43 new in 30 days')
})

test('the trending ideas lead to the platform, in a new tab', () => {
  const text = embed(siteInput(), 'trending')
  expect(text).toContain(
    '<a href="https://ideas.example.org/3" target="_blank" rel="noopener noreferrer"><bdi>A tram to the beach</bdi></a>',
  )
  // It has no address.
  expect(text).toContain('<li><span class="title"><bdi>Open the library on Sundays</bdi></span> <span')
})

test.each(LANGUAGES)('the words are in %s', (first) => {
  const [totals, trending] = pagesOf(siteInput({ languages: [first, 'en'] })).flatMap(embedFiles)
  for (const file of [totals, trending]) expect(file?.text).toContain(`<html lang="${first}">`)
  expect(totals?.text.includes(' new in 30 days')).toBe(first === 'en')
})

test('each language of the site has its own, which leads to the page in it', () => {
  const files = pagesOf(siteInput({ languages: ['fr', 'de'] })).flatMap(embedFiles)
  expect(files.map(({ path, text }) => [path, /<html lang="(..)">/.exec(text)?.[1]])).toEqual([
    ['embed/totals.html', 'fr'],
    ['embed/trending.html', 'fr'],
    ['de/embed/totals.html', 'de'],
    ['de/embed/trending.html', 'de'],
  ])
  for (const { text } of files) expect(text).toContain('<a href="../index.html" target="_blank"')
})

test.each(LANGUAGES)('ideas without a category have a word of the language: %s', (first) => {
  const word = speechOf(first).w.categories.uncategorized
  const { trending } = documents()
  const ideas = trending['7d'].ideas.map((idea) => ({ ...idea, category: 'Uncategorized' }))
  const changed = documents({ trending: { ...trending, '7d': { ...trending['7d'], ideas } } })
  const text = embed(siteInput({ languages: [first], documents: changed }), 'trending')
  expect(text).toContain(`<bdi>${word}</bdi>`)
  expect(text.includes('Uncategorized')).toBe(first === 'en')
})

test('a closed site and a demo say so; a site without trending ideas, too', () => {
  for (const { text } of pagesOf(siteInput({ closed: true, demo: true })).flatMap(embedFiles)) {
    expect(text).toContain('<p>The site is closed to visitors at the moment.')
    expect(text).toContain('all numbers are invented.')
    expect(text).not.toMatch(/1,850|A tram/)
  }
  const { trending } = documents()
  const quiet = documents({ trending: { ...trending, '7d': { ...trending['7d'], count: 0, ideas: [] } } })
  expect(embed(siteInput({ documents: quiet }), 'trending')).toContain('No idea got points')
})

test('that of a category has its numbers, and leads to its page, in the first language', () => {
  const { path, text } = categoryEmbed(pageOf(siteInput({ languages: ['de', 'en'] })), categoryView())
  expect(path).toBe('category/parks-0123456789ab/embed.html')
  expect(text).toContain('<title>Parks – Harbourtown Ideas: Gesamtzahlen</title>')
  expect(text).toContain('<dt>Ideen</dt><dd class="n">278</dd><dd class="soft">4 neu in 30 Tagen</dd>')
  expect(text).toContain('<a href="index.html" target="_blank"')
  expect(categoryEmbed(pageOf(siteInput()), categoryView({ name: UNCATEGORIZED })).text).toContain(
    `<title>${speechOf('en').w.categories.uncategorized} – Harbourtown`,
  )
})

describe.each(NAUGHTY.flatMap((text) => allOf(hostileInput(text), text).map((file) => [text, file] as const)))(
  'with %j',
  (text, file) => {
    test(`${file.path} is small, runs nothing and loads nothing`, () => {
      expect(Buffer.byteLength(file.text)).toBeLessThanOrEqual(10 * KIB)
      const tags = [...file.text.matchAll(/<([a-z0-9]+)/gi)].map(([, name]) => name)
      const known = 'html head meta link title style body main h1 dl div dt dd ol li bdi span a p footer time'.split(
        ' ',
      )
      expect(tags.filter((tag) => !known.includes(tag ?? ''))).toEqual([])
      const [styles] = [[...file.text.matchAll(/<style>([^]*?)<\/style>/g)]]
      expect(styles).toHaveLength(1)
      const hash = createHash('sha256')
        .update(styles[0]?.[1] ?? '')
        .digest('base64')
      expect(file.text).toContain(
        `content="default-src &#39;none&#39;; img-src data:; style-src &#39;sha256-${hash}&#39;; base-uri &#39;none&#39;; form-action &#39;none&#39;"`,
      )
      // A browser would ask for /favicon.ico.
      expect(file.text.match(/<link[^>]*>/g)).toEqual(['<link rel="icon" href="data:,">'])
      expect(file.text).not.toMatch(/<[^>]*\s(?:on\w+|style|src)=/i)
      for (const [, target = ''] of file.text.matchAll(/href="([^"]*)"/g))
        expect(target).toMatch(/^https?:|^(?:\.\.\/)?index\.html$|^data:,$/)
      if (text.includes('<')) expect(file.text).not.toContain(text)
    })
  },
)

test('is below 10 KiB with the longest titles, addresses and words that escape to most', () => {
  for (const character of ["'", '"', '👩', '\u{1D518}', '문', '"\u0301']) {
    const title = character.repeat(1_000)
    const idea = trendingIdea({ title, category: title, url: `https://ideas.example.org/?${'&'.repeat(280)}` })
    const { trending } = documents()
    const ideas = Array.from({ length: 100 }, (_, i) => ({ ...idea, rank: i + 1 }))
    const input = siteInput({
      words: { ...siteInput().words, title },
      documents: documents({ trending: { ...trending, '7d': { ...trending['7d'], ideas } } }),
    })
    for (const { text } of allOf(input, title)) expect(Buffer.byteLength(text)).toBeLessThanOrEqual(10 * KIB)
  }
})

test('the snippet says what a sandbox must allow, and escapes the name of the site', () => {
  const words = { ...siteInput().words, title: '"><script>alert(1)</script>' }
  const snippet = embedSnippet(pageOf(siteInput({ words })), 'trending', `${PUBLIC_URL}/`)
  expect(snippet).toContain(`<iframe src="${PUBLIC_URL}/embed/trending.html" title="&quot;&gt;&lt;script&gt;`)
  expect(snippet).toContain('sandbox="allow-popups allow-popups-to-escape-sandbox"')
})

test('the description of the page has the same lines and heights', () => {
  const text = readFileSync('docs/page.md', 'utf8')
  expect(text).toContain(`\`${embedLines('trending', '…/embed/trending.html', 'Trending')}\``)
  expect(text).toContain(`\`totals.html\`: ${EMBEDS.totals.height}`)
})
