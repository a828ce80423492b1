// A command that is run in the process of another one finds and leaves what it would in its own.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { runWarm, type Said } from './warm-builders.ts'

/** In place of analytics-build: what it is asked to do, and then what it finds. */
const MAIN = `
const found = () => JSON.stringify({
  pid: process.pid,
  args: process.argv.slice(2),
  variables: Object.keys(process.env).sort(),
  folder: process.cwd(),
  umask: process.umask(),
  listeners: ['exit', 'SIGTERM', 'warning'].map((name) => process.listenerCount(name)),
  ofStreams: [process.stdout, process.stderr].map((stream) => stream.listenerCount('error')),
  exitCode: process.exitCode,
})
const DEEDS = {
  finds: () => 0,
  leaves() {
    process.env.LEFT = 'a secret'
    delete process.env.GIVEN
    process.chdir('/')
    process.umask(0)
    process.exitCode = 9
    for (const name of ['exit', 'SIGTERM', 'warning']) process.on(name, () => process.stdout.write(name + ' '))
    for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
    return 5
  },
  lingers: () => (setTimeout(() => process.stderr.write('at last'), 50), 0),
  keepsAlive: () => (setInterval(() => {}, 1000), 0),
  hangs: () => new Promise(() => {}),
  spins() { for (;;); },
  exits: () => process.exit(3),
  isKilled: () => (process.kill(process.pid, 'SIGKILL'), new Promise(() => {})),
  forgets: () => (void Promise.reject(new Error('nobody awaits this')), 0),
  throws() { throw new Error('nobody catches this') },
  diesLater: () => (setTimeout(() => process.exit(4), 20).unref(), 0),
}
export async function main([deed]) {
  process.stdout.write(found())
  process.stderr.write(deed + ' ')
  return DEEDS[deed]()
}`

const folder = temporaryFolder(afterAll)
const program = join(folder, 'bin', 'program.js')
mkdirSync(join(folder, 'dist', 'builder'), { recursive: true })
writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
writeFileSync(join(folder, 'dist', 'builder', 'main.js'), MAIN)

const run = (deed: string, timeoutMs?: number): Promise<Said> =>
  runWarm(program, { args: [deed], env: { GIVEN: 'this' }, folder }, timeoutMs)
const found = ({ stdout }: Said): Record<string, unknown> => JSON.parse(stdout) as Record<string, unknown>

test('what a command leaves in its process does not reach the next one', async () => {
  const before = found(await run('finds'))
  expect(before).toMatchObject({ args: ['finds'], variables: ['GIVEN'], folder })
  const left = await run('leaves')
  expect([left.code, left.stdout, left.stderr]).toEqual([5, expect.stringMatching(/\}exit $/), 'leaves '])
  expect(found(await run('finds'))).toEqual(before)
})

test('two at the same time have a process each', async () => {
  const [one, other] = await Promise.all([run('finds'), run('finds')])
  expect(found(one)['pid']).not.toBe(found(other)['pid'])
})

test('a command is over when nothing of it would keep a process alive, with what it wrote until then', async () => {
  expect(await run('lingers')).toMatchObject({ code: 0, stderr: 'lingers at last' })
})

test.each([
  ['keepsAlive', 137, /^keepsAlive $/],
  ['hangs', 137, /^hangs $/],
  ['spins', 137, /^spins $/],
  ['exits', 3, /^exits $/],
  ['isKilled', 137, /^isKilled $/],
  ['forgets', 1, /^forgets [^]*Error: nobody awaits this/],
  ['throws', 1, /^throws [^]*Error: nobody catches this/],
])('one that %s ends with %i, what it wrote is told, and the next one works', async (deed, code, stderr) => {
  const { pid } = found(await run('finds'))
  const ran = await run(deed, 500)
  expect([ran.code, ran.stderr, found(ran)['pid']]).toEqual([code, expect.stringMatching(stderr), pid])
  expect(await run('finds')).toMatchObject({ code: 0, stderr: 'finds ' })
})

test('one whose process dies after it, or that cannot even be loaded, does not stop the next', async () => {
  expect((await run('diesLater')).code).toBe(0)
  await new Promise((resolve) => setTimeout(resolve, 200))
  expect((await run('finds')).code).toBe(0)
  const nowhere = join(folder, 'none', 'bin', 'program.js')
  for (let i = 0; i < 2; i++)
    expect(await runWarm(nowhere, { args: [], env: {}, folder })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('ERR_MODULE_NOT_FOUND'),
    })
})
