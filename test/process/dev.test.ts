// `npm run dev` in a copy of this package: a sentence of a page that is changed is served, and what does not compile is said
// while the page stays. Tests scripts/dev.js, dev-build.js and dev-platform.js.
// long test: builds the demo several times
// depends on: bin/, scripts/, src/
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { freePort } from '../support/ports.ts'
import { programEnvironment } from '../support/proxy.ts'
import { uncompiledCopy } from './uncompiled-copy.ts'

test('npm run dev', { timeout: 240_000 }, async () => {
  const folder = uncompiledCopy()
  mkdirSync(join(folder, 'snapshots'))
  const port = await freePort()
  const dev = spawn('npm', ['run', 'dev', '--', '--port', String(port)], {
    cwd: folder,
    env: programEnvironment(),
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  onTestFinished(async () => {
    if (dev.exitCode !== null || dev.signalCode !== null || dev.pid === undefined) return
    process.kill(-dev.pid, 'SIGKILL')
    await once(dev, 'exit')
  })
  let said = ''
  for (const stream of [dev.stdout, dev.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (said += text))
  const page = (): Promise<string> =>
    fetch(`http://127.0.0.1:${port}/`).then(
      (answer) => answer.text(),
      () => '',
    )
  const untilPage = (part: string): Promise<void> =>
    vi.waitFor(async () => expect(await page(), said).toContain(part), { timeout: 100_000, interval: 100 })
  const words = join(folder, 'src', 'site', 'words', 'en.ts')
  const before = readFileSync(words, 'utf8')

  /** By another file, as editors do it. */
  const replace = (text: string): void => {
    writeFileSync(`${words}.next`, text)
    renameSync(`${words}.next`, words)
  }

  await untilPage('Most active')
  for (const word of ['Most lively', 'Livelier']) {
    replace(before.replaceAll('Most active', word))
    await untilPage(word)
  }

  replace(`${before}\nconst wrong: number = 'a text'\n`)
  await vi.waitFor(() => expect(said).toContain('error TS2322'), { timeout: 60_000 })
  expect(await page()).toContain('Livelier')

  replace(before.replaceAll('Most active', 'Liveliest'))
  await untilPage('Liveliest')
  // Ctrl-C.
  process.kill(-(dev.pid ?? 0), 'SIGINT')
  await once(dev, 'exit')
  await vi.waitFor(async () => expect(await page()).toBe(''), { timeout: 20_000 })
})
