// Owns the options of the website that a release is: flags, variables, what is allowed. Reads no file.
import { createRequire } from 'node:module'
import { DEFAULT_SITE } from '../../contract/site-options.ts'
import { LANGUAGES, type Language } from '../../contract/site-paths.ts'
import { group, option, optionalOption, switchOption } from '../../process/option.ts'
import { contrast, SURFACES } from '../../site/page/style.ts'
import { httpUrl, anyText, type Parse } from '../../process/value-syntax.ts'

/** spdx-license-ids is a package of data: its main file is JSON. */
const require = createRequire(import.meta.url)
const LICENSES = require('spdx-license-ids') as readonly string[]

const MOST_CHARACTERS = 120

/** One line of text that a title or a byline can be. */
const words: Parse<string> = (given) =>
  given.trim() !== '' && Array.from(given).length <= MOST_CHARACTERS && !/[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]/u.test(given)
    ? { value: given.trim() }
    : { allowed: `one line of at most ${MOST_CHARACTERS} characters` }

const EMAIL = /^(?:mailto:)?([\w.!#$%&'*+/=^`{|}~-]+)(@[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?)$/i

/** The address with a scheme, so that it can be a link. */
const contact: Parse<string> = (given) => {
  const [, name, host = ''] = EMAIL.exec(given) ?? []
  // What is escaped already stays so.
  if (name !== undefined)
    return { value: `mailto:${name.replaceAll(/%(?![\da-f]{2})|[^\w.!$'*+~%-]/gi, encodeURIComponent)}${host}` }
  const url = httpUrl()(given)
  return 'value' in url ? url : { allowed: 'an address such as data@example.org or https://example.org/contact' }
}

const license: Parse<string> = (given) => {
  const value = LICENSES.find((id) => id.toLowerCase() === given.toLowerCase())
  return value === undefined
    ? { allowed: 'an SPDX identifier such as CC-BY-4.0, CC0-1.0 or ODbL-1.0; see https://spdx.org/licenses/' }
    : { value }
}

/** The least contrast of what is no text (WCAG 2.2, 1.4.11). Text is darkened or lightened until it has 4.5 (src/site/page/style.ts). */
const LEAST_CONTRAST = 3

/** A colour that is readable on the light background, also in print. Few are so on both: those that are neither dark nor light. */
const colour: Parse<string> = (given) => {
  const [, short, long] = /^#(?:([0-9a-f]{3})|([0-9a-f]{6}))$/i.exec(given) ?? []
  const hex = short === undefined ? long : short.replaceAll(/./g, '$&$&')
  if (hex === undefined) return { allowed: 'a colour such as #0d5c8f' }
  const value = `#${hex.toLowerCase()}`
  const has = contrast(value, SURFACES.light)
  return has >= LEAST_CONTRAST
    ? { value }
    : {
        allowed: `a colour with a contrast of at least ${LEAST_CONTRAST} to the light background ${SURFACES.light}, such as #0d5c8f; this one has ${(Math.floor(100 * has) / 100).toFixed(2)}, so a darker one is needed (the page lightens it on its dark background)`,
      }
}

const languages: Parse<readonly Language[]> = (given) => {
  const found = given.split(',').map((one) => one.trim().toLowerCase())
  const known = found.filter((one): one is Language => LANGUAGES.some((language) => language === one))
  return known.length === found.length && new Set(found).size === found.length
    ? { value: known }
    : { allowed: `some of ${LANGUAGES.join(',')}, each once, the first one at the root` }
}

/** The options of the page, for every build: docs/page.md has what they are for. */
export const SITE_OPTIONS = group('Site (docs/page.md)', {
  title: option('--title <TEXT>', DEFAULT_SITE.title, 'heading of the page', words),
  publisher: optionalOption('--publisher <NAME>', 'who publishes the numbers', words),
  contact: optionalOption('--contact <ADDRESS>', 'whom to ask: an e-mail address or a page', contact),
  license: optionalOption('--license <SPDX>', 'licence of the data; without it none is claimed', license),
  accent: optionalOption('--accent <#HEX>', 'colour of links and charts', colour),
  logo: optionalOption('--logo <FILE>', 'a logo: SVG, at most 64 KiB', anyText('a file that ends in .svg')),
  languages: option(
    '--languages <LIST>',
    DEFAULT_SITE.languages.join(),
    'languages; the first one is at the root',
    languages,
  ),
  publicUrl: optionalOption('--public-url <URL>', 'address at which visitors find the page', httpUrl()),
  site: switchOption('--no-site', 'make the data only'),
})
