// Fronts that this package has no configuration for: a real Apache that compresses what the proxy answers.
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort, listens } from '../support/ports.ts'
import { ask, startProgram, type ProxyProgram } from '../support/proxy.ts'
import { describeWithComponent, findProgram } from '../support/real-component.ts'
import { publishRelease, snapshotsFolder } from '../support/release.ts'
import { supervise, untilUp, type Supervised } from '../support/supervised.ts'

const MODULES = ['mpm_event', 'authz_core', 'proxy', 'proxy_http', 'filter', 'deflate', 'brotli']

describeWithComponent('Apache that compresses', findProgram('apache2', 'apache2-bin', ['/usr/sbin']), (apache2) => {
  const used = snapshotsFolder()
  let proxy: ProxyProgram
  let apache: Supervised
  let port: number

  beforeAll(async () => {
    await publishRelease(used.dir)
    proxy = await startProgram(['--snapshots', used.dir])
    port = await freePort()
    const folder = mkdtempSync(join(tmpdir(), 'apache-'))
    writeFileSync(
      join(folder, 'conf'),
      `${MODULES.map((name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so\n`).join('')}
Listen 127.0.0.1:${port}
ServerName localhost
PidFile ${folder}/pid
ErrorLog ${folder}/log
ProxyPass / ${proxy.base}/
AddOutputFilterByType BROTLI_COMPRESS;DEFLATE application/json
`,
    )
    apache = supervise([apache2, '-D', 'FOREGROUND', '-f', join(folder, 'conf')], { folder, signal: 'TERM' })
    await untilUp(apache, 'apache2', () => listens(port))
  })
  afterAll(async () => {
    await apache?.stop()
    await proxy?.kill()
    used.remove()
  })

  test.each([
    ['/api/public/stats', 'gzip', '-gzip"'],
    ['/api/public/stats', 'br', '-br"'],
    ['/snapshots/current/public/stats.json', 'gzip', '-gzip"'],
  ])('%s in %s: the tag that it changes is known, so nothing is sent twice', async (target, coding, end) => {
    const headers = { 'Accept-Encoding': coding }
    const first = await ask(port, target, { headers })
    const etag = String(first.headers.etag)
    expect([first.status, first.headers['content-encoding']]).toEqual([200, coding])
    expect(etag.endsWith(end)).toBe(true)
    const again = await ask(port, target, { headers: { ...headers, 'If-None-Match': etag } })
    expect([again.status, again.body.length]).toEqual([304, 0])
  })
})
