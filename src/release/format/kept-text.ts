// Owns the envelope of what is kept beside releases: its format, and whose it is. Knows nothing of what is in it.
import type { Manifest } from './manifest.ts'

/** Raised when an older program must not read it. */
const FORMAT = 1

/** @param kept with the id of the release that it belongs to */
export function keptText(kept: { readonly id: string }): string {
  return `${JSON.stringify({ format: FORMAT, ...kept })}\n`
}

/** The keys of a text of release `id`, none of them checked; a string = why it says nothing. */
export function parseKept<T extends object>(text: string, id: string): Partial<T> | string {
  let value: Partial<T> & { readonly format?: unknown; readonly id?: unknown }
  try {
    value = (JSON.parse(text) ?? {}) as typeof value
  } catch (error) {
    return `it is not JSON: ${(error as Error).message}`
  }
  if (value.format !== FORMAT) return `its format is ${JSON.stringify(value.format)}, must be ${FORMAT}`
  return value.id === id ? value : `it is that of ${JSON.stringify(value.id)}`
}

export function wrongKey(key: string): string {
  return `its ${key} is missing or of the wrong type`
}

export function isMapping(value: Partial<Manifest['mapping']> | undefined): value is Manifest['mapping'] {
  return typeof value?.name === 'string' && typeof value.sha256 === 'string'
}
