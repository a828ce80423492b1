// src/site/pictures/chart-files.ts, and src/site/sections/figure.ts, which leads to its files.
import { SaxesParser } from 'saxes'
import { describe, expect, test } from 'vitest'
import { LANGUAGES, siteKindOf } from '../../../src/contract/site-paths.ts'
import { pagesOf } from '../../../src/site/page/page.ts'
import type { SiteFile, SiteInput } from '../../../src/site/page/input.ts'
import { indexPage } from '../../../src/site/pages/index-page.ts'
import { chartFiles } from '../../../src/site/pictures/chart-files.ts'
import { textWidth } from '../../../src/site/pictures/text-width.ts'
import { siteFiles } from '../../../src/site/site.ts'
import { accentsOf } from '../../../src/site/page/style.ts'
import { siteInput, WORDS } from '../../support/site-input.ts'
import { NAUGHTY } from '../naughty.ts'

const NAMES = ['votes', 'comments', 'ideas', 'launched', 'outcomes', 'people']
const pathsOf = (input: SiteInput): string[] =>
  Array.from(siteFiles(input), ({ path }) => path).filter((path) => path.includes('charts/'))
const chartsOf = (input: SiteInput): SiteFile[] => pagesOf(input).flatMap(chartFiles)
const fileOf = (input: SiteInput, path: string): string =>
  chartsOf(input).find((file) => file.path === path)?.text ?? ''

/** The texts of these elements, in their order; those of what is inside belong to it. */
function textsOf(svg: string, name: string): string[] {
  const texts: string[] = []
  let depth = 0
  const parser = new SaxesParser({ xmlns: true })
  parser.on('opentag', ({ local }) => {
    if (local === name && depth++ === 0) texts.push('')
  })
  parser.on('closetag', ({ local }) => void (local === name && depth--))
  parser.on('text', (text) => {
    if (depth > 0) texts.push(`${texts.pop() ?? ''}${text}`)
  })
  parser.write(svg).close()
  return texts
}

const DRAWN = new Set(['svg', 'title', 'desc', 'style', 'rect', 'text', 'tspan', 'g', 'path', 'line', 'circle'])

