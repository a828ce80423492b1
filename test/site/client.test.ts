// The pages with their script in a real Chromium, served by the proxy: what they show is what the API answers.
// real test: it builds a release and starts a browser.
// long test: every view in a browser
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { categoryKey } from '../../src/contract/category-name.ts'
import type { CategoriesDocument } from '../../src/contract/kinds/categories.ts'
import type { OutcomesDocument } from '../../src/contract/kinds/outcomes.ts'
import type { StatsDocument } from '../../src/contract/kinds/stats.ts'
import type { TimelineDocument } from '../../src/contract/kinds/timeline.ts'
import type { TrendingDocument } from '../../src/contract/kinds/trending.ts'
import { LANGUAGES, siteKindOf } from '../../src/contract/site-paths.ts'
import { PERIODS, type Period } from '../../src/contract/windows.ts'
import { speechOf } from '../../src/site/page/speech.ts'
import { EMBEDS } from '../../src/site/embeds/embeds.ts'
import { cutTitle } from '../../src/site/page/titles.ts'
import { run } from '../builder/build-program.ts'
import { chromiumAvailable } from '../support/chromium.ts'
import { ask, startProxy, type TestProxy } from '../support/proxy.ts'
import { describeWithComponent } from '../support/real-component.ts'
import { unfold, violationsIn } from './axe.ts'

type Row = Readonly<Record<string, string | null>>

