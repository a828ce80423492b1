// The search over titles in a real Chromium, below a base path, with the policy of the site: what it finds, asks for and says.
// real test: it starts a browser.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { packageAssets } from '../../src/builder/site/write-site.ts'
import type { ExportRow } from '../../src/contract/kinds/tables.ts'
import { searchFiles } from '../../src/contract/search-files.ts'
import { LANGUAGES, pagePath, siteKindOf } from '../../src/contract/site-paths.ts'
import { IDEAS_WORKBOOK } from '../../src/contract/snapshot-paths.ts'
import { UTC } from '../../src/contract/time-zone.ts'
import { speechOf } from '../../src/site/page/speech.ts'
import type { SiteInput } from '../../src/site/page/input.ts'
import { siteFiles } from '../../src/site/site.ts'
import { chromiumAvailable } from '../support/chromium.ts'
import { describeWithComponent } from '../support/real-component.ts'
import { siteInput } from '../support/site-input.ts'
import { OF_COLOURS, violationsIn } from './axe.ts'

const { css, js } = packageAssets(null)
const BASE = '/town/numbers/'
const IDEAS = 2_600

const row = (title: string, more: ExportRow = {}): ExportRow => ({
  title,
  totalVotes: 1_234,
  status: 'open',
  createdAt: '2026-05-01T10:00:00.000Z',
  url: 'https://ideas.example/1',
  ...more,
})
/** Newest first; all but the last hundred are in the first file. */
const ROWS: readonly ExportRow[] = [
  row('Une École près du parc', { status: null }),
  row('Łódź needs more trees', { totalVotes: 1, createdAt: '1970-01-01T00:00:00.000Z' }),
  row('Straße for Smørrebrød', { url: null }),
  row('Rad\u00ADweg\u200B e\u2011mail'),
  row(`Zalgo${'\u0301'.repeat(190)}`),
  row('<img src=x onerror=alert(1)> & "quotes"\n two  lines \uFFFE', { status: '<b>' }),
  row('\u0645\u0631\u062D\u0628\u0627 \u202Egnirts', { url: 'javascript:alert(1)' }),
  ...Array.from({ length: 60 }, (_, i) => row(`Bench number ${i}`)),
  ...Array.from({ length: IDEAS - 68 }, (_, i) => row(`Tree ${i}`)),
  row('The oldest bench of all'),
]

function filesOf(more: Partial<SiteInput> = {}): ReadonlyMap<string, string> {
  const input = siteInput({ ideas: IDEAS, languages: LANGUAGES, siteUrl: 'https://ideas.example' })
  const listed = [...input.files, { path: IDEAS_WORKBOOK, bytes: 1, rows: IDEAS }]
  const assets = { css: css.path, js: js.path }
  const search = searchFiles(UTC)
  search.add(ROWS)
  const files = [css, js, ...search.files(), ...siteFiles({ ...input, files: listed, assets, ...more })]
  return new Map(files.map(({ path, text }) => [path, text]))
}

