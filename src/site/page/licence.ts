// Owns where the text of a licence is, by its SPDX identifier.
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

/** A licence of Creative Commons: what one may do, and the version. */
const CC = /^CC-(BY(?:-[A-Z]{2})*)-([34]\.0)$/

export function licenceAddress(spdx: string): string {
  const [, terms, version] = CC.exec(spdx) ?? []
  if (terms !== undefined) return `https://creativecommons.org/licenses/${terms.toLowerCase()}/${version}/`
  return ADDRESSES[spdx] ?? `https://spdx.org/licenses/${encodeURIComponent(spdx)}.html`
}
