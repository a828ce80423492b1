// The pages in a real Chromium: what overflows, what is run, what the keys reach. axe.test.ts has what axe-core finds.
// real test: it starts a browser.
// long test: a browser for each case
import { expect, test } from 'vitest'
import { LANGUAGES } from '../../src/contract/site-paths.ts'
import { chromiumAvailable } from '../support/chromium.ts'
import { describeWithComponent } from '../support/real-component.ts'
import { HOSTILE_SITE, siteInput } from '../support/site-input.ts'
import { unfold } from './axe.ts'
import { inChromium, SITES } from './in-chromium.ts'

describeWithComponent('the page in Chromium', chromiumAvailable(), (bin) => {
  const { written, opened } = inChromium(bin)

  test.each(['usual', 'of long names', 'hostile', 'right to left'])(
    'nothing is wider than the window in a site: %s',
    async (name) => {
      for (const address of written(name, siteInput(SITES[name])))
        await opened(address, 1920, async (page) => {
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
    await opened(address, 1280, async (page) => {
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

  test.each(LANGUAGES)('no word is cut in a tile of people who are not published (%s)', async (language) => {
    const [address = ''] = written(`words-${language}`, siteInput({ people: 'off', languages: [language] }))
    await opened(address, 1280, async (page) => {
      for (const width of [320, 390, 820, 1024, 1120, 1280, 1920]) {
        await page.setViewportSize({ width, height: 900 })
        const cut = await page.evaluate(`[...document.querySelectorAll('.tiles .big')].flatMap(({ firstChild: text }) =>
          [...text.data.matchAll(/\\S+/g)].filter(({ 0: word, index }) => {
            const range = new Range()
            range.setStart(text, index)
            range.setEnd(text, index + word.length)
            return range.getClientRects().length > 1
          }).map(String))`)
        expect(cut, `${width} px`).toEqual([])
      }
    })
  })

  test('what a stranger wrote is never run', async () => {
    const [address = ''] = written('run', siteInput(HOSTILE_SITE))
    await opened(address, 1280, async (page) => {
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
    await opened(address, 1280, async (page) => {
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
