// Owns the text of the document of one combination, from what was counted. Writes nothing.
import { DOCUMENTS, type DocumentData, type Single } from '../../analytics/kinds.ts'
import { STAMP_TAIL_BYTES, textAndHash } from '../../contract/document-text.ts'
import { KINDS } from '../../contract/kinds/register.ts'
import type { ReportedTotals } from '../../release/checks/reported-totals.ts'

/** What all documents of a release are made of. */
export interface Context extends DocumentData {
  readonly generatedAt: string
  readonly reported: ReportedTotals
  /** Whether the release is a website, too. */
  readonly isSite: boolean
}

/** A document that is no export: its text, its rows, and how many bytes at its end siblings leave uncompressed. */
export function documentOf(
  combination: Single,
  context: Context,
): { readonly text: string; readonly contentHash: string; readonly rows: number | null; readonly tail: number } {
  const document = DOCUMENTS[combination.endpoint].make(combination, context)
  context.reported.take(combination, document)
  const { list } = KINDS[combination.endpoint]
  const rows = list === undefined ? null : (document as Readonly<Record<string, readonly object[]>>)[list]
  return { ...textAndHash(document, context.generatedAt), rows: rows?.length ?? null, tail: STAMP_TAIL_BYTES }
}
