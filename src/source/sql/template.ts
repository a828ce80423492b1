// Owns filling one of our SQL templates (one query each) with a mapping's sections, key types and literals.
import { escapeLiteral } from 'pg'
import { readFileSync } from 'node:fs'
import { packagePath } from '../../process/package-root.ts'
import { substitute } from './tokens.ts'

/** A section as a table expression. The newlines keep a `--` comment at its end from swallowing the parenthesis. */
export function asTable(section: string): string {
  return `(\n${section}\n) AS source`
}

export interface TemplateParameters {
  readonly sections?: ReadonlyMap<string, string>
  /** The name of the section that replaces `{rows}`. */
  readonly rows?: string
  /** Replaces `{idea_key}` and `{user_key}`. */
  readonly keys?: Readonly<Record<string, string>>
  /** Replaces `:name`. */
  readonly values?: Readonly<Record<string, string>>
}

/** @param name of a file below src/source, without its ending */
export function fillTemplate(name: string, { sections, rows = '', keys, values }: TemplateParameters = {}): string {
  const sql = readFileSync(packagePath('src', 'source', `${name}.sql`), 'utf8')
  const given = (mark: string, value: string | undefined): string => {
    if (value === undefined) throw new Error(`${name}.sql has ${mark}, which nothing fills`)
    return value
  }
  // The template is cut at the marks first, so that they are never looked for in the text of a section or a value.
  const parts = sql.split(/\{(\w+)\}/).map((part, i) => {
    if (i % 2 === 0) return substitute(part, (key) => given(`:${key}`, values?.[key]))
    const section = sections?.get(part === 'rows' ? rows : part)
    return section === undefined ? given(`{${part}}`, keys?.[part]) : asTable(section)
  })
  return parts.join('')
}

/** Epoch milliseconds as a timestamptz literal. */
export function timeLiteral(timeMs: number): string {
  return `${escapeLiteral(new Date(timeMs).toISOString())}::timestamptz`
}
