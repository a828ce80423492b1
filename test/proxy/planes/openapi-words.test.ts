// The description of the API follows the words of the release that is served.
import { expect, test } from 'vitest'
import { ask, serving } from '../../support/proxy.ts'
import { AS_OF_MS, publishRelease } from '../../support/release.ts'
import { siteOf } from '../../support/site.ts'

const served = serving()

async function described(): Promise<{ title: string; etag: string }> {
  const { body, headers } = await ask(served().port, '/api/openapi.json')
  const { info } = JSON.parse(body.toString()) as { info: { title: string } }
  return { title: info.title, etag: String(headers.etag) }
}

test('without a site it is that of the program; each release with another title has another ETag', async () => {
  const first = await described()
  expect(first.title).toBe('Public Analytics API')
  const seen = new Set([first.etag])
  for (const [i, title] of ['Ideas of Springfield', 'Ideas of Shelbyville'].entries()) {
    await publishRelease(served().dir, { asOfMs: AS_OF_MS + (i + 1) * 60_000, site: siteOf({ title }) })
    await expect.poll(async () => (await described()).title, { timeout: 5000 }).toBe(`${title} API`)
    const { etag } = await described()
    seen.add(etag)
    const same = await ask(served().port, '/api/openapi.json', { headers: { 'If-None-Match': etag } })
    expect(same.status).toBe(304)
  }
  expect(seen.size).toBe(3)
})
