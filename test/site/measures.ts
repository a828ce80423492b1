// Owns reading the same measure wherever a site gives it: tiles, badges, embeds, tables, sentences. Not a test.
import { categoryFile, pagePath } from '../../src/contract/site-paths.ts'
import { categoryName } from '../../src/site/page/drawing.ts'
import type { Page } from '../../src/site/page/page.ts'
import { plain, rowsOf, sectionOf } from './drawn-marks.ts'

/** What is measured, of what and when; how it is written; and where. */
export type Measured = readonly [measure: string, text: string, place: string]

type Files = ReadonlyMap<string, string>

const COUNTED = ['ideas', 'votes', 'comments', 'launchedIdeas'] as const

function tiles(page: string): Measured[] {
  const found = page.matchAll(/<li><h3>([^<]*)<\/h3><p class="big[^"]*">([^<]*)<\/p>(?:<p class="news">([^]*?)<\/p>)?/g)
  return [...found].flatMap(([, name = '', total = '', news]): Measured[] => [
    [`all ${name}`, total, 'tile'],
    ...(news === undefined ? [] : [[`new ${name}`, plain(news).split(', ')[0] ?? '', 'tile'] as const]),
  ])
}

function embedded(html: string, of: string): Measured[] {
  const found = html.matchAll(/<dt>([^<]*)<\/dt><dd class="n">([^<]*)<\/dd><dd class="soft">([^<]*)<\/dd>/g)
  return [...found].flatMap(([, name = '', total = '', news = '']): Measured[] => [
    [`all ${name}${of}`, total, 'embed'],
    [`new ${name}${of}`, plain(news), 'embed'],
  ])
}

function badges({ input, t, folder }: Page, files: Files): Measured[] {
  const names = ['ideas', 'votes', 'comments', 'launched', 'launch-rate', ...(input.people === 'off' ? [] : ['users'])]
  return names.map((name): Measured => {
    const badge = JSON.parse(files.get(`${folder}badges/${name}.json`) ?? '{}') as Record<string, string>
    const { label = '', message = '' } = badge
    return [name === 'launch-rate' ? t.w.outcomes.firstYear : `all ${label}`, message, 'badge']
  })
}

/** The share and the median of a page, in its first facts and in its table of years. */
function outcomes({ t }: Page, section: string, of: string): Measured[] {
  const w = t.w.outcomes
  const facts = [...section.matchAll(/<li><h3>([^<]*)<\/h3><p class="big">([^<]*)<\/p>(?:<p>([^<]*)<\/p>)?/g)]
  const heads = [...section.matchAll(/<th scope="col"[^>]*>([^<]*)<\/th>/g)].map(([, head]) => head)
  const years = rowsOf(section, 'years-table').flatMap((row): Measured[] => [
    [`${w.median} ${row[0] ?? ''}${of}`, row[heads.indexOf(w.median)] ?? '', 'years'],
    [`${w.firstYear} ${row[0] ?? ''}${of}`, row[heads.indexOf(w.firstYear)] ?? '', 'years'],
  ])
  const ofFacts = facts.flatMap(([, label = '', big = '', said = '']): Measured[] => {
    const year = /\b\d{4}\b/.exec(said)?.[0]
    if (label === w.firstYear) return [[`${label}${of}`, big, 'fact']]
    return year === undefined ? [] : [[`${w.median} ${year}${of}`, big, 'fact']]
  })
  return [...ofFacts, ...years]
}

/** The rows of a table of categories: the counts of each. */
function ofCategories({ t }: Page, section: string): Measured[] {
  const heads = [...section.matchAll(/<th scope="col"[^>]*>([^<]*)<\/th>/g)].map(([, head]) => head)
  const named = { ...t.w.totals, launchedIdeas: t.w.categories.launchedThen }
  return rowsOf(section, 'categories-table').flatMap((row) =>
    COUNTED.map((key): Measured => [
      `all ${t.w.totals[key]} of ${row[0] ?? ''}`,
      row[heads.indexOf(named[key])] ?? '',
      'categories',
    ]),
  )
}

/** All that is measured in a language of a site. @param files by their paths */
export function measuresIn(page: Page, files: Files): Measured[] {
  const { input, t, folder } = page
  const { languages, documents } = input
  const { language } = t
  const index = files.get(pagePath(language, languages)) ?? ''
  const all = files.get(pagePath(language, languages, { period: 'all' })) ?? ''
  const outcomesPart = sectionOf(index, 'outcomes')
  const byCategory = rowsOf(outcomesPart, 'first-year-table').map((row): Measured => [
    `${t.w.outcomes.firstYear} of ${row[0] ?? ''}`,
    row[2] ?? '',
    'by category',
  ])
  const pages = documents.ofCategories.flatMap((category): Measured[] => {
    const own = files.get(pagePath(language, languages, { category })) ?? ''
    const of = ` of ${plain(categoryName(page, category.name))}`
    const [last = []] = rowsOf(own, 'periods-table').slice(-1)
    const embed = language === languages[0] ? (files.get(categoryFile(category.key, 'embed.html')) ?? '') : ''
    return [
      ...COUNTED.map((key, i): Measured => [`all ${t.w.totals[key]}${of}`, last[i + 1] ?? '', 'page']),
      ...embedded(embed, of),
      ...outcomes(page, sectionOf(own, 'outcomes'), of),
    ]
  })
  return [
    ...tiles(sectionOf(index, 'totals')),
    ...embedded(files.get(`${folder}embed/totals.html`) ?? '', ''),
    ...badges(page, files),
    ...outcomes(page, outcomesPart, ''),
    ...byCategory,
    ...ofCategories(page, sectionOf(all, 'categories')),
    ...pages,
  ]
}

/** Measures that have more than one form, with all of them. */
export function formsOf(measured: readonly Measured[]): string[] {
  const byMeasure = new Map<string, Measured[]>()
  for (const one of measured) byMeasure.set(one[0], [...(byMeasure.get(one[0]) ?? []), one])
  return [...byMeasure]
    .filter(([, forms]) => new Set(forms.map(([, text]) => text)).size > 1)
    .map(([measure, forms]) => `${measure}: ${forms.map(([, text, place]) => `${text} (${place})`).join(', ')}`)
}
