// Owns what other rooms see of a release without reading one: its manifest's shape, its codings, its errors.
import { RELEASE_ID } from '../format/manifest.ts'

export { CodedTemplate, CODING_SUFFIX, CODINGS, encode, MIN_CODED_BYTES, type Coding } from '../format/coding.ts'
export {
  DEMO_MAPPING,
  MANIFEST_NAME,
  manifestText,
  siblingOf,
  type FileBytes,
  type Manifest,
  type ManifestFile,
} from '../format/manifest.ts'
export { releasePaths, type ReleasePaths } from '../format/paths.ts'
export { ReleaseError } from '../format/release-error.ts'
export { readManifest } from './folder-reader.ts'
export { currentId, listReleases } from './release-list.ts'

export function isReleaseId(text: string): boolean {
  return RELEASE_ID.test(text)
}
