// Owns turning the options of the site into what a build is asked for. Reads the logo; knows no flag's syntax.
import { createHash } from 'node:crypto'
import { isUtf8 } from 'node:buffer'
import { readFileSync, statSync } from 'node:fs'
import type { SiteOptions } from '../../contract/site-options.ts'
import { usageError } from '../../process/cli-error.ts'
import type { SiteRequest } from '../site/write-site.ts'
import type { SiteValues } from './site-options.ts'

const MAX_LOGO_BYTES = 64 << 10

/** Null = data only. @throws CliError for a logo that may not be shown */
export function siteRequest(values: SiteValues): SiteRequest | null {
  if (!values.site) return null
  const logo = values.logo === null ? null : readLogo(values.logo)
  return { options: optionsOf(values, logo), logo }
}

function optionsOf(
  { publicUrl, title, publisher, contact, license, accent, languages }: SiteValues,
  logo: string | null,
): SiteOptions {
  const hash = logo === null ? null : createHash('sha256').update(logo).digest('hex')
  return { publicUrl, title, publisher, contact, license, accent, logo: hash, languages }
}

function readLogo(path: string): string {
  const bytes = bytesOf(path)
  const text = bytes?.toString('utf8') ?? ''
  if (bytes !== null && isUtf8(bytes) && /<svg\b/.test(text)) return text
  throw usageError(`--logo: ${path}: allowed is an SVG image in UTF-8 of at most ${MAX_LOGO_BYTES >> 10} KiB`)
}

/** null = it has too many. */
function bytesOf(path: string): Buffer | null {
  try {
    const found = statSync(path)
    if (!found.isFile()) throw new Error('it is not a file')
    return found.size > MAX_LOGO_BYTES ? null : readFileSync(path)
  } catch (error) {
    throw usageError(`--logo: cannot read ${path}: ${(error as Error).message}; give a file that this user may read`)
  }
}
