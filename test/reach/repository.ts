// Owns the graph of this repository: all its files, as they are when it is first asked for.
import { existsSync, readFileSync } from 'node:fs'
import { packagePath } from '../../src/process/package-root.ts'
import { FILES } from '../docs/documents.ts'
import { graphOf, type Graph } from './graph.ts'

const graphs = new Map<string, Graph>()

/** @param gone files that are not there any more: without text */
export function repositoryGraph(gone: ReadonlySet<string> = new Set()): Graph {
  const key = [...gone].sort().join('\n')
  const read = (path: string): string => (existsSync(packagePath(path)) ? readFileSync(packagePath(path), 'utf8') : '')
  const graph = graphs.get(key) ?? graphOf({ files: [...new Set([...FILES, ...gone])].sort(), read })
  graphs.set(key, graph)
  return graph
}