/** What could run or ask another host. @throws Error for what is not XML */
function activeParts(svg: string): string[] {
  const found: string[] = []
  const parser = new SaxesParser({ xmlns: true })
  parser.on('opentag', ({ local, attributes }) => {
    const active = Object.values(attributes).filter((one) => /^on|href$/i.test(one.local) || /url\(/i.test(one.value))
    if (!DRAWN.has(local)) found.push(local)
    found.push(...active.map(({ name }) => name))
  })
  for (const event of ['doctype', 'processinginstruction'] as const) parser.on(event, () => found.push(event))
  parser.write(svg).close()
  return found
}

/** The heights of the bars of this class, by their place. */
function barsOf(svg: string, kind: string): Map<number, number> {
  const path = svg.match(new RegExp(`<path class="${kind}" d="([^"]*)"`))?.[1] ?? ''
  return new Map(
    [...path.matchAll(/M(\d+)\.\d+ 200v-([\d.]+)h/g)].map(([, place, height]) => [Number(place), Number(height)]),
  )
}

describe('there is a file of each chart', () => {
  test('in each language', () => {
    expect(pathsOf(siteInput({ languages: ['de', 'en'] }))).toEqual([
      ...NAMES.map((name) => `charts/${name}.svg`),
      ...NAMES.map((name) => `en/charts/${name}.svg`),
    ])
  })

  test('none where numbers of people are not published, none of a site that is closed or empty', () => {
    expect(pathsOf(siteInput({ people: 'off' }))).toEqual(NAMES.slice(0, -1).map((name) => `charts/${name}.svg`))
    expect(pathsOf(siteInput({ closed: true }))).toEqual([])
    expect(pathsOf(siteInput({ ideas: 0 }))).toEqual([])
  })

  test.each([['exact'], ['rounded'], ['off']] as const)(
    'that the page draws, and it leads to them all (people %s)',
    (people) => {
      for (const days of [700, 4000, 2]) {
        const input = siteInput({ people, days, ideas: 30, languages: ['en', 'fr'] })
        const paths = chartsOf(input).map(({ path }) => path)
        for (const [language, folder] of [
          ['en', ''],
          ['fr', 'fr/'],
        ] as const) {
          const page = indexPage(input, language)
          const links = Array.from(page.matchAll(/href="(charts\/[a-z]+\.svg)"/g), ([, path]) => `${folder}${path}`)
          const ofLanguage = paths.filter((path) => path.startsWith(`${folder}charts/`))
          expect(links.toSorted()).toEqual(ofLanguage.toSorted())
          expect(page.split('<svg class="plot"')).toHaveLength(links.length + 1)
        }
        expect(indexPage(input, 'en', '7d')).not.toContain('charts/')
      }
    },
  )

  test('with a path that is served as SVG', () => {
    for (const { path } of chartsOf(siteInput({ languages: LANGUAGES })))
      expect(siteKindOf(path)).toMatchObject({ type: 'image/svg+xml', policy: 'svg' })
  })
})

describe.each(LANGUAGES)('a file in %s', (language) => {
  const sites = (['exact', 'rounded'] as const).map((people) =>
    siteInput({ people, languages: [language], words: WORDS, demo: true, timeZone: 'America/Argentina/Buenos_Aires' }),
  )
  const files = sites.flatMap(chartsOf)

  test('is XML with its size, without script and without an address', () => {
    for (const { text } of files) {
      expect(activeParts(text)).toEqual([])
      expect(text).toMatch(
        /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" width="760" height="(\d+)" viewBox="0 0 760 \1" /,
      )
      expect(text.replace('http://www.w3.org/2000/svg', '')).not.toMatch(/[a-z]+:\/\/|data-|NaN|undefined|null/)
    }
  })

  test('says what it is, of which site and when, in lines that fit', () => {
    for (const { text } of files) {
      const lines = textsOf(text, 'tspan')
      const [heading = ''] = lines
      const [site, asOf = ''] = lines.at(-1)?.split(' · ') ?? []
      expect(site).toBe('\u2068Ideas of Nordhaven\u2069')
      expect(asOf).toMatch(/22.*2026, 11:35 .+\.$/)
      expect(textsOf(text, 'title')).toEqual([`${heading} – ${site}`])
      expect(textsOf(text, 'desc')[0]).toContain(asOf)
      expect(textWidth(heading) * (16 / 11)).toBeLessThan(728)
      for (const line of textsOf(text, 'tspan')) expect(textWidth(line) * (12 / 11), line).toBeLessThan(728)
    }
  })
})

describe('a file has the numbers of the page', () => {
  const input = siteInput({ ideas: 60 })
  const page = indexPage(input, 'en')

  test.each(['votes', 'outcomes', 'people'])('at the axes and marks of %s', (name) => {
    const drawn = page.match(
      new RegExp(`<div class="chart">(?:(?!</div>).)*aria-labelledby="${name}-title".*?</div>`),
    )?.[0]
    const inPage = Array.from(drawn?.matchAll(/<text [^>]*>([^<]*)/g) ?? [], ([, text]) => text)
    const inFile = Array.from(fileOf(input, `charts/${name}.svg`).matchAll(/<text [^>]*>([^<]+)/g), ([, text]) => text)
    expect(inPage.length).toBeGreaterThan(5)
    expect(inFile).toEqual(inPage)
  })

  test.each([
    ['votes', 'votes'],
    ['comments', 'comments'],
    ['ideas', 'ideas'],
    ['launched', 'launchedIdeas'],
  ] as const)('in the bars of %s', (name, series) => {
    const svg = fileOf(input, `charts/${name}.svg`)
    const bars = new Map([...barsOf(svg, 'bar'), ...barsOf(svg, 'partial')])
    const values = input.documents.timelines['90d'].buckets.map((bucket) => bucket[series])
    const highest = Math.max(...bars.values())
    expect(values.map((_, i) => Math.round(((bars.get(i) ?? 0) / highest) * Math.max(...values)))).toEqual(values)
  })

  test('in the bars of outcomes', () => {
    const svg = fileOf(input, 'charts/outcomes.svg')
    const bars = new Map([...barsOf(svg, 'bar'), ...barsOf(svg, 'partial')])
    const months = input.documents.outcomes.cohorts.filter(({ month }) => month !== null).slice(-36)
    const shares = months.map(({ ideas, launchedIdeas }) => (100 * launchedIdeas) / Math.max(1, ideas))
    const unit = Math.max(...bars.values()) / Math.max(...shares)
    for (const [i, share] of shares.entries()) expect((bars.get(i) ?? 0) / unit).toBeCloseTo(share, 0)
  })
})

test('a long name of the site has a line for itself', () => {
  const title = '住民の意見'.repeat(12)
  const lines = textsOf(fileOf(siteInput({ words: { ...WORDS, title } }), 'charts/votes.svg'), 'tspan')
  expect(lines.slice(-2)).toEqual([`\u2068${title}\u2069`, 'Numbers as of 22 November 2026, 14:35 UTC.'])
})

test('an outline, a month that is not over and rounding are explained', () => {
  const input = siteInput({ people: 'rounded', demo: true })
  expect(fileOf(input, 'charts/votes.svg')).toContain('Outlined: incomplete.')
  expect(fileOf(input, 'charts/outcomes.svg')).toContain('The last month is not over.')
  expect(fileOf(input, 'charts/people.svg')).toContain('Dashed: incomplete.')
  expect(fileOf(input, 'charts/people.svg')).toContain('Numbers of people are rounded to the nearest 5')
  for (const { text } of chartsOf(input)) expect(text).toContain('all numbers are invented')
  expect(fileOf(siteInput(), 'charts/people.svg')).not.toMatch(/rounded|invented/)
})

test('the accent of the site is its colour, as readable as on the page', () => {
  const { light, dark } = accentsOf('#ffcc00')
  for (const { text } of chartsOf(siteInput({ words: { ...WORDS, accent: '#ffcc00' } }))) {
    const [usual, inTheDark] = text.split('prefers-color-scheme:dark')
    expect(usual).toContain(`.bar,.area,.dot{fill:${light}}`)
    expect(inTheDark).toContain(`.bar,.area,.dot{fill:${dark}}`)
  }
})

test.each(NAUGHTY)('whatever the site is called, the file is whole: %j', (title) => {
  const usual = textsOf(fileOf(siteInput(), 'charts/votes.svg'), 'text')
  const svg = fileOf(siteInput({ words: { ...WORDS, title } }), 'charts/votes.svg')
  expect(activeParts(svg)).toEqual([])
  expect(textsOf(svg, 'text')).toHaveLength(usual.length)
  expect(svg.length).toBeLessThan(10 * 1024)
})
