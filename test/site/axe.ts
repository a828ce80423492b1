// Owns what axe-core finds in a page of Chromium.
import axe from 'axe-core'
import type { Page } from 'playwright-core'

/** All that is folded is opened: it is a part of the page. */
export const unfold = (page: Page): Promise<void> =>
  page.evaluate("for (const fold of document.querySelectorAll('details')) fold.open = true")

export async function violationsIn(page: Page): Promise<string[]> {
  await page.evaluate(axe.source)
  const { violations } = await page.evaluate<axe.AxeResults>('axe.run({ preload: false, resultTypes: ["violations"] })')
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' ')}`)
}
