// Owns making a record of the same thing for each key.

export function recordOf<Key extends string, T>(keys: readonly Key[], of: (key: Key) => T): Record<Key, T> {
  return Object.fromEntries(keys.map((key) => [key, of(key)])) as Record<Key, T>
}
