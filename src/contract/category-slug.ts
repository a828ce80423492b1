// Owns the part of a category's key that people can read. Pure; the client has it, too.

export function slugOf(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+/, '')
    .slice(0, 40)
    .replace(/-+$/, '')
}

/** @param sha256 of the name, in hex */
export function keyWith(name: string, sha256: string): string {
  return `${slugOf(name)}-${sha256.slice(0, 12)}`
}
