// Owns choosing by Accept-Encoding and Accept: RFC 9110 section 12.5. Pure.
import { CODINGS, type Coding } from '../../release/format/coding.ts'
import { siblingOf, type FileBytes, type ManifestFile } from '../../release/format/manifest.ts'
import { remembering } from '../../process/remembering.ts'

// codings [ ";" "q=" qvalue ] (sections 12.4.2 and 12.5.3)
const CODING = /^[ \t]*([\w!#$%&'*+.^`|~-]+)[ \t]*(?:;[ \t]*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)[ \t]*)?$/i
// media-range with parameters, of which only the first weight is read (section 12.5.1)
const MEDIA_RANGE =
  /^[ \t]*([\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+)[ \t]*(?:;(?![ \t]*q=)[^;]*)*(?:;[ \t]*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)[ \t]*(?:;.*)?)?$/i

/** The weights by name in lower case; an element of another form is ignored. */
function weightsOf(header: string, element: RegExp): ReadonlyMap<string, number> {
  const weights = new Map<string, number>()
  for (const text of header.split(',')) {
    const found = element.exec(text)
    if (found !== null) weights.set((found[1] ?? '').toLowerCase().replace(/^x-gzip$/, 'gzip'), Number(found[2] ?? 1))
  }
  return weights
}

/** Browsers and libraries send a handful of different texts. */
const REMEMBERED = 200

/**
 * The codings that a client prefers to the plain bytes, the best first. Nothing is rejected: a client that accepts
 * neither these nor identity gets identity, which the section allows.
 */
export const preferredCodings = remembering((header: string | undefined): readonly Coding[] => {
  const weights = weightsOf(header ?? '', CODING)
  const any = weights.get('*')
  // A coding that is not listed is not accepted, except identity, which is the last choice.
  const weight = (coding: Coding): number => weights.get(coding) ?? any ?? 0
  const identity = weights.get('identity') ?? 0
  return CODINGS.filter((coding) => weight(coding) > 0 && weight(coding) >= identity).sort(
    (a, b) => weight(b) - weight(a),
  )
}, REMEMBERED)

/** The best sibling there is, else the snapshot itself. */
export function bestFile(file: ManifestFile, codings: readonly Coding[]): { coding: Coding | null; from: FileBytes } {
  for (const coding of codings) {
    const from = siblingOf(file, coding)
    if (from !== null) return { coding, from }
  }
  return { coding: null, from: file }
}

/** Whether a client would rather have HTML than JSON. Programs mostly say nothing, or that anything will do. */
export function prefersHtml(header = ''): boolean {
  const weights = weightsOf(header, MEDIA_RANGE)
  // The most specific range counts.
  const weight = (type: string, subtype: string): number =>
    weights.get(`${type}/${subtype}`) ?? weights.get(`${type}/*`) ?? weights.get('*/*') ?? 0
  return weight('text', 'html') > weight('application', 'json')
}
