// The pages in a real Chromium: what axe-core finds. browser.test.ts has the rest.
// real test: it starts a browser.
// long test: every rule for every page of eight sites
import { expect, test } from 'vitest'
import { chromiumAvailable } from '../support/chromium.ts'
import { describeWithComponent } from '../support/real-component.ts'
import { siteInput } from '../support/site-input.ts'
import { OF_COLOURS, unfold, violationsIn } from './axe.ts'
import { inChromium, SITES } from './in-chromium.ts'

/** What is special of these is in no page of the documentation. */
const WITHOUT_DOCS = ['empty', 'of one idea', 'without people', 'closed']
const isLookedAt = (name: string, address: string): boolean =>
  !WITHOUT_DOCS.includes(name) || !address.includes('/docs/')

describeWithComponent('the page in Chromium', chromiumAvailable(), (bin) => {
  const { written, opened } = inChromium(bin)

  test.each(Object.entries(SITES))(
    'axe-core finds nothing in a site: %s',
    async (name, spec) => {
      for (const address of written(name, siteInput(spec)).filter((one) => isLookedAt(name, one)))
        await opened(address, 1280, async (page, said) => {
          await unfold(page)
          expect(await violationsIn(page), address).toEqual([])
          // The same page in other colours.
          await page.emulateMedia({ colorScheme: 'dark' })
          expect(await violationsIn(page, OF_COLOURS), `${address}, dark`).toEqual([])
          expect(said).toEqual([])
        })
    },
    180_000,
  )
})
