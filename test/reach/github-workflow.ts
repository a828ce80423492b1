// Owns reading a workflow as GitHub does, by GitHub's own parser, and what a step of it runs. Runs nothing.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type * as Parser from '@actions/workflow-parser'
import { build } from 'rolldown'
import { parse } from 'yaml'
import { packagePath } from '../../src/process/package-root.ts'

export interface Step {
  readonly name?: string
  readonly uses?: string
  readonly run?: string
  readonly env?: Readonly<Record<string, string>>
}

export interface Job {
  readonly name?: string
  readonly 'runs-on': string
  readonly container?: string | { readonly image: string; readonly options?: string }
  readonly 'timeout-minutes'?: number
  readonly permissions?: Permissions
  readonly needs?: string | readonly string[]
  readonly strategy?: { readonly matrix: Readonly<Record<string, readonly (string | number)[]>> }
  readonly steps: readonly Step[]
}

export type Permissions = Readonly<Record<string, string>>

export interface Workflow {
  readonly permissions: Permissions
  readonly jobs: Readonly<Record<string, Job>>
}

export const workflowOf = (text: string): Workflow => parse(text) as Workflow

/** What it runs for each value of the matrix, of which no workflow here has more than one. */
export function commandsOf({ strategy, steps }: Job): readonly string[] {
  const [[name, values] = ['', ['']]] = Object.entries(strategy?.matrix ?? {})
  const runs = steps.flatMap(({ run }) => (run === undefined ? [] : [run.trimEnd()]))
  return [
    ...new Set(values.flatMap((value) => runs.map((run) => run.replaceAll(`\${{ matrix.${name} }}`, `${value}`)))),
  ]
}

/** What GitHub says of it. */
export type FaultsOf = (name: string, text: string) => Promise<readonly string[]>

/**
 * The package is written for bundlers: it imports JSON without saying so, which Node.js refuses.
 * @param folder for what the bundler makes
 */
export async function githubsParser(folder: string): Promise<FaultsOf> {
  const input = packagePath('node_modules', '@actions', 'workflow-parser', 'dist', 'index.js')
  const { output } = await build({ input, platform: 'node', logLevel: 'silent', write: false })
  const file = join(folder, 'parser.mjs')
  writeFileSync(file, output[0].code)
  const parser = (await import(pathToFileURL(file).href)) as typeof Parser
  return async (name, content) => {
    const { context, value } = parser.parseWorkflow({ name, content }, new parser.NoOperationTraceWriter())
    // What refers to other jobs is looked at here.
    if (value !== undefined) await parser.convertWorkflowTemplate(context, value)
    return context.errors.getErrors().map(({ message }) => message)
  }
}
