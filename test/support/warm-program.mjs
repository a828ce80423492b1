// Runs the compiled analytics-build again and again in one process, each time as a new one would find it: its arguments,
// variables, folder, mask and listeners. What its modules remember stays, and is a function of what they are asked. A command is over
// when nothing of it would keep a process alive. A start costs half a second; signals and exits are for those that start one.
import { chdir, exit, getActiveResourcesInfo, umask } from 'node:process'
import { setTimeout as delay } from 'node:timers/promises'
import { impatientMain } from './impatient-main.mjs'

const [, , program, mark] = process.argv
const main = await impatientMain(program)
const mask = umask()
const streams = [process.stdout, process.stderr]

process.on('disconnect', () => exit())
async function run({ args, env, folder, umask: asked = mask }) {
  const before = new Map(process.eventNames().map((name) => [name, new Set(process.listeners(name))]))
  const open = getActiveResourcesInfo().length
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name]
  Object.assign(process.env, env)
  umask(asked)
  chdir(folder)
  process.argv = [process.execPath, program, ...args]
  process.exitCode = undefined
  const code = await main(args)
  do await delay(1, undefined, { ref: false })
  while (getActiveResourcesInfo().length > open)
  // As at an exit: what waits is written, what is held is given back.
  for (const listener of process.listeners('exit')) if (before.get('exit')?.has(listener) !== true) listener(code)
  for (const name of process.eventNames())
    for (const listener of process.listeners(name))
      if (before.get(name)?.has(listener) !== true) process.off(name, listener)
  for (const stream of streams) stream.removeAllListeners('error')
  for (const stream of streams) stream.write(mark)
  chdir('/')
  process.send({ code })
}

process.on('message', (asked) => void run(asked))
process.send({ ready: true })
