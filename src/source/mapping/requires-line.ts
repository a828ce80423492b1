// Owns the syntax of a line that names a table and columns of it: `requires` and `counts-together`. Pure text.
import type { MappingRequires } from './file-format.ts'

export const REQUIRES_EXPECTED = 'expected: -- requires TABLE(column, column, …) [where present] [-- since when]'
export const COUNTS_TOGETHER_EXPECTED = 'expected: -- counts-together TABLE(column, column, …) [-- why]'
const NAME = String.raw`(?:[A-Za-z_\u0080-\uffff][\w$\u0080-\uffff]*|"(?:[^"]|"")+"|:[A-Za-z_]\w*)`
/** Of a table's name: its schema, if any, and itself. */
export const NAME_PARTS = new RegExp(NAME, 'g')
const REQUIRES = new RegExp(
  String.raw`^(${NAME}(?:\.${NAME})?)\s*\((\s*${NAME}\s*(?:,\s*${NAME}\s*)*)\)(\s+where present)?(?:\s*--\s*(.*))?$`,
)

/** null = it is no such line. */
export function parseRequires(text: string): MappingRequires | null {
  const found = REQUIRES.exec(text)
  if (found === null) return null
  const columns = (found[2] ?? '').match(NAME_PARTS) ?? []
  return { table: found[1] ?? '', columns, since: (found[4] ?? '').trim(), optional: found[3] !== undefined }
}
