// Owns how data is cited, and where the text of a licence is, by its SPDX identifier.
import type { SiteInput } from '../input.ts'

const ODC = 'https://opendatacommons.org/licenses'

/** Licences of data whose own address portals compare; SPDX has a page for every one. */
const ADDRESSES: Readonly<Record<string, string>> = {
  'CC0-1.0': 'https://creativecommons.org/publicdomain/zero/1.0/',
  'ODbL-1.0': `${ODC}/odbl/1-0/`,
  'ODC-By-1.0': `${ODC}/by/1-0/`,
  'PDDL-1.0': `${ODC}/pddl/1-0/`,
  'DL-DE-BY-2.0': 'https://www.govdata.de/dl-de/by-2-0',
  'DL-DE-ZERO-2.0': 'https://www.govdata.de/dl-de/zero-2-0',
  'OGL-UK-3.0': 'https://www.nationalarchives.gov.uk/doc/open-government-licence/version/3/',
}

/**
 * By publisher, year and title. Where nobody is said to publish them, no name is there twice.
 * @param base where the numbers are; null = not known
 * @param licence the word for it
 */
export function citation(
  { words, dataAsOf }: Pick<SiteInput, 'words' | 'dataAsOf'>,
  asOf: string,
  base: string | null,
  licence: string,
): string {
  const { title, publisher, license } = words
  const year = dataAsOf.slice(0, 'YYYY'.length)
  return [
    publisher === null ? `${title} (${year}).` : `${publisher} (${year}): ${title}.`,
    asOf,
    ...(base === null ? [] : [base]),
    ...(license === null ? [] : [`${licence}: ${license}.`]),
  ].join(' ')
}

/** Of Creative Commons: what one may do, and the version. */
const CC = /^CC-(BY(?:-[A-Z]{2})*)-([34]\.0)$/

export function licenceAddress(spdx: string): string {
  const [, terms, version] = CC.exec(spdx) ?? []
  if (terms !== undefined) return `https://creativecommons.org/licenses/${terms.toLowerCase()}/${version}/`
  return ADDRESSES[spdx] ?? `https://spdx.org/licenses/${encodeURIComponent(spdx)}.html`
}
