// src/site/client/category-search.ts, pickers.ts: a site with more categories than its page can carry, in a real Chromium.
// real test: it starts a browser.
// long test: a browser for each case
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import axe from 'axe-core'
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { categoryKey } from '../../src/contract/category-name.ts'
import { packagePath } from '../../src/process/package-root.ts'
import { indexPage } from '../../src/site/pages/index-page.ts'
import { styleSheet } from '../../src/site/style.ts'
import { chromiumAvailable } from '../support/chromium.ts'
import { describeWithComponent } from '../support/real-component.ts'
import { siteInput } from '../support/site-input.ts'

const NAMES = Array.from({ length: 3_000 }, (_, i) => `Number ${i} – Straße`)
const CHOSEN = 'Number 2741 – Straße'

const made = siteInput()
const input = {
  ...made,
  categories: NAMES.map((name) => ({ name, key: categoryKey(name) })),
  assets: { css: 'page.css', js: 'page.js' },
}

/** As the release of this site has them; of categories, there are only the files of one. */
function filesOf(): Map<string, string> {
  const { documents, dataAsOf } = input
  const [row] = documents.categories.all.categories
  const key = categoryKey(CHOSEN)
  const files: Record<string, object> = {
    'analytics/categories/all.json': {
      ...documents.categories.all,
      categories: NAMES.map((category) => ({ ...row, category })),
    },
    [`analytics/category/${key}.json`]: { timelines: documents.timelines, outcomes: documents.outcomes, dataAsOf },
    [`analytics/trending/7d/category/${key}.json`]: documents.trending['7d'],
  }
  return new Map([
    ['/', indexPage(input, 'en')],
    ['/page.js', readFileSync(packagePath('dist', 'site', 'assets', 'page.js'), 'utf8')],
    ['/page.css', styleSheet(readFileSync('src/site/assets/page.css', 'utf8'), null)],
    ...Object.entries(files).map(([path, document]): [string, string] => [`/${path}`, JSON.stringify(document)]),
  ])
}

const TYPES = { js: 'text/javascript', css: 'text/css', json: 'application/json' } as Record<string, string>

test('a page of thousands of categories is as small as one of few', () => {
  const size = (page: string): number => gzipSync(page, { level: 6 }).length
  expect(size(indexPage(input, 'en')) - size(indexPage(made, 'en'))).toBeLessThan(1 << 10)
})

describeWithComponent('a search among thousands of categories', chromiumAvailable(), (bin) => {
  let [server, browser, base] = [{} as Server, {} as Browser, '']
  const asked: string[] = []
  beforeAll(async () => {
    const files = filesOf()
    server = createServer((request, response) => {
      const { pathname } = new URL(request.url ?? '', 'http://site')
      asked.push(pathname)
      const text = files.get(pathname)
      const type = TYPES[pathname.split('.').at(-1) ?? ''] ?? 'text/html'
      response.writeHead(text === undefined ? 404 : 200, { 'Content-Type': `${type}; charset=utf-8` }).end(text)
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
    browser = await chromium.launch({ executablePath: bin, args: ['--no-sandbox', '--disable-dev-shm-usage'] })
  })
  afterAll(async () => {
    await browser.close()
    server.closeAllConnections()
    server.close()
  })

  const field = (page: Page) => page.locator('input[data-pick="category"]')
  async function opened(
    search: string,
    look: (page: Page) => Promise<void>,
    options: BrowserContextOptions = {},
  ): Promise<void> {
    const page = await browser.newPage(options)
    try {
      asked.length = 0
      await page.goto(base + search)
      await page.locator('body[data-live]').waitFor()
      await look(page)
    } finally {
      await page.close()
    }
  }

  test('offers what was typed, and shows the chosen one, under its address', async () => {
    await opened('', async (page) => {
      expect(asked.filter((path) => path.startsWith('/analytics'))).toEqual([])
      await field(page).focus()
      await page.locator('#category-names option').first().waitFor({ state: 'attached' })
      expect(await page.locator('#category-names option').count()).toBe(50)
      await field(page).pressSequentially('274')
      // 274, 1274, 2274 and ten from 2740.
      expect(await page.locator('#category-names option').count()).toBe(13)
      await field(page).fill(CHOSEN.toUpperCase().replace('STRASSE', 'Straße'))
      await field(page).press('Enter')
      await page.locator('#activity .intro b', { hasText: CHOSEN }).waitFor()
      expect(new URL(page.url()).searchParams.get('category')).toBe(categoryKey(CHOSEN))
      expect(await field(page).inputValue()).toBe(CHOSEN)
      await field(page).fill('No such thing')
      await field(page).press('Enter')
      // What is not there is said; what was shown stays, and what was typed can be corrected.
      await page.locator('[data-said]', { hasText: 'There is no category “No such thing”.' }).waitFor()
      expect(await field(page).inputValue()).toBe('No such thing')
      expect(await field(page).getAttribute('aria-invalid')).toBe('true')
      expect(new URL(page.url()).searchParams.get('category')).toBe(categoryKey(CHOSEN))
      expect(await page.locator('#activity .intro b').textContent()).toBe(CHOSEN)
      await field(page).fill('')
      await field(page).press('Enter')
      await page.locator('[data-said]', { hasText: 'All categories' }).waitFor()
      expect(await field(page).getAttribute('aria-invalid')).toBe(null)
      expect(new URL(page.url()).search).toBe('')
      await page.goBack()
      await page.locator('#activity .intro b', { hasText: CHOSEN }).waitFor()
    })
  })

  test('an address that names one shows it; one that is not known asks for no file of it', async () => {
    await opened(`?category=${categoryKey(CHOSEN)}`, async (page) => {
      await page.locator('#outcomes .intro b', { hasText: CHOSEN }).waitFor()
      expect(await field(page).inputValue()).toBe(CHOSEN)
    })
    await opened('?category=../../manifest', async (page) => {
      await page.locator('[data-said]', { hasText: 'There is no category “../../manifest”.' }).waitFor()
      await page.locator('[data-said]', { hasText: 'All categories' }).waitFor()
      expect(await field(page).inputValue()).toBe('')
      expect(asked.filter((path) => path.startsWith('/analytics'))).toEqual(['/analytics/categories/all.json'])
    })
  })

  test.each([
    ['light', 375],
    ['light', 1280],
    ['dark', 375],
    ['dark', 1280],
  ] as const)('is used by keys alone, and axe-core finds nothing: %s, %i pixels', async (colorScheme, width) => {
    const look = { colorScheme, viewport: { width, height: 800 } }
    await opened(
      '',
      async (page) => {
        await page.evaluate(axe.source)
        const wrong = async (): Promise<string[]> =>
          (
            await page.evaluate<axe.AxeResults>('axe.run({ preload: false, resultTypes: ["violations"] })')
          ).violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' ')}`)
        await page.locator('select[data-pick="period"]').focus()
        await page.keyboard.press('Tab')
        expect(await page.evaluate('document.activeElement.dataset.pick')).toBe('category')
        await page.keyboard.type('nowhere')
        await page.keyboard.press('Enter')
        await page.locator('[data-said]', { hasText: 'There is no category “nowhere”.' }).waitFor()
        expect(await wrong()).toEqual([])
        await page.keyboard.press('ControlOrMeta+A')
        await page.keyboard.type(CHOSEN)
        await page.keyboard.press('Enter')
        await page.locator('#activity .intro b', { hasText: CHOSEN }).waitFor()
        expect(await page.evaluate('document.activeElement.dataset.pick')).toBe('category')
        expect(await wrong()).toEqual([])
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width)
      },
      look,
    )
  })
})
