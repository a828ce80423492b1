// Owns the HTML around what other pages show in a frame: one file without script, with one style element that its policy
// allows by its hash. Knows no numbers.
import { createHash } from 'node:crypto'
import { html, markup, type Content } from '../page/html.ts'
import type { SiteInput } from '../page/input.ts'
import { timeElement, type Page } from '../page/page.ts'
import { cutTitle } from '../page/titles.ts'

const MAX_SITE = 60
const MAX_SITE_UNITS = 120

/** Titles and categories have so many lines and not more, so that the height of a frame can be known: embeds.ts. */
const STYLE = `:root{color-scheme:light dark;--text:#1b1b1b;--soft:#555;--line:#ccc;--link:#0b4f9e;--back:#fff}
@media (prefers-color-scheme:dark){:root{--text:#f0f0f0;--soft:#b5b5b5;--line:#555;--link:#8ec1ff;--back:#161616}}
*{box-sizing:border-box}
body{display:flex;flex-direction:column;min-height:100vh;font:15px/1.45 system-ui,sans-serif;margin:0;padding:.75rem 1rem;color:var(--text);background:var(--back)}
h1{font-size:1rem;margin:0 0 .5rem;overflow-wrap:anywhere}a{color:var(--link)}
dl{display:grid;grid-template-columns:repeat(2,minmax(0,1fr));gap:.5rem 1rem;margin:0}
dl div{border-top:1px solid var(--line);padding-top:.3rem}
dd{margin:0;overflow-wrap:anywhere}dd.n{font-size:1.25rem;font-weight:600;font-variant-numeric:tabular-nums}
dt,.soft,footer{color:var(--soft);font-size:.85rem}
ol{margin:0;padding-inline-start:1.4rem}li{margin:.15rem 0;overflow-wrap:anywhere}
h1,li>.title{display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:2;overflow:hidden}
li>.soft{display:flex;gap:.3em;white-space:nowrap}li>.soft bdi{overflow:hidden;text-overflow:ellipsis}li a:focus-visible{outline-offset:-2px}
main{flex:1;display:flex;flex-direction:column}main>:last-child{flex:1;align-content:space-evenly}ol{display:grid;grid-template-columns:minmax(0,1fr)}footer{margin-top:.7rem}p{margin:0 0 .4rem}
`

const POLICY = `default-src 'none'; img-src data:; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; base-uri 'none'; form-action 'none'`

/** The site's name, cut for where room is small. */
export function shortSiteName({ words }: SiteInput): string {
  return cutTitle(words.title, MAX_SITE, MAX_SITE_UNITS)
}

/** A link that opens a new tab, which in a sandbox needs `allow-popups`: a frame is no place for a page. */
export function newTab(address: string, content: Content): Content {
  return html`<a href="${address}" target="_blank" rel="noopener noreferrer">${content}</a>`
}

/** @param home the page behind it, by its name: a copied folder has no index files */
export function embedPage(page: Page, title: string, content: Content, home = '../index.html'): string {
  const { input, t } = page
  const w = t.w.page
  const asOf = t.put(w.asOf, { time: timeElement(page, input.dataAsOf) })
  return html`<!doctype html>
<html lang="${t.language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="robots" content="noindex">
<link rel="icon" href="data:,">
<title>${title}</title>
<style>${markup(STYLE)}</style>
</head>
<body>
<main>
<h1>${title}</h1>
${input.demo && html`<p class="soft">${w.demo}</p>\n`}${input.closed ? html`<p>${w.closed}</p>` : content}
</main>
<footer>${asOf} ${newTab(home, t.w.elsewhere.all)}</footer>
</body>
</html>
`.text
}
