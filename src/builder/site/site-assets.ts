// Owns the style sheet and the script of the site: read from the package, named by their content. Knows no page.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { packagePath } from '../../process/package-root.ts'
import type { SiteInput } from '../../site/input.ts'
import { styleSheet } from '../../site/style.ts'

/** What a page loads from its release. */
export interface SiteAssets {
  readonly css: Asset
  readonly js: Asset
}

export interface Asset {
  /** From the root of the release. */
  readonly path: string
  readonly text: string
}

let ofPackage: { readonly css: string; readonly js: Asset } | null = null

/** Read once: while a schedule runs, its pages and their assets are of one version. */
export function packageAssets(accent: string | null): SiteAssets {
  ofPackage ??= {
    css: readFileSync(packagePath('src', 'site', 'assets', 'page.css'), 'utf8'),
    js: assetOf('page', 'js', readFileSync(packagePath('dist', 'site', 'assets', 'page.js'), 'utf8')),
  }
  return { css: assetOf('page', 'css', styleSheet(ofPackage.css, accent)), js: ofPackage.js }
}

/** The name changes with the content, so that it may be cached for ever. */
export function assetOf(name: string, extension: 'css' | 'js', text: string): Asset {
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 10)
  return { path: `assets/${name}-${hash}.${extension}`, text }
}

export function assetPaths({ css, js }: SiteAssets): SiteInput['assets'] {
  return { css: css.path, js: js.path }
}
