// Owns drawing some of a list by a seed that is printed: the same seed draws the same.
import type { Random } from '../../src/demo/random.ts'

/** `count` different ones, or all. */
export function sample<T>(list: readonly T[], count: number, random: Random): T[] {
  const rest = [...list]
  return Array.from({ length: Math.min(count, list.length) }, () =>
    rest.splice(Math.floor(random() * rest.length), 1),
  ).flat()
}
