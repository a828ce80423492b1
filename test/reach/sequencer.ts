// Owns the order in which the test runner takes test files: the slowest first, so that no worker waits for the last one of another.
import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { secondsOf, slowestFirst, type Durations } from './durations.ts'

export class SlowestFirst extends BaseSequencer {
  /** Within a project: their order is the runner's. */
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { root } = this.ctx.config
    const durations = JSON.parse(readFileSync(`${root}/test/durations.json`, 'utf8')) as Durations
    const sorted = await super.sort(files)
    const projects = [...new Set(sorted.map(({ project }) => project))]
    return projects.flatMap((project) =>
      slowestFirst(
        sorted.filter((one) => one.project === project),
        ({ moduleId }) => secondsOf(durations, relative(root, moduleId)),
      ),
    )
  }
}
