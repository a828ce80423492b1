// src/site/feeds/, and as XML badges.ts
// real test: python3's expat reads the XML
import { beforeAll, describe, expect, test } from 'vitest'
import { LANGUAGES } from '../../../src/contract/site-paths.ts'
import { UNCATEGORIZED } from '../../../src/contract/category-name.ts'
import { pageOf, pagesOf } from '../../../src/site/page/page.ts'
import { CATALOGUES } from '../../../src/site/page/speech.ts'
import type { SiteInput } from '../../../src/site/page/input.ts'
import type { RevisionRow } from '../../../src/contract/kinds/revisions.ts'
import { badgeFiles } from '../../../src/site/pictures/badges.ts'
import { categoryFeed, feeds as feedsOf } from '../../../src/site/feeds/feeds.ts'
import { describeWithComponent } from '../../support/real-component.ts'
import { childrenOf, nameOf, parseXml, pythonAvailable, type XmlElement } from '../../support/xml.ts'
import { AS_OF, categoryView, documents, hostileInput, launchedIdea, PUBLIC_URL, siteInput } from '../reuse-input.ts'
import { NAUGHTY } from '../naughty.ts'

const RFC_3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/

function atomOf(input: SiteInput, name = 'launched'): string {
  return (
    pagesOf(input)
      .flatMap(feedsOf)
      .find(({ path }) => path === `feeds/${name}.atom`)?.text ?? ''
  )
}

