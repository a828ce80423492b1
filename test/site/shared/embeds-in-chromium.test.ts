// src/site/shared/embeds.ts: what a browser says of an embed in a sandboxed frame, and of one whose style was changed.
// real test: Chromium
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { chromium } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { LANGUAGES } from '../../../src/contract/site-paths.ts'
import { speechOf } from '../../../src/site/speech.ts'
import { EMBEDS } from '../../../src/site/shared/embeds.ts'
import { embedFiles, embedSnippet } from '../../../src/site/shared/embeds.ts'
import { chromiumAvailable } from '../../support/chromium.ts'
import { describeWithComponent } from '../../support/real-component.ts'
import { hostileInput, longInput, siteInput } from './reuse-input.ts'

const run = promisify(execFile)

/** Of the body without the room that a frame leaves: as high as it would be in no frame. */
const CONTENT_HEIGHT = `(() => {
  document.body.style.minHeight = '0'
  return document.body.getBoundingClientRect().height
})()`

describeWithComponent('in Chromium', chromiumAvailable(), (bin) => {
  const pages = new Map<string, string>()
  const asked: string[] = []
  let server: Server
  let base = ''
  let home = ''

  beforeAll(async () => {
    server = createServer((request, response) => {
      const path = request.url ?? ''
      asked.push(path)
      response.setHeader('Content-Type', 'text/html; charset=utf-8')
      response.end(pages.get(path) ?? '')
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
    home = await mkdtemp(join(tmpdir(), 'embeds-chromium-'))
  })
  afterAll(async () => {
    server.closeAllConnections()
    server.close()
    await rm(home, { recursive: true, force: true, maxRetries: 5 })
  })

  /** The document as it is in the end, and what the console and the policies said. */
  async function shown(path: string): Promise<{ readonly dom: string; readonly log: string }> {
    const flags =
      '--headless --no-sandbox --disable-gpu --disable-dev-shm-usage --no-first-run --no-proxy-server --dump-dom'
    const args = [
      ...flags.split(' '),
      '--enable-logging=stderr',
      '--virtual-time-budget=3000',
      `--user-data-dir=${home}`,
    ]
    const env = { ...process.env, HOME: home, DBUS_SESSION_BUS_ADDRESS: '' }
    const { stdout, stderr } = await run(bin, [...args, base + path], { env, timeout: 45_000, maxBuffer: 1e8 })
    return {
      dom: stdout,
      log: stderr
        .split('\n')
        .filter((line) => line.includes('CONSOLE'))
        .join('\n'),
    }
  }

  test('each embed shows itself in a sandboxed frame, asks for nothing else, and breaks no policy', async () => {
    const [input, t] = [siteInput(), speechOf('en')]
    for (const { path, text } of embedFiles(input)) pages.set(`/${path}`, text)
    pages.set(
      '/host.html',
      `<!doctype html>${embedSnippet(input, t, 'totals', base)}${embedSnippet(input, t, 'trending', base)}`,
    )
    asked.length = 0
    const { log } = await shown('host.html')
    expect(log).toBe('')
    expect(asked.filter((path) => path !== '/favicon.ico').toSorted()).toEqual([
      '/embed/totals.html',
      '/embed/trending.html',
      '/host.html',
    ])
  })

  test('hostile titles are text', async () => {
    const input = hostileInput(
      '</style><script>document.title = "run"</script><img src=x onerror="document.title = \'run\'">',
    )
    const [, trending] = embedFiles(input)
    pages.set('/hostile.html', trending?.text ?? '')
    const { dom, log } = await shown('hostile.html')
    expect(log).toBe('')
    expect(dom).not.toMatch(/<script|<img/)
    expect(dom).toContain('&lt;script&gt;')
  })
  test('the longest content of each embed fits into its frame, and no frame is much higher than that', async () => {
    const browser = await chromium.launch({ executablePath: bin, args: ['--no-sandbox', '--disable-dev-shm-usage'] })
    try {
      const page = await browser.newPage()
      for (const { path, height } of Object.values(EMBEDS)) {
        const heights: number[] = []
        for (const language of LANGUAGES)
          for (const letters of ['W', 'Straßenbahn, ', '文', 'å\u0323 '])
            for (const closed of [false, true]) {
              const input = longInput(letters, { languages: [language], demo: true, closed })
              pages.set('/long.html', embedFiles(input).find((file) => file.path === path)!.text)
              for (const width of [320, 480]) {
                await page.setViewportSize({ width, height })
                await page.goto(`${base}long.html`)
                const root = 'document.documentElement'
                const [wide = 0, high = 0] = await page.evaluate<number[]>(`[${root}.scrollWidth, ${CONTENT_HEIGHT}]`)
                expect(wide, `${path} ${language} ${letters}`).toBeLessThanOrEqual(width)
                expect(high, `${path} ${language} ${letters} ${width}`).toBeLessThanOrEqual(height)
                heights.push(high)
              }
            }
        expect(height - Math.max(...heights)).toBeLessThanOrEqual(24)
      }
    } finally {
      await browser.close()
    }
  }, 60_000)
})
