// Owns what an operator says of the site of a release, as the manifest has it. Types and defaults; knows no command line.
import type { Language } from './site-paths.ts'

export interface SiteOptions {
  /** Where visitors find the site, without a slash at its end. */
  readonly publicUrl: string | null
  readonly title: string
  readonly publisher: string | null
  /** An address to write to, or that of a page, with a scheme (`mailto:`, `https:`). */
  readonly contact: string | null
  /** An SPDX identifier; null = no licence is claimed. */
  readonly license: string | null
  /** `#rrggbb`, readable on the backgrounds of both themes. */
  readonly accent: string | null
  /** sha256 of `logo.svg`, hex. */
  readonly logo: string | null
  /** The first language is at the root of the site. */
  readonly languages: readonly Language[]
}

/** The town of src/demo. */
export const DEMO_TITLE = 'Ideas of Havenport'

export const DEFAULT_SITE: SiteOptions = {
  publicUrl: null,
  title: 'Public Analytics',
  publisher: null,
  contact: null,
  license: null,
  accent: null,
  logo: null,
  languages: ['en'],
}
