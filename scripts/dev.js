// Owns `npm run dev`: the demo, compiled, built and served anew after each change of the sources. What does not compile or build
// is said, and what was there before goes on.
import { fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, statSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import { performance } from 'node:perf_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const WATCHED = ['bin', 'src']
/** An editor writes a file in several steps, and a change of branches many files: over is what stays the same for so long. */
const LOOK_MS = 50
/** What the database of the demo is made of: it starts with the first build and is filled again only where this changes. */
const PLATFORM = [join('src', 'demo') + sep, join('src', 'source', 'mapping', 'built-in', 'native') + sep]
const proxyOptions = process.argv.slice(2)

/** What is watched: when each file was changed. `fs.watch` misses a file that is replaced by another one, as editors do it. */
function look() {
  const paths = WATCHED.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true }).map((name) => join(folder, name)),
  )
  return new Map(paths.map((path) => [path, statSync(join(root, path), { throwIfNoEntry: false })?.mtimeMs]))
}

function differing(before, now) {
  return [...new Set([...before.keys(), ...now.keys()])].filter((path) => before.get(path) !== now.get(path))
}

/** Waits for a change that is over. */
async function changeSince(before) {
  for (let last = before; ;) {
    await delay(LOOK_MS)
    const now = look()
    if (differing(before, now).length > 0 && differing(last, now).length === 0) return now
    last = now
  }
}

function start(program, ...args) {
  return spawn(process.execPath, [join(root, ...program.split('/')), ...args], { cwd: root, stdio: 'inherit' })
}

async function run(...command) {
  const [code] = await once(start(...command), 'exit')
  return code === 0
}

async function fillPlatform() {
  const server = fork(join(root, 'scripts', 'dev-platform.js'))
  const url = await Promise.race([
    once(server, 'message').then(([sent]) => sent),
    once(server, 'exit').then(() => null),
  ])
  // It has said why.
  if (url === null) process.exit(1)
  return { server, url }
}

async function stop(child) {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGTERM')
  await once(child, 'exit')
}

const PROXY = ['bin/analytics-proxy.js', '--snapshots', 'snapshots/demo', ...proxyOptions]

/** A proxy that could not start has said why. */
async function serve(before) {
  if (before !== null) await stop(before)
  return start(...PROXY)
}

let platform = null
let proxy = null
process.once('SIGINT', () => process.exit(130))
process.once('SIGTERM', () => process.exit(143))
process.once('exit', () => {
  proxy?.kill()
  platform?.server.kill()
})
let seen = look()
/** Whether the database must be filled again. */
let isOther = true
for (;;) {
  const startedMs = performance.now()
  if (await run('scripts/compile.js', '--incremental')) {
    // That its port is taken is said before all else.
    if (platform === null && !(await run(...PROXY, '--test'))) process.exit(1)
    if (platform !== null && isOther) await stop(platform.server)
    if (isOther) platform = await fillPlatform()
    isOther = false
    if (await run('scripts/dev-build.js', platform.url)) {
      proxy = await serve(proxy)
      const seconds = ((performance.now() - startedMs) / 1000).toFixed(1)
      process.stdout.write(
        `built in ${seconds} s; the next change of a file in ${WATCHED.join('/ or ')}/ is built, too\n`,
      )
    }
  }
  const now = await changeSince(seen)
  isOther ||= differing(seen, now).some((path) => PLATFORM.some((begin) => path.startsWith(begin)))
  seen = now
}
