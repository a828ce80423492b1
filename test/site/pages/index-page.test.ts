// src/site/pages, and what they are made of: the whole page of sites of all kinds.
// real test: a page of 20,000 ideas takes seconds.
import { gzipSync } from 'node:zlib'
import { HtmlValidate, StaticConfigLoader, type ResolvedConfig } from 'html-validate/node'
import { describe, expect, it } from 'vitest'
import { readFileSync } from 'node:fs'
import { pagesOf } from '../../../src/site/page/page.ts'
import { categoryPage } from '../../../src/site/pages/category-page.ts'
import { dataPage } from '../../../src/site/pages/data-page.ts'
import { indexPage } from '../../../src/site/pages/index-page.ts'
import { notFoundPage } from '../../../src/site/pages/not-found.ts'
import { referencePage } from '../../../src/site/pages/reference-page.ts'
import { embedFiles } from '../../../src/site/embeds/embeds.ts'
import { PERIODS } from '../../../src/contract/windows.ts'
import { LANGUAGES } from '../../../src/contract/site-paths.ts'
import { speechOf } from '../../../src/site/page/speech.ts'
import type { SiteInput } from '../../../src/site/page/input.ts'
import { siteFiles } from '../../../src/site/site.ts'
import { styleSheet } from '../../../src/site/page/style.ts'
import { HOSTILE_SITE, RIGHT_TO_LEFT, siteInput, SIXTY, WORDS, type SiteSpec } from '../../support/site-input.ts'

const KIB = 1024
const zipped = (text: string): number => gzipSync(text, { level: 6 }).length

/** Every kind of site that a page must suit. */
const SITES = {
  usual: siteInput({ languages: LANGUAGES, words: WORDS, publicUrl: 'https://data.example/stats' }),
  demo: siteInput({ demo: true }),
  empty: siteInput({ ideas: 0 }),
  'of one idea': siteInput({ ideas: 1, days: 2 }),
  'of three ideas': siteInput({ ideas: 3, days: 40 }),
  large: siteInput({ ideas: 20_000, names: SIXTY }),
  hostile: siteInput(HOSTILE_SITE),
  'right to left': siteInput(RIGHT_TO_LEFT),
  'without people': siteInput({ people: 'off' }),
  'with rounded people': siteInput({ people: 'rounded' }),
  closed: siteInput({ closed: true }),
  asleep: siteInput({ days: 4000, ideas: 12 }),
}

