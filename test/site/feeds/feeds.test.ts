// src/site/feeds/, and as XML badges.ts
// real test: python3's expat reads the XML
import { beforeAll, describe, expect, test } from 'vitest'
import { LANGUAGES } from '../../../src/contract/site-paths.ts'
import { UNCATEGORIZED } from '../../../src/contract/category-name.ts'
import { pageOf, pagesOf } from '../../../src/site/page/page.ts'
import { CATALOGUES } from '../../../src/site/page/speech.ts'
import type { SiteInput } from '../../../src/site/page/input.ts'
import { badgeFiles } from '../../../src/site/pictures/badges.ts'
import { categoryFeed, feeds as feedsOf } from '../../../src/site/feeds/feeds.ts'
import { describeWithComponent } from '../../support/real-component.ts'
import { childrenOf, nameOf, parseXml, pythonAvailable, type XmlElement } from '../../support/xml.ts'
import { categoryView, documents, hostileInput, launchedIdea, PUBLIC_URL, siteInput } from '../reuse-input.ts'
import { NAUGHTY } from '../naughty.ts'

const RFC_3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/

function atomOf(input: SiteInput): string {
  return (
    pagesOf(input)
      .flatMap(feedsOf)
      .find(({ path }) => path === 'feeds/launched.atom')?.text ?? ''
  )
}

interface JsonFeed {
  readonly items: readonly Record<string, unknown>[]
  readonly [key: string]: unknown
}

function jsonOf(input: SiteInput): JsonFeed {
  return JSON.parse(
    pagesOf(input)
      .flatMap(feedsOf)
      .find(({ path }) => path === 'feeds/launched.json')?.text ?? '',
  ) as JsonFeed
}

const HOSTILE = NAUGHTY.map((text) => hostileInput(text))

describe('the JSON feed', () => {
  test('has what JSON Feed 1.1 asks for', () => {
    const feed = jsonOf(siteInput())
    expect(feed).toMatchObject({
      version: 'https://jsonfeed.org/version/1.1',
      title: 'Launched ideas – Harbourtown Ideas',
      home_page_url: `${PUBLIC_URL}/`,
      feed_url: `${PUBLIC_URL}/feeds/launched.json`,
      language: 'en',
      authors: [{ name: 'City of Harbourtown' }],
    })
    expect(feed.items[0]).toEqual({
      id: `${PUBLIC_URL}/feeds/launched#17`,
      url: 'https://ideas.example.org/17',
      title: 'More benches',
      content_text: 'Launched on 31 October 2026, after 60 days.',
      date_published: '2026-10-31T22:47:48.044Z',
      tags: ['Parks'],
    })
  })

  test.each(HOSTILE.map((input, i) => [NAUGHTY[i], input] as const))('takes any title: hostile one %#', (_, input) => {
    const { items } = jsonOf(input)
    expect(items).toHaveLength(50)
    for (const item of items) {
      expect(String(item['title']).length).toBeLessThanOrEqual(481)
      expect(item).toMatchObject({ id: expect.stringContaining(`${PUBLIC_URL}/feeds/launched#`) })
      if (item['url'] !== undefined) expect(item['url']).toMatch(/^https?:/)
    }
    expect(new Set(items.map(({ id }) => id)).size).toBe(50)
  })
})

test('each language of the site has feeds of its own, with entries of the same ids', () => {
  const files = pagesOf(siteInput({ languages: ['en', 'de'] })).flatMap(feedsOf)
  expect(files.map(({ path }) => path)).toEqual([
    'feeds/launched.atom',
    'feeds/launched.json',
    'de/feeds/launched.atom',
    'de/feeds/launched.json',
  ])
  const [, en, atom, de] = files.map(({ text }) => text)
  expect(pagesOf(siteInput()).flatMap(feedsOf)[1]?.text).toBe(en)
  expect(JSON.parse(de ?? '')).toMatchObject({
    title: 'Umgesetzte Ideen – Harbourtown Ideas',
    home_page_url: `${PUBLIC_URL}/de/`,
    feed_url: `${PUBLIC_URL}/de/feeds/launched.json`,
    language: 'de',
    items: (JSON.parse(en ?? '') as JsonFeed).items.map(({ id, url, date_published }) => ({ id, url, date_published })),
  })
  expect(atom).toContain(`<link rel="self" type="application/atom+xml" href="${PUBLIC_URL}/de/feeds/launched.atom"/>`)
  expect(atom).toContain(`<id>${PUBLIC_URL}/feeds/launched#17</id>`)
})

