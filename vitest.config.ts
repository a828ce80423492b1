import { defineConfig } from 'vitest/config'
import { testFiles } from './test/support/unit-files.ts'

const { unit, real } = testFiles(import.meta.dirname)

export default defineConfig({
  test: {
    // Two at a time: the real tests start servers (PostgreSQL, nginx, the programs themselves).
    maxWorkers: 2,
    projects: [
      {
        test: {
          name: 'unit',
          include: [...unit],
          setupFiles: ['test/support/nothing-real.ts'],
          testTimeout: 20_000,
          isolate: false,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          name: 'real',
          include: [...real],
          globalSetup: ['test/support/shared-fixtures.ts'],
          testTimeout: 60_000,
          hookTimeout: 120_000,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
})
