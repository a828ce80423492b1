// Owns the demo as one command: a build and a proxy, in a folder that goes with it. Each is a process of its own, so that the memory
// of the build is free while the proxy serves.
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { errorLine, usageError } from '../process/cli-error.ts'
import { runChild } from '../process/first-process.ts'
import { packagePath, programText } from '../process/package-root.ts'
import { stopSignal } from '../process/stop-signal.ts'

const NAME = 'public-analytics'
const TEXT = { type: 'string' } as const
/** The options that the demo looks at: where it goes, and what a reader gives who has left out `proxy`. */
const KNOWN = { snapshots: TEXT, 'env-file': TEXT, origin: TEXT }
const USAGE = `Usage: ${NAME} [demo|build|proxy] [options]

  demo    builds a demo and serves it on http://127.0.0.1:8080 until Ctrl-C; its options are those of proxy. The default
  build   is analytics-build: set-up, builds, status, verification
  proxy   is analytics-proxy: serves what analytics-build wrote

${NAME} build --help, ${NAME} proxy --help
`

/** Runs until a signal ends it. @returns its exit code */
export async function main(argv: readonly string[]): Promise<number> {
  const options = argv[0] === 'demo' ? argv.slice(1) : argv
  const [first = ''] = options
  const told = /^(?:-V|--version)$/.test(first) ? `${programText()}\n` : /^(?:-h|--help)$/.test(first) ? USAGE : null
  if (told !== null) {
    process.stdout.write(told)
    return 0
  }
  const { snapshots, ...ofASite } = parseArgs({ args: [...options], options: KNOWN, strict: false }).values
  const why = /^[^-]/.test(first)
    ? `"${first}" is no command; allowed: demo, build, proxy`
    : whyNoDemo(Object.keys(ofASite), process.env)
  if (why !== null) return failed(why)
  const folder = typeof snapshots === 'string' ? snapshots : await temporaryFolder()
  if (folder === null) return 2
  const stop = stopSignal()
  stop.listen()
  const proxy = (...words: string[]): string[] => ['analytics-proxy', ...words, '--snapshots', folder, ...options]
  // Whether its port is taken is tried before the build. Behind the options --test would be the value that one of them lacks.
  const steps = [proxy('--test'), ['analytics-build', 'demo', '--snapshots', folder], proxy()]
  try {
    for (const [program = '', ...words] of steps) {
      const code = await runChild(packagePath('bin', `${program}.js`), words)
      if (code !== 0) return code
      if (stop.signal.aborted) break
    }
    return 0
  } finally {
    if (folder !== snapshots) await rm(folder, { recursive: true, force: true })
    stop.release()
  }
}

async function temporaryFolder(): Promise<string | null> {
  return mkdtemp(join(tmpdir(), `${NAME}-demo-`)).catch(({ message }: Error) => {
    failed(`demo: ${message}. Give --snapshots FOLDER, or TMPDIR, a folder that this user may write to`)
    return null
  })
}

function failed(why: string): 2 {
  process.stderr.write(errorLine(NAME, usageError(why)))
  return 2
}

/** Invented numbers must not be served in place of real ones: an image names the folder of its releases by this variable. */
function whyNoDemo(given: readonly string[], env: NodeJS.ProcessEnv): string | null {
  const { ANALYTICS_SNAPSHOTS: folder } = env
  const option = given.find((name) => name in KNOWN)
  const variable = folder && ['DATABASE_URL', 'DATABASE_URL_FILE'].find((name) => env[name])
  const filled = folder && ['current', 'releases'].find((name) => existsSync(join(folder, name)))
  const found =
    (option && `--${option} is of a site`) ||
    (variable && `${variable} is set`) ||
    (filled && `${folder}, which ANALYTICS_SNAPSHOTS names, has ${filled}`)
  if (!found) return null
  return `demo: ${found}, and the numbers of the demo are invented. Give build or proxy, or unset it for the demo`
}
