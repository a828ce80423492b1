// The pages in a real Chromium: what axe-core finds, what overflows, what is asked of whom.
// real test: it starts a browser.
// long test: a browser for each case
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { chromium, type Browser, type Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { LANGUAGES } from '../../src/contract/site-paths.ts'
import type { SiteInput } from '../../src/site/input.ts'
import { siteFiles } from '../../src/site/site.ts'
import { styleSheet } from '../../src/site/style.ts'
import { chromiumAvailable } from '../support/chromium.ts'
import { describeWithComponent } from '../support/real-component.ts'
import { unfold, violationsIn } from './axe.ts'
import { HOSTILE_SITE, RIGHT_TO_LEFT, siteInput, SIXTY, WORDS, type SiteSpec } from '../support/site-input.ts'

const SITES: Readonly<Record<string, SiteSpec>> = {
  usual: {
    languages: LANGUAGES,
    words: { ...WORDS, logo: null },
    demo: true,
    siteUrl: 'https://ideas.example/',
  },
  empty: { ideas: 0 },
  'of one idea': { ideas: 1, days: 2 },
  'of long names': { ideas: 300, names: SIXTY },
  hostile: HOSTILE_SITE,
  'right to left': RIGHT_TO_LEFT,
  'without people': { people: 'off' },
  closed: { closed: true },
}

const folder = mkdtempSync(join(tmpdir(), 'site-test-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const SCRIPT = /<script type="module"[^>]*><\/script>/

/** @returns the addresses of its pages */
function written(name: string, input: SiteInput): string[] {
  const root = join(folder, name)
  const put = (path: string, text: string): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  put(input.assets.css, styleSheet(readFileSync('src/site/assets/page.css', 'utf8'), input.words.accent))
  const files = [...siteFiles(input)].sort((a, b) => Number(b.path === 'index.html') - Number(a.path === 'index.html'))
  // Without the script of the page, which no browser loads from a file: client.test.ts has it.
  for (const { path, text } of files) put(path, text.replace(SCRIPT, ''))
  // 404.html finds its style sheet from the root of a server only.
  const all = files.filter(({ path }) => path.endsWith('.html') && path !== '404.html')
  // Those of the other periods and categories are made alike.
  const category = all.find(({ path }) => path.startsWith('category/'))?.path
  const pages = all.filter(
    ({ path }) => !/\b(?:period|category)\//.test(path) || path === 'period/24h/index.html' || path === category,
  )
  return pages.map(({ path }) => `file://${join(root, path)}`)
}

describeWithComponent('the page in Chromium', chromiumAvailable(), (bin) => {
  let browser: Browser
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: bin, args: ['--no-sandbox', '--disable-dev-shm-usage'] })
  })
  afterAll(() => browser.close())

  async function opened<T>(
    address: string,
    colorScheme: 'light' | 'dark',
    width: number,
    look: (page: Page, said: string[]) => Promise<T>,
  ): Promise<T> {
    const context = await browser.newContext({ colorScheme, viewport: { width, height: 900 } })
    const page = await context.newPage()
    const said: string[] = []
    page.on('console', (message) => said.push(message.text()))
    page.on('request', (request) =>
      said.push(...(request.url().startsWith(`file://${folder}/`) ? [] : [`asks ${request.url()}`])),
    )
    try {
      await page.goto(address)
      return await look(page, said)
    } finally {
      await context.close()
    }
  }

  test.each(Object.entries(SITES))(
    'axe-core finds nothing in a site: %s',
    async (name, spec) => {
      for (const address of written(name, siteInput(spec)))
        for (const theme of ['light', 'dark'] as const)
          await opened(address, theme, 1280, async (page, said) => {
            await unfold(page)
            expect(await violationsIn(page)).toEqual([])
            expect(said).toEqual([])
          })
    },
    180_000,
  )

  test.each(['usual', 'of long names', 'hostile', 'right to left'])(
    'nothing is wider than the window in a site: %s',
    async (name) => {
      for (const address of written(name, siteInput(SITES[name])))
        await opened(address, 'light', 1920, async (page) => {
          await unfold(page)
          for (const width of [1920, 1280, 820, 390, 320]) {
            await page.setViewportSize({ width, height: 900 })
            expect(await page.evaluate('document.documentElement.scrollWidth'), address).toBe(width)
          }
        })
    },
  )

  test.each([999_999, 1_234_567, 888_888_888])('no digit of %i is cut in a tile, from 320 px to 4 K', async (total) => {
    const input = siteInput()
    const { stats } = input.documents.stats
    const totals = {
      totalIdeas: total,
      totalVotes: total,
      totalComments: total,
      launchedIdeas: total,
      totalUsers: total,
    }
    const documents = { ...input.documents, stats: { ...input.documents.stats, stats: { ...stats, ...totals } } }
    const [address = ''] = written(`digits-${total}`, { ...input, documents })
    await opened(address, 'light', 1280, async (page) => {
      for (const family of ['', 'Verdana, "DejaVu Sans", sans-serif'])
        for (const width of [320, 375, 430, 600, 820, 1024, 1200, 1440, 1920, 3840]) {
          await page.setViewportSize({ width, height: 900 })
          const cut = await page.evaluate(
            `document.body.style.fontFamily = '${family}'
            ;[...document.querySelectorAll('.tiles .big')].filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent)`,
          )
          expect(cut, `${width} px ${family}`).toEqual([])
        }
    })
  })

  test('what a stranger wrote is never run', async () => {
    const [address = ''] = written('run', siteInput(HOSTILE_SITE))
    await opened(address, 'light', 1280, async (page) => {
      let asked = false
      page.on('dialog', (dialog) => {
        asked = true
        void dialog.dismiss()
      })
      expect(await page.locator('script:not([type="application/json"]), iframe, object, h3 img, h3 b').count()).toBe(0)
      expect(await page.getByText('<b>bold</b>').count()).toBeGreaterThan(0)
      expect(asked).toBe(false)
    })
  })

  test('the first key leads past the head, and every link can be reached', async () => {
    const [address = ''] = written('keys', siteInput(SITES['usual']))
    await opened(address, 'light', 1280, async (page) => {
      await page.keyboard.press('Tab')
      expect(await page.evaluate('document.activeElement.getAttribute("href")')).toBe('#main')
      const links = await page.locator('a, summary, [tabindex="0"]').count()
      const seen = new Set<string>()
      for (let i = 0; i <= links; i++) {
        seen.add(await page.evaluate('document.activeElement.outerHTML'))
        await page.keyboard.press('Tab')
      }
      expect(seen.size).toBeGreaterThan(20)
    })
  })
})
