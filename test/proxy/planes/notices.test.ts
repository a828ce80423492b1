// What must not be taken for the numbers of an open site says so, wherever it is served: the demo, and a closed site.
import { describe, expect, test } from 'vitest'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { ask, serving, type Answered } from '../../support/proxy.ts'
import { AS_OF_MS, publishRelease } from '../../support/release.ts'
import { TARGETS } from '../../support/targets.ts'
import { ownProxy } from '../own-proxy.ts'

const NUMBERS = [
  ...TARGETS.map(([, target]) => target),
  '/snapshots/current/manifest.json',
  '/snapshots/current/public/stats.json',
  '/snapshots/current/analytics/export/ideas/all.csv',
]
const HEALTH = ['/healthz', '/readyz', '/freshz'] as const

const noticesOf = ({ headers }: Answered) => [headers['x-demo-data'], headers['x-data-closed']]

describe.each([
  ['an open site', {}, [undefined, undefined], {}],
  ['the demo', { mapping: 'demo' }, ['true', undefined], { demo: true }],
  ['a closed site', { closed: true }, [undefined, 'true'], { closed: true }],
  ['a closed demo', { mapping: 'demo', closed: true }, ['true', 'true'], { demo: true, closed: true }],
] as const)('%s', (_, spec, notices, health) => {
  const served = serving(spec)

  test.each(NUMBERS)('says so with every 200 and 304 of %s, and lets a browser read it', async (target) => {
    const { port } = served()
    const found = await ask(port, target)
    const exposed = String(found.headers['access-control-expose-headers']).split(', ')
    expect(exposed).toEqual(expect.arrayContaining(['X-Demo-Data', 'X-Data-Closed']))
    const headers = { 'If-None-Match': String(found.headers.etag) }
    const answers = [found, await ask(port, target, { headers }), await ask(port, target, { method: 'HEAD' })]
    expect(answers.map((answer) => [answer.status, ...noticesOf(answer)])).toEqual(
      [200, 304, 200].map((status) => [status, ...notices]),
    )
  })

  test('has it under its release id, too, and in health', async () => {
    const { port, manifest } = served()
    expect(noticesOf(await ask(port, `/snapshots/releases/${manifest.id}/public/stats.json`))).toEqual(notices)
    for (const path of HEALTH) {
      const { demo, closed } = (await ask(port, path)).json()
      expect([path, { ...(demo ? { demo } : {}), ...(closed ? { closed } : {}) }]).toEqual([path, health])
    }
  })

  test('is in the log, once', () => {
    const warned = served().log.filter(({ level }) => level === 'warn')
    expect(warned.map(({ message }) => /demo|closed/.exec(message)?.[0])).toEqual(Object.keys(health))
  })
})

test('a site that closes while it is served shows nothing of before: neither the older release nor cached bodies', async () => {
  const dir = temporaryFolder()
  const before = await publishRelease(dir)
  const proxy = await ownProxy({ snapshots: dir })
  const older = `/snapshots/releases/${before.id}`
  const targets = [
    '/api/analytics/export?type=ideas&period=all',
    `${older}/manifest.json`,
    `${older}/public/stats.json`,
  ]
  for (const target of targets) expect((await ask(proxy.port, target)).status).toBe(200)
  // The older release is still in the folder.
  await publishRelease(dir, { asOfMs: AS_OF_MS + 1, closed: true })
  await proxy.watcher.look()
  const [api, ...files] = await Promise.all(targets.map((target) => ask(proxy.port, target)))
  expect(api?.json()).toMatchObject({ rowCount: 0, data: [] })
  expect(files.map(({ status }) => status)).toEqual([404, 404])
  await publishRelease(dir, { asOfMs: AS_OF_MS + 2 })
  await proxy.watcher.look()
  const reopened = await ask(proxy.port, targets[0] ?? '')
  expect(noticesOf(reopened)).toEqual([undefined, undefined])
  expect(reopened.json()['rowCount']).toBeGreaterThan(0)
})
