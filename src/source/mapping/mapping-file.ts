// Owns the shape of a mapping file that was read. Types only; knows no text.
import type { DeclaredParams } from './parameters.ts'
import type { Relation } from './relations.ts'
import type { MappingRequires } from './requires-line.ts'

export interface MappingFile extends DeclaredParams {
  /** By parameter: a SELECT of `value` and `label`, what the parameter may be in this database. Used by `check` only. */
  readonly choices: ReadonlyMap<string, string>
  readonly requires: readonly MappingRequires[]
  /** `categories` may be absent; every other relation is there. */
  readonly sections: ReadonlyMap<Relation, string>
  /** Sections and choices `where present`, each in place of the one above in a database that has what it needs. */
  readonly alternatives: readonly Alternative[]
  /** Of section `with`, the names of the parts that are in front of SELECTs. */
  readonly parts: readonly string[]
  /** Tells whether the site is closed to visitors; null = no such section: the site is open. */
  readonly closed: string | null
  /** What the platform calls itself: used by `setup` only, which needs no `requires` line for it; null = no such section. */
  readonly page: string | null
}

/** A section, or choices, `where present`. */
export interface Alternative {
  readonly kind: 'section' | 'choices'
  /** A relation, or the parameter of the choices. */
  readonly name: string
  readonly sql: string
  /** It is used where all of these are there. */
  readonly needs: readonly MappingRequires[]
}