test('that of a category has its launches under the ids of the whole feed, in the first language', () => {
  const [feed, ...others] = categoryFeed(pageOf(siteInput({ languages: ['de', 'en'] })), categoryView())
  expect([feed?.path, others]).toEqual(['category/parks-0123456789ab/launched.atom', []])
  const address = `${PUBLIC_URL}/category/parks-0123456789ab/`
  for (const part of [
    'xml:lang="de"',
    `<id>${address}launched.atom</id>`,
    '<title>Umgesetzte Ideen – Parks – Harbourtown Ideas</title>',
    `<link rel="alternate" type="text/html" href="${address}"/>`,
    `<entry>\n<id>${PUBLIC_URL}/feeds/launched#17</id>\n<title>More benches</title>`,
  ])
    expect(feed?.text).toContain(part)
  expect(categoryFeed(pageOf(siteInput({ publicUrl: null })), categoryView())).toEqual([])
})

describe('an entry', () => {
  const one = (more: Parameters<typeof launchedIdea>[0], input: Partial<SiteInput> = {}): SiteInput =>
    siteInput({ ...input, documents: documents({ launched: [launchedIdea(more)] }) })

  test.each(LANGUAGES)('says in the language of the feed that an idea has no category: %s', (language) => {
    const input = one({ categories: [UNCATEGORIZED, 'Parks'] }, { languages: [language] })
    const word = CATALOGUES[language].categories.uncategorized
    expect(jsonOf(input).items[0]).toMatchObject({ tags: [word, 'Parks'] })
    expect(atomOf(input)).toContain(`<category term="${word}"/>`)
  })

  test('keeps its id, date and text whatever becomes of the idea', () => {
    const [before] = jsonOf(one({})).items
    const [after] = jsonOf(
      one({ votes: 900, comments: 77, status: 'closed' }, { dataAsOf: '2027-01-01T00:00:00.000Z' }),
    ).items
    expect(after).toEqual(before)
  })

  test('does not count days from a date that is none, or is later', () => {
    for (const createdAt of ['0001-01-01T00:00:00.000Z', '2026-12-01T00:00:00.000Z'])
      expect(jsonOf(one({ createdAt })).items[0]).toMatchObject({ content_text: 'Launched on 31 October 2026.' })
  })

  test('has no link where the address is none of the web', () => {
    for (const url of [null, 'javascript:alert(1)', '/ideas/1'])
      expect(jsonOf(one({ url }, { siteUrl: null })).items[0]).not.toHaveProperty('url')
    expect(jsonOf(one({ url: '/ideas/1' })).items[0]).toMatchObject({ url: 'https://ideas.example.org/ideas/1' })
  })
})

test('without a public address there are no feeds, and a closed site has none of its ideas in them', () => {
  expect(pagesOf(siteInput({ publicUrl: null })).flatMap(feedsOf)).toEqual([])
  expect(jsonOf(siteInput({ closed: true })).items).toEqual([])
})

test('a feed without news is the same text', () => {
  expect(pagesOf(siteInput({ dataAsOf: '2026-11-23T00:00:00.000Z' })).flatMap(feedsOf)).toEqual(
    pagesOf(siteInput()).flatMap(feedsOf),
  )
})

