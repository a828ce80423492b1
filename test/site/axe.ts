// Owns what axe-core finds in a page of Chromium.
import axe from 'axe-core'
import type { Page } from 'playwright-core'

/** All that is folded is opened: it is a part of the page. */
export const unfold = (page: Page): Promise<void> =>
  page.evaluate("for (const fold of document.querySelectorAll('details')) fold.open = true")

/** Those to which a colour matters. */
export const OF_COLOURS = ['color-contrast', 'link-in-text-block']

/** Rules of WCAG 2.2 AA that axe-core leaves out unless they are asked for. */
const ALSO = Object.fromEntries(axe.getRules(['wcag22aa']).map(({ ruleId }) => [ruleId, { enabled: true }]))

/** @param rules none: all of them */
export async function violationsIn(page: Page, rules: readonly string[] = []): Promise<string[]> {
  await page.evaluate(`globalThis.axe ?? (() => { ${axe.source} })()`)
  const options = {
    preload: false,
    resultTypes: ['violations'],
    ...(rules.length === 0 ? { rules: ALSO } : { runOnly: rules }),
  }
  const { violations } = await page.evaluate<axe.AxeResults>(`axe.run(${JSON.stringify(options)})`)
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' ')}`)
}
