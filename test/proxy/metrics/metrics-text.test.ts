// The text of /metrics as a whole: what docs/operations.md says of it, and what Prometheus's own checker does.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { packagePath } from '../../../src/process/package-root.ts'
import { startAdminServer } from '../../../src/proxy/metrics/admin-server.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { documentedType } from '../../support/documented-metrics.ts'
import { metricsOf } from '../../support/metrics.ts'
import { ask } from '../../support/proxy.ts'
import { describeWithComponent, findProgram } from '../../support/real-component.ts'
import { publishRelease } from '../../support/release.ts'
import { ownProxy } from '../own-proxy.ts'

/** After a few requests. */
async function text(published: boolean): Promise<string> {
  const folder = temporaryFolder()
  if (published) await publishRelease(folder)
  const proxy = await ownProxy({ snapshots: published ? folder : null })
  const admin = await startAdminServer(proxy.context, '127.0.0.1', 0)
  onTestFinished(() => admin.stop())
  for (const target of ['/api/public/stats', '/', '/snapshots/none']) await ask(proxy.port, target)
  return metricsOf(admin.address.port)
}

test('docs/operations.md lists the metrics, each with its type and labels, and no other', async () => {
  const shown = await text(true)
  const types = [...shown.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name = '', type]) => {
    const [, labels = ''] = new RegExp(`^${name}\\{(.*?)\\} `, 'm').exec(shown) ?? []
    const names = [...labels.matchAll(/(\w+)="/g)].map(([, label]) => label)
    return [names.length === 0 ? name : `${name}{${names.join(',')}}`, type]
  })
  const documented = readFileSync(packagePath('docs', 'operations.md'), 'utf8')
  const from = documented.indexOf('| metric of the proxy |')
  const table = documented.slice(from, documented.indexOf('\n\n', from))
  const rows = [...table.matchAll(/^\| `([^`]+)` \|/gm)].map(([, name = '']) => [name, documentedType(name)])
  expect(rows.length).toBeGreaterThan(10)
  expect(Object.fromEntries(rows)).toEqual(Object.fromEntries(types))
})

describeWithComponent('promtool', findProgram('promtool', 'prometheus'), (promtool) => {
  test.each([true, false])('has nothing to say against it (with a release: %s)', async (published) => {
    const input = await text(published)
    const { status, stdout, stderr } = spawnSync(promtool, ['check', 'metrics'], { input, encoding: 'utf8' })
    expect([status, stdout, stderr]).toEqual([0, '', ''])
  })
})
