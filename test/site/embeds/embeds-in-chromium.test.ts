// src/site/embeds/embeds.ts: what a browser says of an embed in a sandboxed frame, and of one whose style was changed.
// real test: Chromium
// long test: asks a browser of each embed for what embeds.test.ts reads in its text
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { chromium, type Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { LANGUAGES } from '../../../src/contract/site-paths.ts'
import { pageOf, pagesOf } from '../../../src/site/page/page.ts'
import { embedFiles, EMBEDS, embedSnippet } from '../../../src/site/embeds/embeds.ts'
import { chromiumAvailable } from '../../support/chromium.ts'
import { describeWithComponent } from '../../support/real-component.ts'
import { longInput, siteInput } from '../reuse-input.ts'

describeWithComponent('in Chromium', chromiumAvailable(), (bin) => {
  const pages = new Map<string, string>()
  const asked: string[] = []
  let server: Server
  let browser: Browser
  let base = ''
  beforeAll(async () => {
    server = createServer(({ url = '' }, response) => {
      asked.push(url)
      response.setHeader('Content-Type', 'text/html; charset=utf-8')
      response.end(pages.get(url) ?? '')
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
    browser = await chromium.launch({ executablePath: bin, args: ['--no-sandbox', '--disable-dev-shm-usage'] })
  })
  afterAll(async () => {
    await browser.close()
    server.closeAllConnections()
    server.close()
  })

  test('each embed shows itself in a sandboxed frame, asks for nothing else, and breaks no policy', async () => {
    const input = siteInput()
    for (const { path, text } of pagesOf(input).flatMap(embedFiles)) pages.set(`/${path}`, text)
    const frames = (['totals', 'trending'] as const).map((name) => embedSnippet(pageOf(input), name, base))
    pages.set('/host.html', `<!doctype html>${frames.join('')}`)
    const page = await browser.newPage()
    const said: string[] = []
    page.on('console', (message) => said.push(message.text()))
    await page.goto(`${base}host.html`)
    for (const frame of page.frames().slice(1)) expect(await frame.locator('h1').isVisible()).toBe(true)
    expect(page.frames()).toHaveLength(3)
    expect(said).toEqual([])
    expect(asked.filter((path) => path !== '/favicon.ico').toSorted()).toEqual([
      '/embed/totals.html',
      '/embed/trending.html',
      '/host.html',
    ])
  })

  test('the longest content of each embed fits into its frame, and no frame is much higher than that', async () => {
    const page = await browser.newPage()
    const found: { readonly path: string; readonly frame: number; readonly what: string; readonly high: number }[] = []
    for (const language of LANGUAGES) {
      const frames = ['W', 'Straßenbahn, ', '文', 'å\u0323 '].flatMap((letters) =>
        [false, true].flatMap((closed) => {
          const files = pagesOf(longInput(letters, { languages: [language], demo: true, closed })).flatMap(embedFiles)
          return Object.values(EMBEDS).flatMap(({ path, height }) => {
            const address = `/${language}/${letters}/${closed}/${path}`
            pages.set(encodeURI(address), files.find((file) => file.path === path)!.text)
            return [320, 480].map((width) => ({ path, frame: height, width, address, what: `${address} ${width}` }))
          })
        }),
      )
      const drawn = frames.map(
        ({ address, width, frame }) => `<iframe src="${address}" width="${width}" height="${frame}"></iframe>`,
      )
      pages.set('/long.html', `<!doctype html><style>iframe { border: 0 }</style>${drawn.join('')}`)
      await page.goto(`${base}long.html`)
      const sizes = await page.evaluate<[number, number][]>(
        `[...document.querySelectorAll('iframe')].map(({ contentDocument: { documentElement, body } }) => {
          // Of the body without the room that a frame leaves: as high as it would be in no frame.
          body.style.minHeight = '0'
          return [documentElement.scrollWidth, body.getBoundingClientRect().height]
        })`,
      )
      expect(sizes).toHaveLength(frames.length)
      for (const [i, [wide, high]] of sizes.entries()) {
        const { path, frame, width, what } = frames[i]!
        expect(wide, what).toBeLessThanOrEqual(width)
        expect(high, what).toBeLessThanOrEqual(frame)
        found.push({ path, frame, what, high })
      }
    }
    for (const { path, height } of Object.values(EMBEDS)) {
      const highest = Math.max(...found.filter((one) => one.path === path).map(({ high }) => high))
      expect(height - highest, path).toBeLessThanOrEqual(24)
    }
  }, 60_000)
})
