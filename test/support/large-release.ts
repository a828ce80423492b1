// Owns a release with one answer of 20 MB: more than sockets buffer, so that it is under way for as long as its reader
// pauses.
import type { ReleaseSpec } from './release.ts'

export const LARGE_RELEASE: ReleaseSpec = { ideas: 2500, titleChars: 8000, ageMs: 100 * 86_400_000 }
export const LARGE_TARGET = '/api/analytics/export?type=ideas&period=all&format=csv'
