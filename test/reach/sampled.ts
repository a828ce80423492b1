// Owns of which tests a sample is enough: those that say which changes need all of them, and of which nothing is among what has changed.
import type { Graph } from './graph.ts'

/** With patterns as in a line of what a file uses. */
const LINE = /^\/\/ all of it after a change of: (.+)$/gm

interface Change {
  readonly graph: Pick<Graph, 'matching'>
  readonly read: (path: string) => string
  readonly changed: readonly string[]
}

export function sampled(tests: readonly string[], { graph, read, changed }: Change): string[] {
  return tests.filter((test) => {
    const patterns = [...read(test).matchAll(LINE)].flatMap(([, said = '']) => said.split(', '))
    const needing = new Set([test, ...patterns.flatMap(graph.matching)])
    return patterns.length > 0 && !changed.some((file) => needing.has(file))
  })
}
