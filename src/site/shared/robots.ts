// Owns robots.txt. What is read by machines is not to be found by people who search; nor are the invented numbers of a demo.
import type { SiteFile, SiteInput } from '../input.ts'

export function robotsFile({ demo }: SiteInput): SiteFile {
  const rules = demo ? ['Disallow: /'] : ['Disallow: /api/', 'Disallow: /snapshots/']
  return { path: 'robots.txt', text: ['User-agent: *', ...rules, ''].join('\n') }
}
