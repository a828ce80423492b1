// Owns making dist/ on installation: compiled into a new folder, with the page's script as one file, then one switch, so that a
// command that starts meanwhile loads the whole of one version. Needs the development packages, and fetches them into a temporary folder without them.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, readlinkSync, realpathSync } from 'node:fs'
import { renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { commitOf } from './commit.js'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const dist = join(root, 'dist')
const versions = join(root, '.compiled')
/** Programs that run load parts of theirs later. */
const KEPT = 3
const NEEDED = ['package.json', 'package-lock.json', 'tsconfig.json', 'src']
/** Of what npm was told, by a variable or a flag: how it reaches its registry. The rest is about the outer installation. */
const REACHING =
  /^npm_config_(registry|@.*|\/\/.*|_?auth.*|ca|cafile|cert|key|strict_ssl|(https?_)?proxy|no_?proxy|userconfig|globalconfig|cache|offline|prefer_offline|fetch_.*|maxsockets|local_address)$/i

/** A package has no maps: they are a third of it, and the sources they lead to are not in it. */
const isPackage = process.argv.includes('--package')
/** Compiles what has changed since the last time that this was said: a third of the time. */
const isIncremental = process.argv.includes('--incremental')
const STATE = 'compiled.tsbuildinfo'

const compiler = join('node_modules', 'typescript', 'bin', 'tsc')

async function compileTo(outDir) {
  const bundler = join('node_modules', 'rolldown', 'bin', 'cli.mjs')
  const script = join(outDir, 'site', 'assets', 'page.js')
  const state = ['--incremental', '--tsBuildInfoFile', join(dirname(outDir), STATE)]
  const flags = [...(isPackage ? ['--sourceMap', 'false'] : []), ...(isIncremental ? state : [])]
  // Beside each other: they write other files.
  const compile = async (folder) => {
    const done = await Promise.all([
      run(folder, [compiler, '--outDir', outDir, ...flags]),
      run(
        folder,
        [bundler, 'src/site/client/page.ts', '--minify', '--platform', 'browser', '--file', script],
        process.env,
        'ignore',
      ),
    ])
    return done.every((isDone) => isDone)
  }
  if (existsSync(join(root, compiler))) return compile(root)
  const folder = mkdtempSync(join(tmpdir(), 'analytics-compile-'))
  try {
    process.stderr.write('public-analytics: compiling with development packages in a temporary folder\n')
    for (const name of [...NEEDED, ...['.npmrc'].filter((one) => existsSync(join(root, one)))])
      cpSync(join(root, name), join(folder, name), { recursive: true })
    const env = Object.fromEntries(
      Object.entries(process.env).filter(([name]) => REACHING.test(name) || !/^npm_|^NODE_ENV$/i.test(name)),
    )
    const npm = process.env.npm_execpath
    if (npm === undefined) return false
    const install = [npm, 'ci', '--include=dev', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
    return (await run(folder, install, env)) && (await compile(folder))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** @param out where what is no fault goes: to standard error, or nowhere, as what the bundler says of its success */
async function run(cwd, args, env = process.env, out = 2) {
  const [code] = await once(spawn(process.execPath, args, { cwd, env, stdio: ['ignore', out, 2] }), 'exit')
  return code === 0
}

function switchTo(name) {
  const before = lstatSync(dist, { throwIfNoEntry: false })
  // A package holds no links; and what is no link cannot be replaced in one step.
  if (before !== undefined && !before.isSymbolicLink()) renameSync(dist, join(mkdirIn(`${name}-before`), 'dist'))
  const link = join(versions, `${name}-link`)
  symlinkSync(join('.compiled', name, 'dist'), link)
  renameSync(link, dist)
}

function mkdirIn(name) {
  const folder = join(versions, name)
  mkdirSync(folder, { recursive: true })
  return folder
}

/** The version that is current with what the compiler noted of it; one without such a note is compiled anew. */
function beginWithCurrent(folder) {
  const current = existsSync(dist) ? dirname(realpathSync(dist)) : ''
  if (!existsSync(join(current, STATE))) return
  for (const one of ['dist', STATE]) cpSync(join(current, one), join(folder, one), { recursive: true })
}

const name = `${Date.now()}-${process.pid}`
const outDir = join(mkdirIn(name), 'dist')
if (isIncremental) beginWithCurrent(dirname(outDir))
if (!(await compileTo(outDir))) {
  rmSync(join(versions, name), { recursive: true, force: true })
  const next = existsSync(join(root, compiler))
    ? 'Correct what is named above'
    : 'Run npm ci with the development packages, then npm prune --omit=dev'
  process.stderr.write(
    `public-analytics: cannot compile; what was compiled before, if anything, is still in dist/. ${next}\n`,
  )
  process.exit(1)
}
writeFileSync(join(outDir, 'commit'), `${commitOf(root, process.argv)}\n`)
if (isPackage) {
  rmSync(dist, { recursive: true, force: true })
  renameSync(outDir, dist)
  rmSync(join(versions, name), { recursive: true, force: true })
} else {
  switchTo(name)
  const current = dirname(readlinkSync(dist)).split('/').at(-1)
  const old = readdirSync(versions).filter((one) => one !== current)
  for (const one of old.sort().slice(0, 1 - KEPT)) rmSync(join(versions, one), { recursive: true, force: true })
}
