// Owns `npm run dev`: the demo, compiled, built and served anew after each change of the sources. What does not compile or build
// is said, and what was there before goes on.
import { fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { watch } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import { performance } from 'node:perf_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const WATCHED = ['bin', 'src']
/** An editor writes a file in several steps, and a change of branches many files. */
const SETTLED_MS = 30
/** What the database of the demo is made of: it starts with the first build and is filled again only where this changes. */
const PLATFORM = [join('src', 'demo') + sep, join('src', 'source', 'mapping', 'built-in', 'native') + sep]
const proxyOptions = process.argv.slice(2)

const changed = new Set()
let wake = () => {}
for (const folder of WATCHED)
  watch(join(root, folder), { recursive: true }, (_, name) => {
    changed.add(join(folder, name ?? ''))
    wake()
  })

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
for (;;) {
  const startedMs = performance.now()
  const isOther = [...changed].some((path) => PLATFORM.some((begin) => path.startsWith(begin)))
  changed.clear()
  if (await run('scripts/compile.js', '--incremental')) {
    // That its port is taken is said before all else.
    if (platform === null && !(await run(...PROXY, '--test'))) process.exit(1)
    if (platform !== null && isOther) await stop(platform.server)
    if (platform === null || isOther) platform = await fillPlatform()
    if (await run('scripts/dev-build.js', platform.url)) {
      proxy = await serve(proxy)
      const seconds = ((performance.now() - startedMs) / 1000).toFixed(1)
      process.stdout.write(
        `built in ${seconds} s; the next change of a file in ${WATCHED.join('/ or ')}/ is built, too\n`,
      )
    }
  }
  if (changed.size === 0) await new Promise((resolve) => (wake = resolve))
  await delay(SETTLED_MS)
}
