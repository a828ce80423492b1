// Owns how a citation names the data: by publisher, year and title. Where nobody is said to publish them, no name is there twice.
import type { SiteInput } from '../input.ts'

export function citedWork({ words: { title, publisher }, dataAsOf }: SiteInput): string {
  const year = dataAsOf.slice(0, 'YYYY'.length)
  return publisher === null ? `${title} (${year}).` : `${publisher} (${year}): ${title}.`
}