/** Its rules are read once, not for each page. */
class Rules extends StaticConfigLoader {
  #read: ReturnType<StaticConfigLoader['getConfigFor']> | undefined
  override getConfigFor(page: string): ResolvedConfig | Promise<ResolvedConfig> {
    return (this.#read ??= super.getConfigFor(page))
  }
}
const VALIDATOR = new HtmlValidate(
  new Rules({
    extends: ['html-validate:recommended'],
    rules: {
      // The style of this program, as valid as the other: <!doctype html>, void elements without a slash.
      'doctype-style': 'off',
      'void-style': 'off',
      // Long names and addresses of others.
      'long-title': 'off',
      // A region that scrolls must be reached by keyboard; axe-core asks for it.
      'prefer-native-element': ['error', { exclude: ['region', 'status'] }],
    },
  }),
)
/** Some sites have the same page. */
const valid = new Set<string>()

const part = (page: string, id: string): string =>
  new RegExp(`<section id="${id}"[^]*?</section>`).exec(page)?.[0] ?? ''

describe.each(Object.entries(SITES))('the page of a site: %s', (_, input) => {
  const { languages } = input
  const pages = languages.map((language) => indexPage(input, language))
  const others = [
    notFoundPage(input),
    referencePage(input).text,
    ...languages.map((language) => dataPage(input, language).text),
  ]

  it('is valid HTML', async () => {
    const embeds = pagesOf(input).flatMap(embedFiles)
    for (const page of [...pages, ...others, ...embeds.map(({ text }) => text)]) {
      if (valid.has(page)) continue
      const { results } = await VALIDATOR.validateString(page)
      expect(
        results.flatMap(({ messages }) =>
          messages.map(({ ruleId, message, line, selector }) => `${line} ${ruleId} ${message} ${selector}`),
        ),
      ).toEqual([])
      valid.add(page)
    }
  })

  it('keeps within its bounds', () => {
    for (const page of pages) expect(zipped(page)).toBeLessThan(60 * KIB)
    const style = styleSheet(readFileSync('src/site/assets/page.css', 'utf8'), input.words.accent)
    const largest = Math.max(...pages.map(zipped))
    // The script may have 20 KiB, the icon one.
    expect(largest + zipped(style) + 21 * KIB).toBeLessThan(90 * KIB)
  })

  it('is made of nothing but its input', () => {
    expect(languages.map((language) => indexPage(structuredClone(input), language))).toEqual(pages)
  })

  it('has no inline style, no script of its own, and asks no other host', () => {
    for (const page of [...pages, ...others]) {
      expect(
        /<[^>]*\sstyle=|<style|<script(?! type="(?:module" src=|application\/ld\+json">))|<[^>]*\son[a-z]+=/.exec(
          page,
        )?.[0],
      ).toBeUndefined()
      const loaded = [...page.matchAll(/<(?:link|script|img)\b[^>]*?\s(?:href|src)="([^"]*)"[^>]*>/g)]
      for (const [tag, address = ''] of loaded)
        if (!/rel="(?:canonical|alternate)"/.test(tag)) expect(address).not.toMatch(/^[a-z]+:|^\/\//)
    }
  })

  it('says why a number is not there, to the eye and the ear', () => {
    for (const page of pages) expect(/(?:<t[dh][^>]*>\s*<\/t[dh]>|>[–—-]).{0,80}/.exec(page)?.[0]).toBeUndefined()
  })

  it('has each identifier once and names none that is missing', () => {
    for (const page of pages) {
      const ids = [...page.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id)
      expect(new Set(ids).size).toBe(ids.length)
      const named = [...page.matchAll(/\s(?:aria-labelledby|href)="#?([\w-]+)"/g)].map(([, id]) => id)
      expect(named.filter((id) => !ids.includes(id))).toEqual([])
    }
  })

  it('leads only to files that the release has', () => {
    const known = new Set([...input.files, ...siteFiles(input), { path: 'manifest.json' }].map(({ path }) => path))
    for (const [i, page] of pages.entries()) {
      const hrefs = [...page.matchAll(/<a href="([^"#:]+)"/g)].map(([, href]) => href ?? '')
      const base = i === 0 ? 'https://x/' : 'https://x/de/'
      expect(hrefs.filter((href) => !known.has(new URL(href, base).pathname.slice(1)))).toEqual([])
    }
  })
})

describe('what a page says', () => {
  const text = (page: string): string => page.replaceAll(/<script[^]*?<\/script>|<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ')

  it('is when the data are from, the totals and their change', () => {
    const shown = text(indexPage(siteInput({ ideas: 40 }), 'en'))
    expect(shown).toContain('Numbers as of 22 November 2026, 14:35 UTC .')
    expect(shown).toContain('expected on 23 November 2026, 14:35 UTC .')
    expect(shown).toMatch(/Ideas 40 \d+ new in 30 days/)
  })

  it('is nothing of people where they are not published', () => {
    const shown = text(indexPage(siteInput({ people: 'off' }), 'en'))
    expect(shown).toContain('other numbers of people are not published.')
    expect(shown).toContain('not published')
    expect(shown).not.toContain('null')
    expect(text(indexPage(siteInput({ people: 'rounded' }), 'en'))).toContain('1 to 7')
  })

  it('is that a demonstration is one, that a closed site is closed, that there is nothing yet', () => {
    expect(text(indexPage(siteInput({ demo: true }), 'en'))).toContain('all numbers are invented')
    expect(text(indexPage(siteInput(), 'en'))).not.toContain('invented')
    expect(text(indexPage(siteInput({ closed: true }), 'en'))).toContain('closed to visitors')
    expect(text(indexPage(siteInput({ ideas: 0 }), 'en'))).toContain('There are no ideas yet')
  })

  it('is never the name of a value that is none', () => {
    const sites = Object.values(SITES).filter(
      ({ documents }) => !documents.launched.some(({ title }) => title.includes('<')),
    )
    for (const input of sites)
      for (const language of input.languages)
        // JSON for the client may say null.
        expect(indexPage(input, language).replaceAll(/<script[^]*?<\/script>/g, '')).not.toMatch(
          /NaN|undefined|Infinity|null|\[object/,
        )
  })
})

describe('a section', () => {
  it('of categories shows each change with its sign', () => {
    const cells = part(indexPage(SITES.large, 'en'), 'categories')
    expect(cells).toContain('<th scope="col" class="n">Change</th>')
    expect(cells).toMatch(/<td class="n">[+\u2212]\d+<\/td>/)
    expect(cells).toMatch(/By number of ideas, [^:]+ grew most: from \d+ in the time before to \d+\./)
  })

  it.each(PERIODS)('of categories explains the columns that are there, and no other (%s)', (period) => {
    const shown = part(indexPage(SITES.usual, 'en', period), 'categories')
    for (const name of ['Before', 'Of these launched by now'])
      expect([name, shown.includes(`“${name}”`)]).toEqual([name, shown.includes(`>${name}</th>`)])
  })

  it('of launches lists the latest ones', () => {
    const { launched } = SITES.large.documents
    const shown = [...part(indexPage(SITES.large, 'en'), 'launched').matchAll(/<time datetime="([^"]+)">/g)]
    expect(launched.length).toBeGreaterThan(8)
    expect(shown.map(([, at]) => at)).toEqual(launched.slice(0, 8).map(({ launchedAt }) => launchedAt))
  })

  it.each([0, 3])('of launches says how many have no date, where there are any (%i)', (launchedIdeas) => {
    const { documents } = SITES.usual
    const all = { ...documents.timelines.all, undated: { ...documents.timelines.all.undated, launchedIdeas } }
    const input = { ...SITES.usual, documents: { ...documents, timelines: { ...documents.timelines, all } } }
    const said = `${speechOf('en').w.outcomes.withoutDate} (`
    expect(part(indexPage(input, 'en'), 'launched').split(said)[1]?.[0]).toBe(launchedIdeas > 0 ? '3' : undefined)
  })

  it.each(LANGUAGES)('of outcomes says of each number what it is, as a heading, and of how many (%s)', (language) => {
    const { t, documents } = { t: speechOf(language), documents: SITES.usual.documents }
    const facts = /<ul class="facts">[^]*?<\/ul>/.exec(part(indexPage(SITES.usual, language), 'outcomes'))?.[0] ?? ''
    expect([...facts.matchAll(/<li><h3>([^<]+)<\/h3><p class="big">/g)].map(([, label]) => label)).toEqual([
      t.w.outcomes.firstYear,
      t.w.outcomes.daysLabel,
    ])
    const { ideas, launched } = documents.outcomes.firstYear
    expect(facts).toContain(t.say(t.w.table.part, { part: launched, all: ideas }))
  })

  it('of outcomes says why a number is not there', () => {
    const year = (page: string, n: number): string[] => {
      const [row = ''] =
        new RegExp(`<tr><th scope="row">${n}(?:, so far)?</th>.*?</tr>`).exec(part(page, 'outcomes')) ?? []
      return [...row.matchAll(/>((?:not?|too) ?[a-z]+)</g)].map(([, why = '']) => why)
    }
    const [asleep, large] = [SITES.asleep, SITES.large].map((input) => indexPage(input, 'en'))
    const found = [2018, 2019, 2026].map((n) => year(asleep!, n))
    expect(found).toEqual([['none'], ['too few'], ['not yet', 'not yet', 'not yet', 'not yet']])
    expect([2024, 2025].map((n) => year(large!, n))).toEqual([['too few'], ['not yet']])
  })

  it('of outcomes says how many ideas of a year were launched within 90 days, where each of its months does', () => {
    const { documents } = SITES.large
    const column = (cohorts: typeof documents.outcomes.cohorts): unknown[] => {
      const outcomes = { ...documents.outcomes, cohorts }
      const shown = part(indexPage({ ...SITES.large, documents: { ...documents, outcomes } }, 'en'), 'outcomes')
      const years = /<table id="years-table"[^]*?<\/table>/.exec(shown)?.[0] ?? ''
      const isThere = years.includes('Launched within 90 days')
      expect(shown.includes('“Launched within 90 days” counts all ideas of the year')).toBe(isThere)
      const cells = [...years.matchAll(/<td class="n minor">(?:(?!<td).)*<\/td><\/tr>/g)].map(
        ([cell]) => /[^<>]+(?=<\/)/.exec(cell)?.[0],
      )
      return isThere ? cells : []
    }
    const { cohorts } = documents.outcomes
    const sum = cohorts.reduce((n, one) => n + (one.month!.startsWith('2025') ? one.launchedWithin90Days! : 0), 0)
    expect(sum).toBeGreaterThan(100)
    expect(column(cohorts)).toEqual(['not yet', String(sum), '1'])
    const undated = { launchedWithin90Days: null, launchedUndated: 1 }
    const without = (year: string) =>
      cohorts.map((one) => (one.month!.startsWith(`${year}-12`) ? { ...one, ...undated } : one))
    expect(column(without('2025'))).toEqual(['not yet', 'not known', '1'])
    expect(column(without('2025').map((one) => ({ ...one, ...undated })))).toEqual([])
  })

  it('of outcomes shows by category what was launched, and on a phone ideas and votes of each year', () => {
    const shown = part(indexPage(SITES.usual, 'en'), 'outcomes')
    const open = shown.replaceAll(/<details[^]*?<\/details>/g, '')
    expect(open).toMatch(/<table id="first-year-table" data-sortable="text">/)
    const [, head = ''] = /<table id="years-table".*?<thead>(.*?)<\/thead>/s.exec(open) ?? []
    const columns = [...head.matchAll(/<th scope="col"(?: class="([^"]*)")?>([^<]+)/g)]
    const onPhones = columns.flatMap(([, kind, name]) => (kind === 'n minor' ? [] : name))
    expect(onPhones.slice(0, 4)).toEqual(['Year', 'Ideas', 'Votes', 'Launched in the year'])
  })

  it('of outcomes says “not yet” of months, not of the ideas without a date', () => {
    const { documents } = SITES.large
    const [one] = documents.outcomes.cohorts
    const undated = { ...one!, month: null, knownWithin365Days: null }
    const outcomes = { ...documents.outcomes, cohorts: [undated, ...documents.outcomes.cohorts] }
    const page = indexPage({ ...SITES.large, documents: { ...documents, outcomes } }, 'en')
    const [, , first, ...rows] = /<table id="cohorts-table"[^]*?<\/table>/.exec(page)![0].split('<tr>')
    expect(first).toMatch(/Without a date<.*>not known</)
    const why = rows.map((row) => />(not [a-z]+)</.exec(row)?.[1])
    expect(why).toEqual(Array.from(rows, (_, i) => (i <= 12 ? 'not yet' : undefined)))
    expect(page).toContain('“not yet”: not every idea of this month is a year old.')
  })

  it('of people labels the highest point of the chart', () => {
    const { documents } = SITES.large
    const [all, highest] = [documents.users.all, documents.users.all.length - 2]
    const users = {
      ...documents.users,
      all: all.map((month, i) => ({ ...month, activeUsers: i === highest ? 77 : 5 })),
    }
    const page = indexPage({ ...SITES.large, documents: { ...documents, users } }, 'en')
    expect(part(page, 'people')).toMatch(/<text class="note"[^>]*>77<\/text>/)
  })

  it('of downloads says how to cite, what each link is of, and what to copy', () => {
    const downloads = part(indexPage(SITES.usual, 'en'), 'downloads')
    expect(downloads).toContain(
      '<code>City of Nordhaven (2026): Ideas of Nordhaven. Numbers as of 22 November 2026, 14:35 UTC.',
    )
    const unpublished = { ...SITES.usual, words: { ...WORDS, publisher: null } }
    expect(indexPage(unpublished, 'en')).toContain('<code>Ideas of Nordhaven (2026). Numbers as of')
    expect(downloads).toContain('href="https://creativecommons.org/licenses/by/4.0/" rel="license"')
    expect(downloads).toMatch(
      / download="analytics-ideas-30d-20261122T143512Z.csv">CSV<span class="visually-hidden">: Ideas, 30 days</,
    )
    expect(downloads).toContain('&lt;iframe src=&quot;https://data.example/stats/embed/totals.html')
    const names = [...downloads.matchAll(/<a [^>]*>(.*?)<\/a>/g)].map(([, name]) => name)
    expect(new Set(names).size).toBe(names.length)
  })

  it.each(LANGUAGES)('of downloads says of each file its size (%s)', (language) => {
    const files = new Map(SITES.usual.files.map(({ path, bytes }) => [path, bytes]))
    const t = speechOf(language)
    const downloads = part(indexPage(SITES.usual, language), 'downloads')
    const sized = [
      ...downloads.matchAll(/<a href="(?:\.\.\/)?(analytics\/[^"]+)" download[^]*?<\/a> <small>([^<]+)<\/small>/g),
    ]
    expect(sized.length).toBeGreaterThan(50)
    for (const [, path = '', size] of sized) expect([path, size]).toEqual([path, t.bytes(files.get(path)!)])
  })

  it.each(LANGUAGES)('of downloads says where there is no archive (%s)', (language) => {
    const said = speechOf(language).w.downloads.noBulk
    const bulk = { path: 'bulk.zip', bytes: 5, rows: null }
    const without = { ...SITES.usual, files: SITES.usual.files.filter(({ path }) => path !== bulk.path) }
    const withIt = { ...without, files: [...without.files, bulk] }
    expect([without, withIt].map((input) => part(indexPage(input, language), 'downloads').includes(said))).toEqual([
      true,
      false,
    ])
  })

  it.each(LANGUAGES)('of new ideas has the newest ten, and says how many there are and since when (%s)', (language) => {
    const t = speechOf(language)
    const { newest, categories } = SITES.large.documents
    const { totals, from } = categories['7d']
    expect(newest.length).toBe(Math.min(200, totals.ideas))
    expect(totals.ideas).toBeGreaterThan(10)
    const shown = part(indexPage({ ...SITES.large, publicUrl: 'https://data.example' }, language), 'new')
    expect(shown).toContain(t.say(t.w.new.lead, { n: totals.ideas, when: t.dateTime(from!) }))
    expect(shown).toContain(t.say(t.w.table.more, { file: 'CSV', n: totals.ideas - 10 }))
    expect(shown).toContain(`feeds/new.atom">${t.w.downloads.feeds.new}</a>`)
    expect([...shown.matchAll(/<time datetime="([^"]*)">/g)].map(([, time]) => time)).toEqual(
      newest.slice(0, 10).map(({ createdAt }) => createdAt),
    )
    expect(indexPage(SITES.large, language, '7d')).not.toContain('id="new"')
  })

  it.each(LANGUAGES)('of new ideas is absent where there are none (%s)', (language) => {
    const { documents } = SITES.usual
    const pages = [documents, { ...documents, newest: [] }].map((of) =>
      indexPage({ ...SITES.usual, documents: of }, language),
    )
    expect(pages.map((page) => page.includes('id="new"'))).toEqual([true, false])
    expect(pages.map((page) => page.includes('href="#new"'))).toEqual([true, false])
  })

  it.each(LANGUAGES)('of downloads, and the head, have what is shared in the language of the page (%s)', (language) => {
    const paths = Array.from(siteFiles(SITES.usual), ({ path }) => path)
    const files = paths.map((path) => ({ path, bytes: 1, rows: null }))
    const page = indexPage({ ...SITES.usual, files }, language)
    const [folder, root] = language === 'en' ? ['', ''] : [`${language}/`, '../']
    const shared = ['embed/totals.html', 'embed/trending.html', 'badges/ideas.svg', 'feeds/launched.atom']
    const [launched, fresh, changes] = ['launched', 'new', 'changes'].map((name) => `feeds/${name}.atom`)
    expect(paths).toEqual(expect.arrayContaining([...shared, fresh, changes].map((path) => `${folder}${path}`)))
    const feeds = [launched, fresh, changes].map((path) => `${root}${folder}${path}`)
    const toCopy = shared.map((path) => `https://data.example/stats/${folder}${path}`)
    expect(page.match(/[^"; >]*(?:feeds|embed|badges)\/[a-z]+\.\w+/g)).toEqual([
      ...feeds,
      feeds[1],
      ...feeds,
      ...toCopy,
    ])
  })

  it('of downloads says that an address is missing only where it is', () => {
    const share = (input: SiteInput): string => part(indexPage(input, 'en'), 'downloads')
    expect(share(siteInput())).toContain('<p class="unfilled">In these lines, put the address of this site in front')
    expect(share(siteInput()).match(/<code data-relative[ >]/g)).toHaveLength(3)
    expect(share(SITES.usual)).not.toMatch(/unfilled|data-relative/)
    expect(indexPage(siteInput(), 'en')).toContain('<a href="#share">Share: embed and badge</a>')
  })

  it('of counting has a heading and an anchor for each number', () => {
    const counting = part(indexPage(SITES.usual, 'en'), 'counting')
    expect(counting).toContain('<div id="count-active"><h3>Accounts and people</h3>')
    expect(counting.match(/<div id="count-\w+"><h3>/g)).toHaveLength(8)
    const compared = part(indexPage({ ...SITES.usual, isCompared: true }, 'en'), 'counting')
    expect(compared.match(/<div id="count-\w+"><h3>/g)).toHaveLength(9)
    expect(compared).toContain('So far none had changed.')
  })
})

describe('a page', () => {
  it('offers under trending ideas the file that is this list, and not that of the ideas submitted in this time', () => {
    const trending = /<section id="trending"[^]*?<\/section>/.exec(indexPage(siteInput(), 'en'))?.[0] ?? ''
    expect(trending).toContain('analytics/trending/7d/all.json')
    expect(trending).not.toContain('analytics/export/')
  })

  it('shows as many days as the site is old, and its whole life if it slept', () => {
    const period = (spec: SiteSpec): string | undefined =>
      /id="activity"[^>]* data-period="(\w+)"/.exec(indexPage(siteInput(spec), 'en'))?.[1]
    expect([2, 20, 80, 700].map((days) => period({ ideas: 5, days }))).toEqual(['7d', '30d', '90d', '90d'])
    expect(period({ ideas: 2, days: 4000 })).toBe('all')
  })

  it('says nothing else of a closed site: neither a section nor a number', () => {
    const page = indexPage(siteInput({ closed: true }), 'en')
    expect(page).not.toMatch(/<section|<table|<svg/)
  })

  it('describes the data set to programs where a licence and the public address are known', () => {
    const json = /<script type="application\/ld\+json">(.*)<\/script>/.exec(indexPage(SITES.usual, 'en'))?.[1] ?? ''
    expect(JSON.parse(json)).toMatchObject({
      '@type': 'Dataset',
      name: WORDS.title,
      dateModified: SITES.usual.dataAsOf,
    })
    expect(indexPage(siteInput({ words: WORDS }), 'en')).not.toContain('ld+json')
  })
})

describe('the page of a category', () => {
  const pageOf = (input: SiteInput, language: 'en' | 'de'): string =>
    categoryPage(input, language, input.documents.ofCategories[0]!)

  it.each(['en', 'de'] as const)('leads to its feed and its embed, with lines to copy (%s)', (language) => {
    const { key } = SITES.usual.documents.ofCategories[0]!
    const page = pageOf(SITES.usual, language)
    const folder = `${language === 'en' ? '' : '../'}../../category/${key}/`
    const paths = Array.from(siteFiles(SITES.usual), ({ path }) => path)
    expect(paths).toEqual(expect.arrayContaining([`category/${key}/embed.html`, `category/${key}/launched.atom`]))
    expect(page.slice(0, page.indexOf('<body'))).toContain(
      `application/atom+xml" title="${speechOf(language).w.downloads.feeds.launched}" href="${folder}launched.atom"`,
    )
    const share = part(page, 'share')
    expect(share).toContain(`href="${folder}embed.html" hreflang="en"`)
    expect(share).toContain(`href="${folder}launched.atom" hreflang="en"`)
    expect(share).toContain(`&lt;iframe src=&quot;https://data.example/stats/category/${key}/embed.html&quot;`)
  })

  it('has no feed without a public address, and says what its lines lack', () => {
    const input = siteInput()
    const page = pageOf(input, 'en')
    expect(page).not.toContain('launched.atom')
    expect(Array.from(siteFiles(input), ({ path }) => path).filter((path) => path.endsWith('.atom'))).toEqual([])
    expect(part(page, 'share')).toMatch(/unfilled[^]*<code data-relative>&lt;iframe src=&quot;\.\.\/\.\.\/category\//)
  })
})

describe('addresses', () => {
  it('lead to an idea only if they are of the web, relative ones on the platform itself', () => {
    const at = (url: string, siteUrl: string | null): string => {
      const input = siteInput({ ideas: 1, days: 2, siteUrl })
      const ideas = input.documents.trending['7d'].ideas.map((idea) => ({ ...idea, url }))
      const trending = { ...input.documents.trending, '7d': { ...input.documents.trending['7d'], ideas } }
      return indexPage({ ...input, documents: { ...input.documents, launched: [], trending } }, 'en')
    }
    expect(at('/ideas/7?a=1&b=2', 'https://ideas.example')).toContain(
      '<a href="https://ideas.example/ideas/7?a=1&amp;b=2"><bdi>',
    )
    for (const page of [
      at('/ideas/7', null),
      at('javascript:alert(1)', 'https://ideas.example'),
      at('data:text/html,x', null),
    ]) {
      expect(/javascript:|data:|"\/ideas\/7/.exec(page)?.[0]).toBeUndefined()
      expect(page.includes('<h3><bdi>A foot bridge')).toBe(true)
    }
  })

  it('are absolute where the public one is known, and only in the head', () => {
    const page = indexPage(SITES.usual, 'de')
    expect(page).toContain('<link rel="canonical" href="https://data.example/stats/de/">')
    expect(page).toContain('<meta property="og:url" content="https://data.example/stats/de/">')
    expect(page).toContain('hreflang="en" href="https://data.example/stats/"')
    expect(page.slice(page.indexOf('<body'))).not.toMatch(/(?:href|src)="https:\/\/data/)
    expect(indexPage(siteInput(), 'en')).not.toMatch(/og:|canonical/)
  })

  it('of the page for missing addresses begin at the root', () => {
    expect(notFoundPage(siteInput())).toContain('<link rel="stylesheet" href="/assets/page-0123456789.css">')
    expect(notFoundPage(SITES.usual)).toContain('<link rel="stylesheet" href="/stats/assets/page-0123456789.css">')
  })
})
