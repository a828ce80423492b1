// src/site/pages/reference-page.ts, reference-endpoints.ts, data-page.ts; src/site/pages/recipes.ts
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { columnsOf } from '../../../src/contract/columns.ts'
import { ENDPOINTS } from '../../../src/contract/kinds/register.ts'
import { EXPORT_TYPES } from '../../../src/contract/kinds/tables.ts'
import { API_HEADERS } from '../../../src/contract/openapi.ts'
import { LANGUAGES, siteKindOf, type Language } from '../../../src/contract/site-paths.ts'
import type { SiteInput } from '../../../src/site/page/input.ts'
import { dataPage } from '../../../src/site/pages/data-page.ts'
import { indexPage } from '../../../src/site/pages/index-page.ts'
import { CHANGES, referencePage } from '../../../src/site/pages/reference-page.ts'
import { exampleText } from '../../../src/site/pages/reference-endpoints.ts'
import { RECIPES } from '../../../src/site/pages/recipes.ts'
import { speechOf } from '../../../src/site/page/speech.ts'
import { meaningIn } from '../../../src/site/words/dictionary/en.ts'
import { NAUGHTY } from '../naughty.ts'
import { AS_OF, documents, hostileInput, PUBLIC_URL, siteInput } from '../reuse-input.ts'

const KIB = 1024
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }

function shown(html: string): string {
  return html.replaceAll(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => ENTITIES[name] ?? '')
}

test('the reference is in one language and offers no other', () => {
  expect(referencePage(siteInput({ languages: ['de', 'en', 'fr'] })).text).not.toContain('hreflang')
})

describe('the reference', () => {
  const { path, text } = referencePage(siteInput())

  test('is a page of the site, with every endpoint, parameter and header', () => {
    expect(siteKindOf(path)?.policy).toBe('page')
    for (const { name, path: endpoint, parameters } of Object.values(ENDPOINTS)) {
      expect(text).toContain(`<section class="docs" id="${name}"`)
      expect(text).toContain(`<code>GET ${endpoint}</code>`)
      for (const parameter of parameters) expect(text).toContain(`<th scope="row"><code>${parameter.name}</code></th>`)
    }
    for (const header of Object.keys(API_HEADERS)) expect(text).toContain(`<code>${header}</code>`)
  })

  test('has answers of this release as examples', () => {
    const examples = [...text.matchAll(/<pre[^>]*><code>(\{[^]*?)<\/code><\/pre>/g)].map(([, example = '']) => {
      const json = shown(example).replaceAll(/,\n\s*…(?=\n)/g, '')
      return JSON.parse(json) as Record<string, unknown>
    })
    expect(examples).toHaveLength(Object.keys(ENDPOINTS).length)
    const [stats, trending, , timeline, , overview] = examples
    expect(stats).toMatchObject({ ...documents().stats, version: '1.0' })
    expect(trending).toMatchObject({ limit: 2, count: 2, ideas: [{ title: 'A tram to the beach' }, { url: null }] })
    expect(timeline?.['buckets']).toEqual(documents().timelines['7d'].buckets.slice(0, 2))
    expect(overview).toMatchObject({ type: 'overview', rowCount: 15 })
    for (const example of examples) expect(Object.keys(example).slice(-2)).toEqual(['generatedAt', 'version'])
  })

  test('names no version that the program does not have', () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { readonly version: string }
    const [major = 0, minor = 0] = version.split('.').map(Number)
    // What is not released yet comes with the next minor version.
    const next = readFileSync('CHANGELOG.md', 'utf8').includes('\n## Unreleased\n') ? 1 : 0
    const orders = CHANGES.map(([name]) => name.split('.').map(Number)).map(([a = 0, b = 0]) => a * 1_000 + b)
    expect(orders.length).toBeGreaterThan(0)
    expect(Math.max(...orders)).toBeLessThanOrEqual(major * 1_000 + minor + next)
    for (const [name] of CHANGES) expect(text).toContain(`<th scope="row">${name}</th>`)
  })

  test('has each recipe with the address of the site', () => {
    for (const { code, name } of RECIPES) {
      expect(code(PUBLIC_URL), name).toMatch(/https:\/\/stats\.example\.org\/numbers\/analytics\//)
      expect(shown(text)).toContain(code(PUBLIC_URL))
    }
    const unknown = referencePage(siteInput({ publicUrl: null })).text
    expect(unknown).toContain('Replace <code>https://ADDRESS</code>')
    const toCopy = [...unknown.matchAll(/<pre[^>]*><code>([^]*?)<\/code>/g)].flatMap(([, code = '']) => [
      ...shown(code).matchAll(/src="([^"]*)"/g),
    ])
    expect(toCopy.length).toBeGreaterThanOrEqual(3)
    for (const [, address = ''] of toCopy) expect(address.startsWith('https://ADDRESS/'), address).toBe(true)
    expect(unknown).not.toContain('../feeds/')
  })
})

