// Owns a program that builds as analytics-build does, with the same options, but writes no compressed siblings.
import { OPTIONS } from '../../../src/builder/options/build-options.ts'
import { buildRequest } from '../../../src/builder/commands/build-request.ts'
import { runBuild } from '../../../src/builder/run/run-build.ts'
import { runCommandLine, type CommandLineEffects, type CommandOf } from '../../../src/process/command-line.ts'
import { SILENT } from '../../../src/process/log.ts'
import { NO_PROGRESS } from '../../../src/process/progress.ts'

const HOUR_MS = 3_600_000

const effects = {
  umask: 0o022,
  nowMs: Date.now,
  sleep: () => Promise.reject(new Error('a retry would be measured')),
  log: SILENT,
  progress: NO_PROGRESS,
  endWhenHung: () => () => {},
  signal: new AbortController().signal,
}

process.exitCode = await runCommandLine(
  {
    name: 'uncompressed-build',
    summary: 'One build without compression.',
    commands: [
      {
        name: 'build',
        isDefault: true,
        summary: 'build one release, then exit',
        options: OPTIONS.build,
        example: '$0 --database-url postgresql://stats@db.example.org/ideas',
        action: async (values) => {
          const request = buildRequest({ ...values, siblings: false }, { env: {}, log: SILENT }, HOUR_MS)
          const { kind } = await runBuild(request, effects)
          return kind === 'published' ? 0 : 1
        },
      } satisfies CommandOf<typeof OPTIONS.build, CommandLineEffects>,
    ],
  },
  process.argv.slice(2),
  { out: (text) => void process.stdout.write(text), log: SILENT },
)
