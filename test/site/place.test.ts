// src/site/client/place.ts, copying.ts: what stays where it is on a phone, and what can be copied to elsewhere, in a real Chromium.
// real test: it builds a release and starts a browser.
// long test: a browser for each case
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Browser, type Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { run } from '../builder/build-program.ts'
import { chromiumAvailable } from '../support/chromium.ts'
import { ask, startProxy, type TestProxy } from '../support/proxy.ts'
import { describeWithComponent } from '../support/real-component.ts'

const PHONE = { viewport: { width: 375, height: 800 }, hasTouch: true, isMobile: true }

describeWithComponent('the page on a phone', chromiumAvailable(), (bin) => {
  const folder = mkdtempSync(join(tmpdir(), 'place-test-'))
  let [proxy, browser] = [{} as TestProxy, {} as Browser]
  beforeAll(async () => {
    const snapshots = join(folder, 'snapshots')
    const ran = await run(['demo', '--snapshots', snapshots, '--languages', 'en,de'])
    expect(ran.code, ran.stderr).toBe(0)
    proxy = await startProxy({ snapshots, nowMs: () => Date.now() })
    browser = await chromium.launch({ executablePath: bin, args: ['--no-sandbox', '--disable-dev-shm-usage'] })
  })
  afterAll(async () => {
    await browser.close()
    await proxy.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  async function opened(path: string, look: (page: Page) => Promise<void>, options: object = PHONE): Promise<void> {
    const context = await browser.newContext(options)
    try {
      const page = await context.newPage()
      await page.goto(proxy.base + path)
      await look(page)
    } finally {
      await context.close()
    }
  }

  const topOf = (page: Page, selector: string): Promise<number> =>
    page.evaluate<number>(`document.querySelector('${selector}').getBoundingClientRect().top`)
  const chosen = async (page: Page, period: string): Promise<void> => {
    // Not by playwright's own choice, which scrolls to the field first.
    await page.evaluate(`{
      const field = document.querySelector('[data-pick="period"]')
      field.value = '${period}'
      field.dispatchEvent(new Event('change'))
    }`)
    await page.locator(`#activity[data-period="${period}"]`).waitFor({ state: 'attached' })
    await page.locator('[data-said]', { hasText: 'The numbers are shown' }).waitFor({ state: 'attached' })
  }

  test.each(['[data-pickers]', '#trending h2', '#categories h2', '#outcomes h2', '#downloads h2'])(
    'a choice leaves %s where it is, whatever becomes longer or shorter above',
    async (looked) => {
      await opened('/', async (page) => {
        await page.locator('body[data-live]').waitFor()
        const heights = new Set<number>()
        for (const period of ['24h', 'all', '7d']) {
          await page.evaluate(`scrollBy({ top: document.querySelector('${looked}').getBoundingClientRect().top - 90 })`)
          const before = await topOf(page, looked)
          await chosen(page, period)
          expect(Math.abs((await topOf(page, looked)) - before), period).toBeLessThanOrEqual(2)
          heights.add((await topOf(page, '#downloads')) - (await topOf(page, '#activity')))
        }
        expect(heights.size).toBeGreaterThan(1)
      })
    },
  )

  test.each(['/', '/?period=all', '/?period=24h', '/de/?period=all'])(
    'a jump into %s lands with its heading in view, also when sections above are drawn afterwards',
    async (path) => {
      for (const id of ['downloads', 'share', 'counting'])
        await opened(`${path}#${id}`, async (page) => {
          const period = new URL(page.url()).searchParams.get('period')
          if (period !== null) await page.locator(`#activity[data-period="${period}"]`).waitFor({ state: 'attached' })
          await page.waitForLoadState('networkidle')
          const top = await topOf(page, id === 'share' ? '#share' : `#${id} h2`)
          expect(top, id).toBeGreaterThanOrEqual(0)
          expect(top, id).toBeLessThan(100)
        })
    },
  )

  test.each(['/', '/de/'])('every line to copy in %s has whole addresses, which lead to files', async (path) => {
    await opened(path, async (page) => {
      await page.locator('body[data-live]').waitFor()
      expect(await page.locator('.unfilled').isVisible()).toBe(false)
      const lines = (await page.locator('#share ~ pre code').allTextContents()).join('\n')
      const addresses = [...lines.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, address = '']) => address)
      expect(addresses).toHaveLength(3)
      for (const address of addresses) {
        expect(address.startsWith(`${proxy.base}/`), address).toBe(true)
        expect((await ask(proxy.port, address.slice(proxy.base.length))).status, address).toBe(200)
      }
    })
  })

  test('without a script the lines say what is missing', async () => {
    await opened(
      '/',
      async (page) => {
        expect(await page.locator('.unfilled').isVisible()).toBe(true)
      },
      { ...PHONE, javaScriptEnabled: false },
    )
  })

  test('the dialog leads to the badge', async () => {
    await opened('/', async (page) => {
      await page.locator('body[data-live]').waitFor()
      await page.locator('#trending [data-embed]').click()
      await page.getByRole('dialog').getByRole('link', { name: 'A badge and other embeds' }).click()
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await expect.poll(() => topOf(page, '#share')).toBeLessThan(100)
      expect(await topOf(page, '#share')).toBeGreaterThanOrEqual(0)
    })
  })
})
