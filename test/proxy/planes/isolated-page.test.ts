// What a page of another site shows of this one when it isolates itself (Cross-Origin-Embedder-Policy: require-corp): pictures,
// embeds and numbers, as a browser decides.
// real test: Chromium
import { createServer } from 'node:http'
import { chromium } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { chromiumAvailable } from '../../support/chromium.ts'
import { describeWithComponent } from '../../support/real-component.ts'
import { snapshotsFolder } from '../../support/release.ts'
import { publishSite } from '../../support/site-release.ts'
import { ownProxy, ownServer } from '../own-proxy.ts'

describeWithComponent('in Chromium', chromiumAvailable(), (bin) => {
  test('an isolated page shows pictures and embeds from anywhere on the site, and reads its numbers', async () => {
    const folder = snapshotsFolder()
    onTestFinished(() => folder.remove())
    await publishSite(folder.dir)
    const { base } = await ownProxy({ snapshots: folder.dir })
    const pictures = ['badges/ideas.svg', 'charts/votes.svg', 'snapshots/current/logo.svg']
    const frames = ['embed/totals.html', 'snapshots/current/embed/totals.html', 'badges/ideas.svg']
    const shown = [
      ...pictures.map((path) => `<img src="${base}/${path}">`),
      ...frames.map((path) => `<iframe src="${base}/${path}"></iframe>`),
    ]
    const port = await ownServer(
      createServer((_, response) => {
        response.setHeader('Content-Type', 'text/html')
        response.setHeader('Cross-Origin-Embedder-Policy', 'require-corp')
        response.setHeader('Cross-Origin-Opener-Policy', 'same-origin')
        response.end(shown.join(''))
      }),
    )
    const browser = await chromium.launch({ executablePath: bin, args: ['--no-sandbox', '--disable-dev-shm-usage'] })
    onTestFinished(() => browser.close())
    const page = await browser.newPage()
    await page.goto(`http://127.0.0.1:${port}/`)
    expect(await page.evaluate('crossOriginIsolated')).toBe(true)
    expect(await page.evaluate(`[...document.images].every(({ naturalWidth }) => naturalWidth > 0)`)).toBe(true)
    // A frame that is blocked shows a page of the browser's own.
    const [, ...framed] = page.frames().map((frame) => frame.url())
    expect(framed).toEqual(frames.map((path) => `${base}/${path}`))
    const status = await page.evaluate(`fetch('${base}/api/public/stats').then(({ status }) => status)`)
    expect(status).toBe(200)
  })
})
