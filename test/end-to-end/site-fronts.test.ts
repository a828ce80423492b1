// A release with its site, in Chromium, as the proxy and nginx send it: nothing of it is against its own policy, an embed may be
// framed by anybody and a page by nobody.
// long test: builds and serves for each case
import { chmodSync, mkdirSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { chromium, type Browser, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Manifest } from '../../src/release/format/manifest.ts'
import { chromiumAvailable } from '../support/chromium.ts'
import { nginxAvailable, startNginx } from '../support/nginx.ts'
import { startProgram } from '../support/proxy.ts'
import { describeWithComponent } from '../support/real-component.ts'
import { publishRelease, snapshotsFolder } from '../support/release.ts'
import { sampleSite } from '../support/site.ts'

const closers: (() => Promise<unknown> | void)[] = []
afterAll(async () => {
  for (const close of closers.reverse()) await close()
})
const bases: Record<'proxy' | 'nginx', string> = { proxy: '', nginx: '' }
let [manifest, browser] = [{} as Manifest, {} as Browser]

/** A page of another origin, with a frame. */
async function framing(address: string): Promise<string> {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'Content-Type': 'text/html' })
    response.end(`<!doctype html><title>another site</title><iframe sandbox src="${address}"></iframe>`)
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  closers.push(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

describeWithComponent('Chromium', chromiumAvailable(), (bin) => {
  describeWithComponent('nginx', nginxAvailable(), () => {
    beforeAll(async () => {
      const folder = snapshotsFolder()
      closers.push(() => folder.remove())
      const snapshots = join(folder.dir, 'snapshots')
      mkdirSync(snapshots)
      // mkdtemp's 0700 would keep out the worker of an nginx that root starts.
      chmodSync(folder.dir, 0o755)
      const site = sampleSite({ languages: ['en', 'fr'], license: 'CC-BY-4.0', publicUrl: 'https://ideas.example' })
      manifest = await publishRelease(snapshots, { site })
      const proxy = await startProgram(['--snapshots', snapshots])
      closers.push(() => proxy.kill())
      const nginx = await startNginx({ snapshots, upstreams: [proxy.port] })
      closers.push(() => nginx.stop())
      Object.assign(bases, { proxy: `http://127.0.0.1:${proxy.port}`, nginx: `http://127.0.0.1:${nginx.port}` })
      browser = await chromium.launch({ executablePath: bin, args: ['--no-sandbox', '--disable-dev-shm-usage'] })
      closers.push(() => browser.close())
    })

    /** What it says on the console, and which answers are errors. */
    async function open<T>(address: string, look: (page: Page, said: string[]) => Promise<T>): Promise<T> {
      const context = await browser.newContext()
      const page = await context.newPage()
      const said: string[] = []
      page.on('console', (message) => said.push(message.text()))
      page.on('pageerror', (error) => said.push(String(error)))
      page.on('response', (response) => {
        if (response.status() >= 400) said.push(`${response.status()} ${response.url()}`)
      })
      try {
        await page.goto(address)
        return await look(page, said)
      } finally {
        await context.close()
      }
    }

    describe.each(['proxy', 'nginx'] as const)('%s', (front) => {
      test('every page loads what it needs, and nothing that its policy forbids', { timeout: 240_000 }, async () => {
        const paths = manifest.files.flatMap(({ path }) => (path.endsWith('.html') ? [path] : []))
        expect(paths).toEqual(expect.arrayContaining(['index.html', 'fr/index.html', '404.html', 'embed/totals.html']))
        // In one window, as a visitor does: what all of them use is fetched once.
        await open(`${bases[front]}/`, async (page, said) => {
          for (const mount of ['/', '/snapshots/current/'])
            for (const path of paths) {
              await page.goto(`${bases[front]}${mount}${path}`)
              expect([mount + path, said]).toEqual([mount + path, []])
            }
        })
      })

      test('what is nowhere is the release’s own 404, with its style at any depth', async () => {
        const address = `${bases[front]}/no/such/page`
        const [said, styled] = await open(address, async (page, heard) => [
          heard,
          await page.evaluate('document.styleSheets.length'),
        ])
        expect(styled).toBe(1)
        expect(said.filter((line) => !line.includes('404'))).toEqual([])
      })

      test('an embed is shown and styled in a sandboxed frame of another site', async () => {
        const [text, said, isStyled] = await open(
          await framing(`${bases[front]}/embed/totals.html`),
          async (page, heard) => {
            const frame = page.frames()[1]
            await frame?.waitForLoadState()
            const styled = await frame?.evaluate('document.styleSheets[0]?.cssRules.length > 0')
            return [await frame?.innerText('body'), heard, styled] as const
          },
        )
        expect(text).toMatch(/\d/)
        expect(isStyled).toBe(true)
        expect(said).toEqual([])
      })

      test.each(['/', '/fr/', '/404.html'])('%s is shown in no frame', async (path) => {
        await open(await framing(`${bases[front]}${path}`), (_, heard) =>
          expect.poll(() => heard).toEqual([expect.stringContaining('frame-ancestors')]),
        )
      })
    })
  })
})
