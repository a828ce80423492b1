// Owns where each embed is, how high its frame must be, and the lines that show it in another page. Pure.
import { html } from '../html.ts'

/**
 * The height is that of the longest content in a frame of 320 CSS pixels, in any language: a wider frame needs less.
 * A browser measures it in test/site/shared/embeds-in-chromium.test.ts.
 */
export const EMBEDS = {
  totals: { path: 'embed/totals.html', height: 440 },
  trending: { path: 'embed/trending.html', height: 540 },
} as const
export type EmbedName = keyof typeof EMBEDS

/** @param address may be relative to the page that shows the lines */
export function embedLines(name: EmbedName, address: string, title: string): string {
  return html`<iframe src="${address}" title="${title}" width="100%" height="${EMBEDS[name].height}" loading="lazy" sandbox="allow-popups allow-popups-to-escape-sandbox"></iframe>`
    .text
}
