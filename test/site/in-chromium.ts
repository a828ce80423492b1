// Owns the sites of the tests in a browser: their pages as files, and each opened in a Chromium that shows nothing of others.
// Not a test.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { chromium, type Browser, type Page } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import { LANGUAGES } from '../../src/contract/site-paths.ts'
import type { SiteInput } from '../../src/site/page/input.ts'
import { siteFiles } from '../../src/site/site.ts'
import { styleSheet } from '../../src/site/page/style.ts'
import { HOSTILE_SITE, RIGHT_TO_LEFT, SIXTY, WORDS, type SiteSpec } from '../support/site-input.ts'

export const SITES: Readonly<Record<string, SiteSpec>> = {
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

const SCRIPT = /<script type="module"[^>]*><\/script>/

interface Opened {
  /** @returns the addresses of its pages */
  readonly written: (name: string, input: SiteInput) => string[]
  readonly opened: <T>(address: string, width: number, look: (page: Page, said: string[]) => Promise<T>) => Promise<T>
}

/** For the tests of a block. @param bin of Chromium */
export function inChromium(bin: string): Opened {
  const folder = mkdtempSync(join(tmpdir(), 'site-test-'))
  let browser: Browser
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: bin, args: ['--no-sandbox', '--disable-dev-shm-usage'] })
  })
  afterAll(async () => {
    await browser.close()
    rmSync(folder, { recursive: true, force: true })
  })

  function written(name: string, input: SiteInput): string[] {
    const root = join(folder, name)
    const put = (path: string, text: string): void => {
      mkdirSync(dirname(join(root, path)), { recursive: true })
      writeFileSync(join(root, path), text)
    }
    put(input.assets.css, styleSheet(readFileSync('src/site/assets/page.css', 'utf8'), input.words.accent))
    const files = [...siteFiles(input)].sort(
      (a, b) => Number(b.path === 'index.html') - Number(a.path === 'index.html'),
    )
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

  async function opened<T>(
    address: string,
    width: number,
    look: (page: Page, said: string[]) => Promise<T>,
  ): Promise<T> {
    const context = await browser.newContext({ colorScheme: 'light', viewport: { width, height: 900 } })
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

  return { written, opened }
}
