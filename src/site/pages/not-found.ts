// Owns 404.html. It answers at any depth of addresses, so its links begin at the root of the site. Pure.
import { html } from '../page/html.ts'
import type { SiteInput } from '../page/input.ts'
import { layout } from '../page/layout.ts'
import { pageOf } from '../page/page.ts'

export function notFoundPage(input: SiteInput): string {
  const root = input.publicUrl === null ? '/' : `${new URL(input.publicUrl).pathname.replace(/\/$/, '')}/`
  const page = { ...pageOf(input), root }
  const w = page.t.w.page
  const main = html`<section class="alone"><p>${w.missingText}</p><p><a href="${root}">${page.t.w.elsewhere.all}</a></p></section>
`
  return layout({ page, title: w.missing, description: w.missingText, path: '404.html', nav: null, main })
}