describeWithComponent('XML', pythonAvailable(), (python) => {
  let feeds: XmlElement[] = []
  let categoryFeeds: XmlElement[] = []
  const inputs = [
    siteInput(),
    siteInput({ closed: true }),
    ...LANGUAGES.map((first) => siteInput({ languages: [first] })),
    ...HOSTILE,
  ]

  beforeAll(async () => {
    const named = NAUGHTY.map((name) => categoryView({ name, launched: [] }))
    categoryFeeds = await parseXml(
      python,
      named.flatMap((one) => categoryFeed(pageOf(siteInput()), one).map(({ text }) => text)),
    )
    feeds = await parseXml(python, inputs.map(atomOf))
  })

  test('follows RFC 4287 whatever the titles are', () => {
    for (const feed of feeds) {
      expectAtom(feed, ['id', 'title', 'updated', 'author'])
      const [self] = childrenOf(feed, 'link').filter(({ attributes }) => attributes['rel'] === 'self')
      expect(self?.attributes['href']).toBe(`${PUBLIC_URL}/feeds/launched.atom`)
      const entries = childrenOf(feed, 'entry')
      for (const entry of entries) expectAtom(entry, ['id', 'title', 'updated', 'content'])
      expect(new Set(entries.map((entry) => childrenOf(entry, 'id')[0]?.text)).size).toBe(entries.length)
      const dates = entries.map((entry) => childrenOf(entry, 'updated')[0]?.text ?? '')
      if (dates.length > 0) expect(childrenOf(feed, 'updated')[0]?.text).toBe(dates.toSorted().at(-1))
    }
    expect(childrenOf(feeds[0]!, 'entry')).toHaveLength(2)
    expect(childrenOf(feeds[1]!, 'entry')).toHaveLength(0)
  })

  test('follows it whatever the name of a category is', () => {
    expect(categoryFeeds).toHaveLength(NAUGHTY.length)
    for (const feed of categoryFeeds) expectAtom(feed, ['id', 'title', 'updated', 'author'])
  })

  test('shows titles as they are, but for what XML cannot have', () => {
    const shown = feeds
      .slice(-NAUGHTY.length)
      .map((feed) => childrenOf(childrenOf(feed, 'entry')[0]!, 'title')[0]?.text)
    for (const text of ['<script>alert(1)</script>', '</title></svg></feed>', ']]><!--', 'שלום \u05D0 عربى'])
      expect(shown[NAUGHTY.indexOf(text)]).toBe(text)
  })

  test('every badge is well-formed in every language', async () => {
    const badges = LANGUAGES.flatMap((first) => pagesOf(siteInput({ languages: [first] })).flatMap(badgeFiles))
    const pictures = badges.filter(({ path }) => path.endsWith('.svg')).map(({ text }) => text)
    for (const svg of await parseXml(python, pictures)) {
      expect(svg.tag).toBe('{http://www.w3.org/2000/svg}svg')
      expect(childrenOf(svg, 'title')[0]?.text).toBe(svg.attributes['aria-label'])
    }
  })
})

/** RFC 4287 section 4.1.1 and 4.1.2, of what a feed here has. */
function expectAtom(element: XmlElement, once: readonly string[]): void {
  const names = element.children.map(nameOf)
  for (const name of once)
    expect(
      names.filter((one) => one === name),
      name,
    ).toHaveLength(1)
  for (const child of element.children) {
    expect(child.tag).toMatch(/^\{http:\/\/www\.w3\.org\/2005\/Atom\}/)
    if (['updated', 'published'].includes(nameOf(child))) expect(child.text).toMatch(RFC_3339)
    if (nameOf(child) === 'id') expect(URL.canParse(child.text), child.text).toBe(true)
    if (nameOf(child) === 'link') expect(URL.canParse(child.attributes['href'] ?? ''), 'href').toBe(true)
    if (nameOf(child) === 'category') expect(child.attributes).toHaveProperty('term')
    if (nameOf(child) === 'author') expect(childrenOf(child, 'name')).toHaveLength(1)
  }
  const alternates = element.children.filter(({ attributes }) => attributes['rel'] === 'alternate')
  expect(new Set(alternates.map(({ attributes }) => attributes['type'])).size).toBe(alternates.length)
}
