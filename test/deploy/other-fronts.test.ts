// Fronts that this package has no configuration for: a real Apache that compresses what the proxy answers.
import { expect, test } from 'vitest'
import { frontOf } from '../support/front.ts'
import { ask } from '../support/proxy.ts'
import { describeWithComponent, findProgram } from '../support/real-component.ts'

const MODULES = ['mpm_event', 'authz_core', 'proxy', 'proxy_http', 'filter', 'deflate', 'brotli']

describeWithComponent('Apache that compresses', findProgram('apache2', 'apache2-bin', ['/usr/sbin']), (apache2) => {
  const portOf = frontOf(
    'apache2',
    ({
      port,
      proxy,
      folder,
    }) => `${MODULES.map((name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so\n`).join('')}
Listen 127.0.0.1:${port}
ServerName localhost
PidFile ${folder}/pid
ErrorLog ${folder}/log
ProxyPass / ${proxy.base}/
AddOutputFilterByType BROTLI_COMPRESS;DEFLATE application/json
`,
    (file) => [apache2, '-D', 'FOREGROUND', '-f', file],
  )

  test.each([
    ['/api/public/stats', 'gzip', '-gzip"'],
    ['/api/public/stats', 'br', '-br"'],
    ['/snapshots/current/public/stats.json', 'gzip', '-gzip"'],
  ])('%s in %s: the tag that it changes is known, so nothing is sent twice', async (target, coding, end) => {
    const headers = { 'Accept-Encoding': coding }
    const first = await ask(portOf(), target, { headers })
    const etag = String(first.headers.etag)
    expect([first.status, first.headers['content-encoding']]).toEqual([200, coding])
    expect(etag.endsWith(end)).toBe(true)
    const again = await ask(portOf(), target, { headers: { ...headers, 'If-None-Match': etag } })
    expect([again.status, again.body.length]).toEqual([304, 0])
  })
})
