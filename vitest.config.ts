import { configDefaults, defineConfig } from 'vitest/config'
import { SlowestFirst } from './test/reach/sequencer.ts'
import { testFiles } from './test/support/unit-files.ts'

const { unit, real, long } = testFiles(import.meta.dirname)

const globalSetup = ['test/support/shared-fixtures.ts']

/** They start servers: PostgreSQL, nginx, the programs themselves. */
const started = {
  globalSetup,
  testTimeout: 60_000,
  hookTimeout: 120_000,
  // Those that one worker runs share its modules and variables.
  isolate: false,
  restoreMocks: true,
  unstubEnvs: true,
  sequence: { groupOrder: 1 },
}

export default defineConfig({
  test: {
    maxWorkers: 2,
    sequence: { sequencer: SlowestFirst },
    // While it watches a folder: of what a program is made no import of a test shows.
    forceRerunTriggers: [...configDefaults.forceRerunTriggers, '**/bin/**', '**/src/**'],
    projects: [
      {
        test: {
          name: 'unit',
          include: [...unit],
          globalSetup,
          setupFiles: ['test/support/nothing-real.ts'],
          testTimeout: 20_000,
          isolate: false,
          sequence: { groupOrder: 0 },
        },
      },
      { test: { name: 'real', include: [...real], ...started } },
      { test: { name: 'long', include: [...long], ...started } },
    ],
  },
})