describeWithComponent('the search over titles', chromiumAvailable(), (bin) => {
  let [server, browser, origin] = [{} as Server, {} as Browser, '']
  let files: ReadonlyMap<string, string> = new Map()
  beforeAll(async () => {
    files = filesOf()
    server = createServer((request, response) => {
      const path = (request.url ?? '').replace(BASE, '').replace(/(^|\/)$/, '$1index.html')
      const text = files.get(path)
      response.writeHead(text === undefined ? 404 : 200, { 'Content-Type': siteKindOf(path)?.type ?? 'text/html' })
      response.end(text ?? '<p>no such page</p>')
    }).listen(0, '127.0.0.1')
    browser = await chromium.launch({ executablePath: bin, args: ['--no-sandbox', '--disable-dev-shm-usage'] })
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  afterAll(async () => {
    await browser.close()
    server.close()
  })

  /** Looks at a page. @returns the paths of what it asked for after it had started */
  async function opened(
    path: string,
    look: (page: Page) => Promise<void>,
    { messages, ...options }: BrowserContextOptions & { readonly messages?: RegExp } = {},
  ): Promise<string[]> {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options })
    try {
      const page = await context.newPage()
      const [asked, said]: [string[], string[]] = [[], []]
      page.on('console', (message) => said.push(message.text()))
      page.on('pageerror', (error) => said.push(error.message))
      await page.goto(`${origin}${BASE}${path}`, { waitUntil: 'networkidle' })
      page.on('request', (request) => asked.push(request.url().replace(`${origin}${BASE}`, '')))
      await look(page)
      expect(page.url()).toBe(`${origin}${BASE}${path}`)
      expect(said.filter((one) => messages?.test(one) !== true)).toEqual([])
      expect(await context.cookies()).toEqual([])
      if (options.javaScriptEnabled !== false)
        expect(await page.evaluate('localStorage.length + sessionStorage.length + history.length')).toBe(2)
      return asked
    } finally {
      await context.close()
    }
  }

  async function find(page: Page, words: string): Promise<string[]> {
    await page.fill('#words', words)
    await expect.poll(() => status(page)).not.toContain('…')
    return page.locator('search h3').allTextContents()
  }
  const status = (page: Page): Promise<string | null> => page.textContent('search [role=status]')

  test.each(['', 'search/', 'de/', 'de/search/'])(
    'at /%s finds titles, whatever the case and the accents',
    async (at) => {
      const asked = await opened(at, async (page) => {
        expect(await find(page, 'ecole')).toEqual(['Une École près du parc'])
        expect(await find(page, 'PARC  Écolé')).toEqual(['Une École près du parc'])
        expect(await find(page, 'lodz')).toEqual(['Łódź needs more trees'])
        expect(await find(page, 'strasse SMORRE')).toEqual(['Straße for Smørrebrød'])
        expect(await find(page, 'quotes" two lines')).toEqual([expect.stringContaining('<img src=x onerror=alert(1)>')])
        // What no reader sees, and the two hyphens, are not looked for.
        expect(await find(page, 'radweg e-mail')).toHaveLength(1)
        expect(await find(page, 'e\u2011mail rad\u00ADweg')).toHaveLength(1)
        expect(await find(page, 'zalgo')).toHaveLength(1)
        // Its marks end with its hit.
        expect(await page.evaluate("getComputedStyle(document.querySelector('search .idea')).overflow")).toBe('clip')
        // Those of the last file, too.
        expect(await find(page, 'oldest bench')).toEqual(['The oldest bench of all'])
        expect(await find(page, ' ')).toEqual([])
        expect(await status(page)).toBe('')
      })
      // Nothing before the first letter, each file once, and no word of the search; a browser asks for the icon when it likes.
      expect(asked.filter((path) => path !== 'favicon.svg')).toEqual(['search/1.json', 'search/2.json'])
    },
  )

  test('says how many there are and how many of them are shown', async () => {
    await opened('search/', async (page) => {
      expect(await find(page, 'bench')).toHaveLength(50)
      expect((await status(page))?.trim()).toBe('Ideas found: 61. Shown: 50, the newest first.')
      expect(await find(page, 'no such idea')).toEqual([])
      expect(await status(page)).toBe(
        'No title has these words (ideas searched, the newest first: 2,600). Fewer or shorter words find more.',
      )
    })
  })

  test('says that older ideas are not searched, where there are more', async () => {
    const usual = files
    const { documents } = siteInput({ ideas: 3 })
    const stats = { ...documents.stats, stats: { ...documents.stats.stats, totalIdeas: 200_000 } }
    files = filesOf({ documents: { ...documents, stats } })
    try {
      await opened('search/', async (page) => {
        expect(await page.textContent('label')).toBe('Words in the titles (ideas, the newest first: 20,000 of 200,000)')
        expect(await find(page, 'no such idea')).toEqual([])
        expect(await status(page)).toBe(
          'No title has these words (ideas searched, the newest first: 20,000 of 200,000). Fewer or shorter words find more.',
        )
      })
    } finally {
      files = usual
    }
  })

  test.each(LANGUAGES)('shows each idea as the site writes it: %s', async (language) => {
    const t = speechOf(language)
    await opened(pagePath(language, LANGUAGES, { own: 'search/index' }).replace('index.html', ''), async (page) => {
      const known = async (words: string): Promise<readonly (string | null)[]> => {
        await find(page, words)
        const link = page.locator('search h3 a')
        const address = (await link.count()) > 0 ? await link.first().getAttribute('href') : null
        return [...(await page.locator('search .meta > *').allTextContents()), address]
      }
      const votes = t.count(t.w.trending.votes, 1_234)
      const date = t.say(t.w.new.on, { date: t.date('2026-05-01') })
      expect(await known('ecole')).toEqual([votes, date, 'https://ideas.example/1'])
      expect(await known('lodz')).toEqual([t.count(t.w.trending.votes, 1), 'open', 'https://ideas.example/1'])
      expect(await known('smorrebrod')).toEqual([votes, 'open', date, null])
      expect(await known('gnirts')).toEqual([votes, 'open', date, null])
      expect(await known('onerror')).toEqual([votes, '<b>', date, 'https://ideas.example/1'])
    })
  })

  test.each(['abort', 404, 500] as const)('a file that does not come is said, and asked for again: %s', async (how) => {
    const options = { messages: /Failed to load resource/ }
    await opened(
      'search/',
      async (page) => {
        const { failed, none } = speechOf('en').w.search
        await page.route('**/search/2.json', (route) =>
          how === 'abort' ? route.abort() : route.fulfill({ status: how, body: '{"error":"Not Found"}' }),
        )
        expect(await find(page, 'bench number 55')).toEqual(['Bench number 55'])
        expect(await status(page)).toBe(`Ideas found: 1. Shown: 1, the newest first. ${failed}`)
        expect(await find(page, 'oldest')).toEqual([])
        expect(await status(page)).toBe(failed)
        await page.unroute('**/search/2.json')
        expect(await find(page, 'oldest b')).toEqual(['The oldest bench of all'])
        await find(page, 'zzz')
        expect(await status(page)).toBe(none.replace('{n}', '2,600'))
      },
      options,
    )
  })

  test('hits are there before the next file is, and stay when it comes', async () => {
    await opened('search/', async (page) => {
      let release = (): void => {}
      const held = new Promise<void>((resolve) => (release = resolve))
      await page.route('**/search/2.json', async (route) => {
        await held
        await route.continue()
      })
      await page.fill('#words', 'bench number 55')
      await page.locator('search h3').waitFor()
      expect(await status(page)).toContain('Searching')
      await page.locator('search h3 a').focus()
      release()
      await expect.poll(() => status(page)).not.toContain('…')
      expect(await page.evaluate('document.activeElement.getAttribute("href")')).toBe('https://ideas.example/1')
    })
  })

  test.each(['', 'search/'])('without a script, /%s names where to look', async (at) => {
    await opened(
      at,
      async (page) => {
        expect(await page.locator('#words').isVisible()).toBe(false)
        const remark = page.locator('#search .remark')
        expect(await remark.isVisible()).toBe(true)
        expect(await remark.textContent()).toBe('To look for yourself: ideas.xlsx, ideas.example.')
        const address = await remark.locator('a').first().getAttribute('href')
        expect(new URL(address!, page.url()).pathname).toBe(`${BASE}ideas.xlsx`)
        expect(await remark.locator('a').last().getAttribute('href')).toBe('https://ideas.example/')
      },
      { javaScriptEnabled: false },
    )
  })

  test('with the keyboard alone: to the field, and on to the hits', async () => {
    await opened('search/', async (page) => {
      const focused = (): Promise<string> =>
        page.evaluate('document.activeElement.id || document.activeElement.getAttribute("href") || ""')
      for (let i = 0; i < 40 && (await focused()) !== 'words'; i++) await page.keyboard.press('Tab')
      expect(await focused()).toBe('words')
      expect(await page.locator('#words').getAttribute('autocomplete')).toBe('off')
      await page.keyboard.type('ecole')
      await page.locator('search h3 a').waitFor()
      await page.keyboard.press('Enter')
      await page.keyboard.press('Tab')
      expect(await focused()).toBe('https://ideas.example/1')
    })
  })

  test.each(LANGUAGES)('axe-core finds nothing, and all has room on a phone: %s', async (language) => {
    for (const view of [null, { own: 'search/index' } as const])
      await opened(pagePath(language, LANGUAGES, view).replace('index.html', ''), async (page) => {
        await page.setViewportSize({ width: 320, height: 700 })
        await find(page, 'e')
        expect(await violationsIn(page)).toEqual([])
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320)
        await page.emulateMedia({ colorScheme: 'dark' })
        expect(await violationsIn(page, OF_COLOURS)).toEqual([])
      })
  })
})
