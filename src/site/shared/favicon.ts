// Owns favicon.svg: three bars in the colour of the site.
import { xml } from '../html.ts'
import type { SiteFile, SiteInput } from '../input.ts'
import { accentsOf } from '../style.ts'

export function favicon({ words }: SiteInput): SiteFile {
  const text = xml`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
<g fill="${accentsOf(words.accent).light}"><rect x="3" y="17" width="7" height="12" rx="2"/><rect x="12.5" y="10" width="7" height="19" rx="2"/><rect x="22" y="3" width="7" height="26" rx="2"/></g>
</svg>
`.text
  return { path: 'favicon.svg', text }
}