/** The entries of a feed: the end of their ids, their times and their titles, as XML. */
function entriesOf(atom: string): string[][] {
  const found = atom.matchAll(/<entry>\n<id>[^#]*#([^<]*)<\/id>\n<title>([^<]*)<[^]*?<updated>([^<]*)</g)
  return Array.from(found, ([, id = '', title = '', updated = '']) => [id, updated, title])
}

const updatedOf = (atom: string): string => /<updated>([^<]*)</.exec(atom)?.[1] ?? ''

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
  const names = ['launched.atom', 'launched.json', 'new.atom', 'changes.atom']
  expect(files.map(({ path }) => path)).toEqual(
    ['', 'de/'].flatMap((folder) => names.map((name) => `${folder}feeds/${name}`)),
  )
  const [en, atom, de] = ['feeds/launched.json', 'de/feeds/launched.atom', 'de/feeds/launched.json'].map(
    (path) => files.find((file) => file.path === path)?.text,
  )
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

test('a feed of launches without news is the same text', () => {
  const later = siteInput({ dataAsOf: '2026-11-23T00:00:00.000Z' })
  expect([atomOf(later), jsonOf(later)]).toEqual([atomOf(siteInput()), jsonOf(siteInput())])
})

describe('the feed of new ideas', () => {
  const newest = [
    launchedIdea({ id: 'b<', title: 'Fewer cars', createdAt: '2026-11-22T23:30:00.000Z', url: '/ideas/2', votes: 4 }),
    launchedIdea({ id: '1', createdAt: '2026-11-20T10:00:00.000Z' }),
  ]
  const input = (more: Partial<SiteInput> = {}): SiteInput => siteInput({ documents: documents({ newest }), ...more })

  test('has each with the time of its creation, its day in the zone, and no number that will change', () => {
    const atom = atomOf(input({ timeZone: 'Asia/Tokyo', dataAsOf: '2026-11-23T01:00:00.000Z' }), 'new')
    expect(entriesOf(atom)).toEqual([
      ['b%3C', '2026-11-22T23:30:00.000Z', 'Fewer cars'],
      ['1', '2026-11-20T10:00:00.000Z', 'More benches'],
    ])
    expect(atom).toContain('<content type="text">Submitted on 23 November 2026.</content>')
    expect(atom).toContain('<link rel="alternate" href="https://ideas.example.org/ideas/2"/>')
    expect(atom).toContain('<title>New ideas in the last 7 days – Harbourtown Ideas</title>')
    const voted = newest.map((idea) => ({ ...idea, votes: 900, totalVotes: 900, status: 'closed' }))
    const after = atomOf(siteInput({ documents: documents({ newest: voted }) }), 'new')
    expect(after).toBe(atomOf(input(), 'new'))
  })

  test('is of the time of its release, also when the newest idea is gone', () => {
    const without = siteInput({
      dataAsOf: '2026-11-22T14:00:00.000Z',
      documents: documents({ newest: newest.slice(1) }),
    })
    expect(updatedOf(atomOf(input(), 'new'))).toBe(AS_OF)
    expect(updatedOf(atomOf(without, 'new'))).toBe('2026-11-22T14:00:00.000Z')
  })

  test('has none of a closed site', () => {
    expect(entriesOf(atomOf(input({ closed: true }), 'new'))).toEqual([])
  })
})

describe('the feed of changes', () => {
  const row = (date: string, more: Partial<RevisionRow> = {}): RevisionRow => {
    return { date, relation: 'votes', month: '2026-05-01', was: 7, is: 5, accepted: false, ...more }
  }
  const REVISIONS = [
    row('2026-10-31'),
    row('2026-10-31', { relation: 'ideas', month: null, was: 1, is: 0, accepted: true }),
    row('2026-11-02', { is: 7 }),
    row('2026-11-22', { relation: null, month: null, was: null, is: null }),
  ]
  const MAPPINGS = [{ date: '2026-09-30' }, { date: '2026-11-21' }]
  const input = ({ documents: more, ...others }: Partial<SiteInput> = {}): SiteInput =>
    siteInput({
      months: ['2026-10', '2026-09'],
      ...others,
      documents: documents({ revisions: REVISIONS, mappings: MAPPINGS, ...more }),
    })

  test('has what builds of a day found, what counted since, the months and the beginning, the newest first', () => {
    const atom = atomOf(input(), 'changes')
    expect(entriesOf(atom)).toEqual([
      ['numbers-2026-11-22', AS_OF, 'What changed in past numbers: 22 November 2026 (1)'],
      [
        'mapping-2026-11-21',
        '2026-11-22T00:00:00.000Z',
        'Other queries have counted since 21 November 2026: numbers from before and after cannot be compared.',
      ],
      ['numbers-2026-10-31', '2026-11-01T00:00:00.000Z', 'What changed in past numbers: 31 October 2026 (2)'],
      ['month-2026-10-01', '2026-11-01T00:00:00.000Z', 'Numbers of the last release of October 2026.'],
      [
        'begin-2026-09-30',
        '2026-10-01T00:00:00.000Z',
        'Totals have been published, and kept, since 30 September 2026.',
      ],
      ['month-2026-09-01', '2026-10-01T00:00:00.000Z', 'Numbers of the last release of September 2026.'],
    ])
    expect(atom).toContain(`href="${PUBLIC_URL}/snapshots/releases/2026-10/analytics/export/overview/all.json"`)
    expect(atom).toContain(
      'May 2026, Votes: 5 instead of 7, since 31 October 2026\nWithout a date, Ideas: 0 instead of 1, since 31 October 2026, accepted by the publisher</content>',
    )
  })

  test.each([
    ['Asia/Tokyo', '2026-10-31T15:00:00.000Z', '2026-11-21T15:00:00.000Z'],
    ['America/New_York', '2026-11-01T04:00:00.000Z', '2026-11-22T05:00:00.000Z'],
  ])('ends days and months where they end in %s', (timeZone, month, day) => {
    const times = new Map(entriesOf(atomOf(input({ timeZone }), 'changes')).map(([id, time]) => [id, time]))
    expect([times.get('month-2026-10-01'), times.get('mapping-2026-11-21')]).toEqual([month, day])
    expect(times.get('numbers-2026-11-22')).toBe(AS_OF)
  })

  test('keeps every id, and no time goes back, while builds go on', () => {
    const times = [
      '2026-11-22T00:00:00.000Z',
      AS_OF,
      '2026-11-22T23:59:59.999Z',
      '2026-11-23T00:00:00.000Z',
      '2026-12-24T07:00:00.000Z',
    ]
    const atoms = times.map((dataAsOf) => atomOf(input({ dataAsOf }), 'changes'))
    const all = atoms.map((atom) => new Map(entriesOf(atom).map(([id = '', time = '']) => [id, time])))
    for (const [i, entries] of all.entries()) {
      expect([...entries.keys()].toSorted()).toEqual([...(all[0]?.keys() ?? [])].toSorted())
      for (const [id, time] of all[i - 1] ?? []) expect((entries.get(id) ?? '') >= time, id).toBe(true)
      for (const time of entries.values()) expect(time <= (times[i] ?? '')).toBe(true)
    }
    // A day that is over stays as it is.
    expect(all.at(-1)).toEqual(all.at(-2))
    expect(atoms.map(updatedOf)).toEqual(times)
  })

  test('has 50 entries at most, each with 50 lines at most, which says how many there are', () => {
    const revisions = Array.from({ length: 20_000 }, (_, i) =>
      row(
        `2026-${String(1 + Math.floor(i / 2000)).padStart(2, '0')}-${String(1 + (Math.floor(i / 200) % 10)).padStart(2, '0')}`,
        {
          month: `20${String(i % 80).padStart(2, '0')}-01-01`,
        },
      ),
    )
    const atom = atomOf(input({ documents: documents({ revisions }) }), 'changes')
    const entries = entriesOf(atom)
    expect(entries).toHaveLength(50)
    expect(entries.map(([, , title]) => title)).toContain('What changed in past numbers: 9 October 2026 (200)')
    expect(atom.match(/instead of/g)?.length).toBeLessThanOrEqual(50 * 50)
  })

  test('says of a closed site since when it is closed, and nothing else', () => {
    const closedSince = '2026-11-20T08:00:00.000Z'
    const [first, later] = [AS_OF, '2027-01-01T00:00:00.000Z'].map((dataAsOf) => {
      const closed = { closed: true, closedSince, months: [], dataAsOf }
      return atomOf(siteInput({ ...closed, documents: documents({ revisions: [], mappings: [] }) }), 'changes')
    })
    const said = [[`closed-${closedSince}`, closedSince, CATALOGUES.en.page.closed]]
    expect(entriesOf(first ?? '')).toEqual(said)
    expect(entriesOf(later ?? '')).toEqual(said)
  })
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
    feeds = await parseXml(
      python,
      inputs.map((one) => atomOf(one)),
    )
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

  test('follows it in the feeds of new ideas and of changes', async () => {
    const revisions = ['ideas', null].map((relation) => {
      return {
        date: '2026-11-20',
        relation,
        month: null,
        was: relation && 2,
        is: relation && 1,
        accepted: true,
      } as RevisionRow
    })
    const changed = { revisions, mappings: [{ date: '2026-11-01' }, { date: '2026-11-20' }] }
    const all = inputs.map((one) => ({
      ...one,
      months: one.closed ? [] : ['2026-10'],
      documents: { ...one.documents, ...changed, newest: one.documents.launched },
    }))
    for (const name of ['new', 'changes']) {
      const parsed = await parseXml(
        python,
        all.map((one) => atomOf(one, name)),
      )
      for (const [i, feed] of parsed.entries()) {
        expectAtom(feed, ['id', 'title', 'updated', 'author', 'subtitle'])
        expect(childrenOf(feed, 'id')[0]?.text).toBe(`${PUBLIC_URL}/feeds/${name}.atom`)
        const entries = childrenOf(feed, 'entry')
        for (const entry of entries) expectAtom(entry, ['id', 'title', 'updated', 'content'])
        expect(new Set(entries.map((entry) => childrenOf(entry, 'id')[0]?.text)).size).toBe(entries.length)
        if (name === 'changes') expect(entries).toHaveLength(all[i]?.closed === true ? 3 : 4)
      }
    }
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
