// Owns which options a release was made with: one that its manifest lacks is as the versions before that option built.
import type { AnalyticsOptions } from '../../analytics/options.ts'
import { peopleModeOf, type Manifest } from '../../release/format/manifest.ts'

/** Null = a release of a version that noted no options. */
export function analyticsOf({ options }: Partial<Pick<Manifest, 'options'>>): AnalyticsOptions | null {
  if (options === undefined) return null
  const { voteWeight, commentWeight, siteUrl = null } = options
  return { voteWeight, commentWeight, siteUrl, people: peopleModeOf(options) }
}