describeWithComponent('the pages and their script', chromiumAvailable(), (bin) => {
  const folder = mkdtempSync(join(tmpdir(), 'client-test-'))
  let [proxy, browser] = [{} as TestProxy, {} as Browser]
  let categories: string[] = []
  beforeAll(async () => {
    const snapshots = join(folder, 'snapshots')
    const ran = await run(['demo', '--snapshots', snapshots, '--languages', LANGUAGES.join()])
    expect(ran.code, ran.stderr).toBe(0)
    proxy = await startProxy({ snapshots, nowMs: () => Date.now() })
    browser = await chromium.launch({ executablePath: bin, args: ['--no-sandbox', '--disable-dev-shm-usage'] })
    const all = await api<CategoriesDocument>('categories?period=all')
    // The largest, the smallest and one of those between.
    categories = [0, Math.floor(all.count / 2), all.count - 1].map((i) => all.categories[i]!.category)
  })
  afterAll(async () => {
    await browser.close()
    await proxy.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  async function api<T>(request: string): Promise<T> {
    const answered = await ask(proxy.port, `/api/${request.startsWith('public') ? '' : 'analytics/'}${request}`)
    expect(answered.status, request).toBe(200)
    return answered.json() as T
  }

  /** A page that says nothing to the console, asks nobody else and not the API, and keeps nothing. */
  async function opened(
    path: string,
    look: (page: Page) => Promise<void>,
    { messages = [], ...options }: BrowserContextOptions & { readonly messages?: readonly RegExp[] } = {},
  ): Promise<void> {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options })
    const page = await context.newPage()
    const wrong: string[] = []
    page.on('console', (message) => {
      if (!messages.some((one) => one.test(message.text()))) wrong.push(message.text())
    })
    page.on('pageerror', (error) => wrong.push(error.message))
    page.on('request', (request) => {
      const { origin, pathname } = new URL(request.url())
      if (origin !== proxy.base || pathname.startsWith('/api')) wrong.push(`asks ${request.url()}`)
    })
    try {
      await page.goto(proxy.base + path)
      if (!path.startsWith('/docs/')) await page.locator('body[data-live]').waitFor()
      await look(page)
      expect(wrong).toEqual([])
      expect(await context.cookies()).toEqual([])
      expect(await page.evaluate('localStorage.length + sessionStorage.length')).toBe(0)
    } finally {
      await context.close()
    }
  }

  const inNumbers = (text: string): number | null => {
    const digits = text.replaceAll(/[^\d.]/g, '')
    return digits === '' ? null : Number(digits)
  }
  /** In percent, or as the digits of `2 of 5`. */
  const shareOf = (part: number, whole: number, rounded = Math.round): number =>
    whole >= 30 ? rounded((1_000 * part) / whole) / 10 : Number(`${part}${whole}`)
  /** What is at least so much is rounded down. */
  const firstYearOf = ({ ideas, launched, launchedUndated }: OutcomesDocument['firstYear']): number =>
    shareOf(launched, ideas, launchedUndated > 0 ? Math.floor : Math.round)
  /** The cells of a table but those of the first column. */
  const numbersOf = async (page: Page, id: string): Promise<(number | null)[][]> => {
    const rows = await page.evaluate<string[][]>(
      `[...document.querySelectorAll('#${id} tbody tr')].map((row) => [...row.querySelectorAll('td')].map((cell) => cell.textContent))`,
    )
    return rows.map((cells) => cells.map(inNumbers))
  }
  const textsOf = (page: Page, selector: string): Promise<string[]> => page.locator(selector).allTextContents()

  async function expectActivity(page: Page, period: Period, category: string | null): Promise<void> {
    const of = category === null ? '' : `&category=${encodeURIComponent(category)}`
    const { buckets } = await api<TimelineDocument>(`timeline?period=${period}${of}`)
    const rows = buckets.map((bucket) => [bucket.votes, bucket.comments, bucket.ideas, bucket.launchedIdeas])
    expect(await numbersOf(page, 'activity-table')).toEqual(rows.reverse())
    // The window cuts its first and its last bucket, but of all months only the last one.
    const votes = buckets.slice(period === 'all' ? 0 : 1, -1).map((bucket) => bucket.votes)
    const [finding = ''] = await textsOf(page, '#activity figcaption p')
    const peak = /^Highest whole (?:hour|day|month): ([\d,]+)/.exec(finding)?.[1]
    if (peak !== undefined) expect(inNumbers(peak)).toBe(Math.max(...votes))
  }

  async function expectTrending(page: Page, period: Period, category: string | null): Promise<void> {
    const of = category === null ? '' : `&category=${encodeURIComponent(category)}`
    const bounded = period === 'all' ? '90d' : period
    const { ideas } = await api<TrendingDocument>(`trending?period=${bounded}${of}`)
    expect(await textsOf(page, '#trending .idea h3')).toEqual(
      ideas.slice(0, 20).map(({ title }) => cutTitle(title) || '(no title)'),
    )
    const figures = await textsOf(page, '#trending .figure')
    expect(figures.map(inNumbers)).toEqual(ideas.slice(0, 20).flatMap(({ votes, comments }) => [votes, comments]))
  }

  async function expectCategories(page: Page, period: Period): Promise<void> {
    const document = await api<CategoriesDocument>(`categories?period=${period}`)
    const rows = document.categories.slice(0, 20).map((row) => {
      const counts = [row.votes, row.comments, row.launchedIdeas]
      if (period === 'all') return [row.ideas, ...counts, shareOf(row.launchedIdeas, row.ideas)]
      const before = row.previousIdeas ?? 0
      return [row.ideas, before, Math.abs(row.ideas - before), ...counts]
    })
    expect(await numbersOf(page, 'categories-table')).toEqual(rows)
  }

  async function expectOutcomes(page: Page, category: string | null): Promise<void> {
    const of = category === null ? '' : `?category=${encodeURIComponent(category)}`
    const { statuses, cohorts, launched, firstYear, years } = await api<OutcomesDocument>(`outcomes${of}`)
    const { stats } = await api<StatsDocument>('public/stats')
    const { categories: all } = await api<CategoriesDocument>('categories?period=all')
    const row = all.find((one) => one.category === category)
    const facts = await textsOf(page, '#outcomes .facts li')
    const whole = row?.ideas ?? stats.totalIdeas
    const [lead = ''] = await textsOf(page, '#outcomes .intro p')
    expect(lead.replaceAll(',', '')).toContain(`Launched ideas: ${launched.ideas} of ${whole}.`)
    // Each launch without a date may have been in the first year.
    const atLeast = firstYear.launchedUndated > 0 ? '≥\u00A0' : ''
    const share = firstYearOf(firstYear)
    if (firstYear.ideas >= 30) expect(facts[0]).toMatch(new RegExp(`^Launched within a year${atLeast}${share}%`))
    expect(facts[0]!.replaceAll(',', '')).toContain(`${firstYear.launched} of ${firstYear.ideas}`)
    const { buckets } = await api<TimelineDocument>(`timeline?period=all&${of.slice(1)}`)
    const byYear = years.toReversed().map(({ year, ideas, activeUsers, firstYear: first }) => {
      const months = buckets.filter(({ bucket }) => bucket.slice(0, 4) === year.slice(0, 4))
      const sum = (key: 'votes' | 'comments' | 'launchedIdeas') => months.reduce((some, month) => some + month[key], 0)
      const { ideas: old, launchedUndated } = first
      const ofOld = old === 0 ? [0, null, null] : [old, firstYearOf(first), launchedUndated]
      const people = category === null ? [activeUsers] : []
      const own = cohorts.filter(({ month }) => month?.slice(0, 4) === year.slice(0, 4))
      const quick = own.reduce<number | null>(
        (n, { launchedWithin90Days: more }) => (n === null || more === null ? null : n + more),
        0,
      )
      return [ideas, sum('votes'), sum('comments'), sum('launchedIdeas'), ...people, ...ofOld, quick]
    })
    const hasQuick = byYear.some((cells) => cells.at(-1) !== null)
    // All but the median.
    const shownYears = (await numbersOf(page, 'years-table')).map((cells) => cells.toSpliced(hasQuick ? -2 : -1, 1))
    expect(shownYears).toEqual(byYear.map((cells) => (hasQuick ? cells : cells.slice(0, -1))))
    const shares = statuses.map(({ notLaunched, ...one }) => {
      const counts = [one.ideas, shareOf(one.ideas, whole), one.votes, one.comments]
      return [...counts, notLaunched.ideas, notLaunched.yearOld, notLaunched.medianAgeDays]
    })
    expect(await numbersOf(page, 'statuses-table')).toEqual(shares.slice(0, 20))
    const months = cohorts.filter(({ month }) => month !== null).slice(-36)
    const shown = [...cohorts.filter(({ month }) => month === null), ...months.reverse()].map((one) => [
      one.ideas,
      one.votedIdeas,
      one.discussedIdeas,
      one.launchedIdeas,
      one.knownWithin365Days,
      one.launchedUndated,
    ])
    expect(await numbersOf(page, 'cohorts-table')).toEqual(shown)
  }

  test.each(PERIODS)('what the page of %s shows is what the API answers', async (period) => {
    await opened(`/period/${period}/`, async (page) => {
      await expectActivity(page, period, null)
      await expectTrending(page, period, null)
      await expectCategories(page, period)
      await expectOutcomes(page, null)
    })
  })

  test('what the pages of three categories show is what the API answers', async () => {
    for (const category of categories)
      await opened(`/category/${categoryKey(category)}/`, async (page) => {
        await expectActivity(page, 'all', category)
        await expectTrending(page, '90d', category)
        await expectOutcomes(page, category)
        const rows = await Promise.all(
          PERIODS.map(async (period) => {
            const { categories: all } = await api<CategoriesDocument>(`categories?period=${period}`)
            const row = all.find((one) => one.category === category)!
            return [row.ideas, row.votes, row.comments, row.launchedIdeas]
          }),
        )
        expect(await numbersOf(page, 'periods-table')).toEqual(rows)
        const { data } = await api<{ data: Row[] }>('export?type=ideas&period=all')
        const own = data.filter((row) => (row['category'] || 'Uncategorized').split('; ').includes(category))
        const launched = own
          .filter((row) => row['launchedAt'] !== null)
          .sort((a, b) => (a['launchedAt']! < b['launchedAt']! ? 1 : -1))
        expect(await textsOf(page, '#launched h3')).toEqual(
          launched.slice(0, 50).map((row) => cutTitle(row['title']!) || '(no title)'),
        )
      })
  })

  test.each(LANGUAGES.slice(1))(
    'a page in %s finds its files, speaks its language, and leads to the same in others',
    async (language) => {
      const key = categoryKey(categories[0]!)
      await opened(`/${language}/category/${key}/`, async (page) => {
        await page.locator('nav.views a', { hasText: speechOf(language).w.activity.byCategory }).waitFor()
        await page.getByRole('link', { name: 'English' }).click()
        await page.waitForURL((url) => url.pathname === `/category/${key}/index.html`)
      })
    },
  )

  test('a chart shows its values under the pointer and at the keys, after sorting too', async () => {
    await opened('/period/30d/', async (page) => {
      const { buckets } = await api<TimelineDocument>('timeline?period=30d')
      const chart = page.locator('[data-chart="activity-table/1"]')
      await page.locator('#activity summary').click()
      await page.locator('#activity-table button', { hasText: 'Votes' }).click()
      await chart.scrollIntoViewIfNeeded()
      const { width, height } = (await chart.boundingBox())!
      for (const i of [0, 7, buckets.length - 1]) {
        await chart.hover({ position: { x: ((i + 0.5) / buckets.length) * width, y: height / 2 } })
        expect(inNumbers((await page.locator('.tip b').textContent())!)).toBe(buckets[i]!.votes)
      }
      await page.mouse.move(0, 0)
      await page.locator('.tip').waitFor({ state: 'hidden' })
      await chart.focus()
      for (const [key, i] of [
        ['End', -1],
        ['ArrowLeft', -2],
        ['Home', 0],
        ['ArrowLeft', 0],
        ['ArrowRight', 1],
      ] as const) {
        await page.keyboard.press(key)
        expect(inNumbers((await page.locator('.tip b').textContent())!)).toBe(buckets.at(i)!.votes)
        expect(await page.locator('[data-tip-said]').textContent()).toContain(
          `Votes ${buckets.at(i)!.votes.toLocaleString('en')}`,
        )
      }
      await page.keyboard.press('Escape')
      await page.locator('.tip').waitFor({ state: 'hidden' })
    })
  })

  test('a table is sorted by each column, by keyboard, both ways', async () => {
    await opened('/', async (page) => {
      const built = await numbersOf(page, 'categories-table')
      const button = page.locator('#categories-table thead button').nth(1)
      await button.focus()
      await page.keyboard.press('Enter')
      const head = page.locator('#categories-table thead th').nth(1)
      expect(await head.getAttribute('aria-sort')).toBe('descending')
      const ideas = async (): Promise<number[]> => (await numbersOf(page, 'categories-table')).map(([n]) => n!)
      expect(await ideas()).toEqual(built.map(([n]) => n!).sort((a, b) => b - a))
      await page.keyboard.press('Enter')
      expect(await head.getAttribute('aria-sort')).toBe('ascending')
      expect(await ideas()).toEqual(built.map(([n]) => n!).sort((a, b) => a - b))
      await page.locator('#categories-table thead button').first().click()
      const names = await textsOf(page, '#categories-table tbody th')
      expect(names).toEqual([...names].sort((a, b) => a.localeCompare(b, 'en')))
      expect(await page.locator('#categories-table [aria-sort]').count()).toBe(1)
    })
  })

  test('the address of what is shown is copied, and the lines that embed it', async () => {
    await opened(
      '/fr/period/24h/',
      async (page) => {
        const copied = (): Promise<string> => page.evaluate('navigator.clipboard.readText()')
        await page.locator('#trending [data-copy]').click()
        await page.locator('#trending .sources [role="status"]', { hasText: 'Copié' }).waitFor()
        expect(await copied()).toBe(`${proxy.base}/analytics/trending/24h/all.json`)
        const button = page.locator('#trending [data-embed]')
        expect(await button.textContent()).toBe('Intégrer à votre page')
        await button.focus()
        await page.keyboard.press('Enter')
        const dialog = page.getByRole('dialog')
        await dialog.waitFor()
        await dialog.getByRole('button', { name: 'Copier' }).focus()
        await page.keyboard.press('Enter')
        await dialog.getByText('Copié').waitFor()
        expect(await copied()).toMatch(
          new RegExp(
            `^<iframe src="${proxy.base}/fr/embed/trending.html" title="[^"<]+" [^<]*height="${EMBEDS.trending.height}" [^<]*sandbox="[^"]*"></iframe>$`,
          ),
        )
        await page.keyboard.press('Escape')
        await dialog.waitFor({ state: 'detached' })
        expect(await button.evaluate((element) => element === element.ownerDocument.activeElement)).toBe(true)
      },
      { permissions: ['clipboard-read', 'clipboard-write'] },
    )
  })

  test('the tables are there for Excel', async () => {
    await opened('/fr/', async (page) => {
      for (const name of ['ideas.xlsx', 'tables.xlsx']) {
        const link = page.locator(`#downloads a[href$="/${name}"]`)
        const path = new URL((await link.getAttribute('href'))!, page.url()).pathname
        const { status, headers, body } = await ask(proxy.port, path)
        expect([status, headers['content-type'], headers['content-encoding']], path).toEqual([
          200,
          siteKindOf(name)?.type,
          undefined,
        ])
        expect(body.subarray(0, 2).toString()).toBe('PK')
      }
    })
  })

  test.each(['light', 'dark'] as const)(
    'axe-core finds nothing after all of it: %s',
    async (colorScheme) => {
      await opened(
        `/category/${categoryKey(categories[0]!)}/`,
        async (page) => {
          await unfold(page)
          await page.locator('#cohorts-table thead button').nth(4).click()
          await page.locator('#activity [data-copy]').click()
          await page.locator('[data-chart^="cohorts-table"]').hover()
          expect(await violationsIn(page)).toEqual([])
        },
        { colorScheme },
      )
    },
    120_000,
  )

  test('a page whose numbers are overdue says so, and one that is not does not', async () => {
    await opened('/', async (page) => {
      const late = page.locator('.late')
      expect(await late.isVisible()).toBe(false)
      const due = Date.parse((await page.locator('body').getAttribute('data-next-update-at'))!)
      await page.clock.setFixedTime(due + 59_000)
      await page.reload()
      expect(await late.isVisible()).toBe(false)
      await page.clock.setFixedTime(due + 61_000)
      await page.reload()
      expect(await late.isVisible()).toBe(true)
    })
  })

  test.each([
    ['/', 6],
    ['/de/period/30d/', 6],
    [`/category/`, 5],
  ] as const)(
    'printed, %s is at most %i pages of A4, with what is folded, without what only a screen needs',
    async (path, most) => {
      await opened(path === '/category/' ? `${path}${categoryKey(categories[0]!)}/` : path, async (page) => {
        const pdf = await page.pdf({ format: 'A4' })
        expect(pdf.toString('latin1').match(/\/Type \/Page\b/g)!.length).toBeLessThanOrEqual(most)
        await page.emulateMedia({ media: 'print' })
        for (const selector of ['#downloads', '#search', '#new', 'nav', '.sources', 'pre', 'summary', '.live'])
          for (const found of await page.locator(selector).all()) expect(await found.isVisible(), selector).toBe(false)
        const folded = await page.locator('main > section:not(#downloads, #share) details table').all()
        expect(folded.length).toBeGreaterThan(1)
        for (const table of folded) {
          expect(await table.isVisible()).toBe(true)
          expect(await table.evaluate((one) => one.scrollWidth <= one.closest('section')!.clientWidth)).toBe(true)
        }
        // Chromium repeats no head with a button in it.
        expect(
          await page
            .locator('thead .sort')
            .first()
            .evaluate((head) => getComputedStyle(head).display),
        ).toBe('contents')
      })
    },
  )

  test('a first visit loads at most 40 KB in 5 requests, and nothing moves while it starts', async () => {
    // Nothing in a cache, and what every browser understands.
    const context = await browser.newContext({ extraHTTPHeaders: { 'Accept-Encoding': 'gzip' } })
    try {
      const page = await context.newPage()
      const sizes: Promise<number>[] = []
      page.on('requestfinished', (request) =>
        sizes.push(request.sizes().then(({ responseBodySize }) => responseBodySize)),
      )
      await page.addInitScript(
        'shifts = 0; new PerformanceObserver((list) => { for (const entry of list.getEntries()) shifts += entry.value }).observe({ type: "layout-shift", buffered: true })',
      )
      await page.goto(`${proxy.base}/`)
      await page.locator('body[data-live]').waitFor()
      await page.waitForLoadState('networkidle')
      const loaded = (await Promise.all(sizes)).reduce((sum, n) => sum + n, 0)
      expect(loaded).toBeGreaterThan(20 << 10)
      expect(loaded).toBeLessThanOrEqual(40_000)
      expect(sizes.length).toBeLessThanOrEqual(5)
      expect(await page.evaluate('shifts')).toBe(0)
    } finally {
      await context.close()
    }
  })
})
