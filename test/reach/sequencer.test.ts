// The order in which the test runner takes test files: sequencer.ts.
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { TestSpecification, Vitest } from 'vitest/node'
import { packagePath } from '../../src/process/package-root.ts'
import { SlowestFirst } from './sequencer.ts'

it('is the slowest first within a project, and the projects in their own', async () => {
  const cache = { getFileTestResults: () => undefined, getFileStats: () => undefined }
  const sequencer = new SlowestFirst({ config: { root: packagePath() }, cache } as unknown as Vitest)
  const project = (name: string, groupOrder: number) => ({ name, config: { isolate: true, sequence: { groupOrder } } })
  const [unit, long] = [project('unit', 0), project('long', 1)]
  const spec = (of: typeof unit, file: string) =>
    ({ project: of, moduleId: join(packagePath(), file) }) as unknown as TestSpecification
  const quick = spec(long, 'test/end-to-end/reuse.test.ts')
  const slow = spec(long, 'test/torture/bucket.test.ts')
  const unknown = spec(long, 'test/nobody/has-measured.test.ts')
  const first = spec(unit, 'test/model/facts.test.ts')
  expect(await sequencer.sort([quick, slow, unknown, first])).toEqual([first, unknown, slow, quick])
})