describe.each(LANGUAGES)('the dictionary in %s', (language) => {
  const site = siteInput({ languages: [...LANGUAGES] })
  const { path, text } = dataPage(site, language)
  const { w, dictionary } = speechOf(language)

  test('is a page of the site, with every column of every table and what an empty cell says', () => {
    expect(path).toBe(language === 'en' ? 'docs/data.html' : `${language}/docs/data.html`)
    expect(siteKindOf(path)?.policy).toBe('page')
    for (const type of EXPORT_TYPES) {
      const section = new RegExp(`<section class="docs" id="${type}"[^]*?</section>`).exec(text)?.[0] ?? ''
      expect(shown(section)).toContain(dictionary.rows[type])
      for (const { name, empty, unit } of columnsOf(type)) {
        const row = new RegExp(`<tr><th scope="row"><code>${name}</code><br>.*</tr>`).exec(section)?.[0] ?? ''
        expect(shown(row)).toContain(meaningIn(dictionary, type, name) + (unit === 'percent' ? ' (%)' : ''))
        const why = empty === undefined ? null : dictionary.empty.replace('{why}', dictionary.reasons[empty])
        expect(/<td>.*<small>(.*)<\/small>/.exec(shown(row))?.[1] ?? null).toBe(why)
      }
    }
  })

  test('says how this site publishes numbers of people', () => {
    expect(shown(text)).toContain(dictionary.exact)
    const rounded = w.people.rounded.replace('{zone}', 'UTC')
    expect(shown(dataPage({ ...site, people: 'rounded' }, language).text)).toContain(rounded)
    expect(shown(dataPage({ ...site, people: 'off' }, language).text)).toContain(w.people.offTotals)
  })

  test('says how to cite', () => {
    const time = speechOf(language).dateTime(AS_OF)
    expect(shown(text)).toContain(
      `City of Harbourtown (2026): Harbourtown Ideas. ${w.page.asOf.replace('{time}', time)} ${PUBLIC_URL}/ ${w.footer.license}: CC-BY-4.0.`,
    )
    const unlicensed = dataPage({ ...site, words: { ...site.words, license: null } }, language).text
    expect(shown(unlicensed)).toContain(dictionary.noLicense)
    expect(unlicensed).not.toContain('rel="license"')
  })

  test('leads to the page and the dictionary of each language, and is found from its page', () => {
    const root = language === 'en' ? '../' : '../../'
    const of = (other: Language): string => (other === 'en' ? '' : `${other}/`)
    expect(text).toContain(`<li><a href="${root}${of(language)}index.html">${site.words.title}</a></li>`)
    for (const other of LANGUAGES) {
      const address = `${of(other)}docs/data.html`
      expect(text).toContain(`<link rel="alternate" hreflang="${other}" href="${PUBLIC_URL}/${address}">`)
      if (other !== language) expect(text).toContain(`<a href="${root}${address}" lang="${other}" hreflang="${other}">`)
    }
    const home = indexPage(site, language)
    expect(home).toContain(
      `href="${language === 'en' ? '' : '../'}${of(language)}docs/data.html">${shown(w.downloads.dictionary)}<`,
    )
  })
})

test('the reference leads to the dictionary in English, or in the first language of a site without it', () => {
  expect(referencePage(siteInput({ languages: ['de', 'en'] })).text).toContain('href="../en/docs/data.html"')
  expect(referencePage(siteInput({ languages: ['de', 'fr'] })).text).toContain('href="../docs/data.html"')
})

describe.each([
  ['the reference', referencePage],
  ['the dictionary', (input: SiteInput) => dataPage(input, 'en')],
])('%s', (_, page) => {
  test('links to files of the release only', () => {
    const input = siteInput()
    const paths = new Set(input.files.map(({ path }) => path))
    const links = [...page(input).text.matchAll(/href="\.\.\/([^"]*)"/g)].map(([, target = '']) => target)
    expect(links.length).toBeGreaterThan(2)
    for (const link of links)
      expect(
        paths.has(link) || siteKindOf(link) !== null || link === 'api/openapi.json' || link === 'manifest.json',
        link,
      ).toBe(true)
  })

  test('has an anchor for each of its links, once', () => {
    const { text } = page(siteInput())
    const ids = [...text.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id)
    expect(new Set(ids).size).toBe(ids.length)
    for (const [, anchor] of text.matchAll(/href="#([^"]*)"/g)) expect(ids).toContain(anchor)
  })

  test.each(NAUGHTY)('is no larger and runs nothing with %j', (text) => {
    const file = page(hostileInput(text)).text
    expect(file.replaceAll(/"[^"]*"/g, '""')).not.toMatch(/<[^>]*\s(?:on\w+|style)=/i)
    if (text.includes('<')) expect(file).not.toContain(text)
    // Nothing of it grows with the number of ideas or categories, and titles are cut; the words of the site are its own.
    const { words } = siteInput()
    expect(Buffer.byteLength(page(hostileInput(text, { words })).text)).toBeLessThan(
      page(siteInput()).text.length + 10 * KIB,
    )
  })
})

test('an example is JSON, but for what is left out', () => {
  expect(exampleText({ a: [], b: {}, c: null, d: ['x', 'y'] })).toBe(
    '{\n  "a": [],\n  "b": {},\n  "c": null,\n  "d": [\n    "x",\n    "y"\n  ]\n}',
  )
  expect(exampleText([1, 2, 3])).toBe('[\n  1,\n  2,\n  …\n]')
  expect(exampleText('x'.repeat(1_000))).toBe(`"${'x'.repeat(100)}…"`)
  expect(exampleText('\u2028</script>')).toBe(JSON.stringify('\u2028</script>'))
})
