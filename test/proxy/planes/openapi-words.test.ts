// The description of the API follows the words of the release that is served.
import { expect, test } from 'vitest'
import { ask, serving } from '../../support/proxy.ts'
import { AS_OF_MS, publishRelease } from '../../support/release.ts'
import { sampleSite } from '../../support/site.ts'

const served = serving()

interface Document {
  readonly info: { readonly title: string }
  readonly servers: readonly { readonly url: string }[]
  readonly paths: Readonly<Record<string, unknown>>
}

async function described(): Promise<{ title: string; addresses: string[]; etag: string }> {
  const { body, headers } = await ask(served().port, '/api/openapi.json')
  const { info, servers, paths } = JSON.parse(body.toString()) as Document
  // A path is put behind the address of the server as it is (OpenAPI 3.1, Paths Object); what begins with `/` has no host.
  const addresses = Object.keys(paths).flatMap((path) => servers.map(({ url }) => `${url === '/' ? '' : url}${path}`))
  return { title: info.title, addresses, etag: String(headers.etag) }
}

test('without a site it is that of the program; each release with another title has another ETag', async () => {
  const first = await described()
  expect(first.title).toBe('Public Analytics API')
  const seen = new Set([first.etag])
  for (const [i, title] of ['Ideas of Springfield', 'Ideas of Shelbyville'].entries()) {
    await publishRelease(served().dir, { asOfMs: AS_OF_MS + (i + 1) * 60_000, site: sampleSite({ title }) })
    await expect.poll(async () => (await described()).title, { timeout: 5000 }).toBe(`${title} API`)
    const { etag } = await described()
    seen.add(etag)
    const same = await ask(served().port, '/api/openapi.json', { headers: { 'If-None-Match': etag } })
    expect(same.status).toBe(304)
  }
  expect(seen.size).toBe(3)
})

test('addresses are those of the public address, path and all, without a slash too many', async () => {
  for (const [i, publicUrl] of ['https://town.example/stats', 'https://town.example', null].entries()) {
    const [title, asOfMs] = [`Town ${i}`, AS_OF_MS + (i + 3) * 60_000]
    await publishRelease(served().dir, { asOfMs, site: sampleSite({ title, publicUrl }) })
    await served().watcher.look()
    const { title: shown, addresses } = await described()
    expect(shown).toBe(`${title} API`)
    expect(addresses).toContain(`${publicUrl ?? ''}/api/analytics/trending`)
  }
})
