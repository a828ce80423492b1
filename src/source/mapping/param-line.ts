// Owns the syntax of a line that declares a parameter of a mapping. Pure text.

export const PARAM_TYPES = ['int', 'bigint', 'uuid', 'text', 'boolean', 'text[]', 'identifier'] as const
export type ParamType = (typeof PARAM_TYPES)[number]

export interface MappingParam {
  readonly name: string
  readonly type: ParamType
  /** null = required. */
  readonly default: string | null
  readonly description: string
}

/** A text says what is wrong. */
export function parseParam(text: string): MappingParam | string {
  const [declaration = '', ...words] = text.split(/\s--\s/)
  const found = /^([A-Za-z_]\w*)\s*:\s*([a-z]+(?:\[\])?)\s*(?:=\s*(.*))?$/.exec(declaration.trim())
  if (found === null)
    return `expected: -- param NAME : TYPE [= DEFAULT] [-- description], TYPE one of ${PARAM_TYPES.join(', ')}`
  const type = PARAM_TYPES.find((known) => known === found[2])
  if (type === undefined) return `param ${found[1]}: no type "${found[2]}"; allowed: ${PARAM_TYPES.join(', ')}`
  return { name: found[1] ?? '', type, default: found[3]?.trim() ?? null, description: words.join(' -- ').trim() }
}
