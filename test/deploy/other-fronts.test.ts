// Fronts that this package has no configuration for: a real Apache that compresses what the proxy answers, and a real Squid
// that keeps it.
import { chmodSync } from 'node:fs'
import { expect, test } from 'vitest'
import { frontOf } from '../support/front.ts'
import { ask, type Answered } from '../support/proxy.ts'
import { sampleSite } from '../support/site.ts'
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

describeWithComponent('Squid that accelerates', findProgram('squid', 'squid', ['/usr/sbin']), (squid) => {
  const portOf = frontOf(
    'squid',
    ({ port, proxy, folder }) => {
      // Squid started by root writes as a user of its own.
      chmodSync(folder, 0o777)
      return `http_port 127.0.0.1:${port} accel defaultsite=127.0.0.1 no-vhost
cache_peer 127.0.0.1 parent ${proxy.port} 0 no-query originserver
http_access allow all
cache_mem 16 MB
maximum_object_size_in_memory 1 MB
pid_filename none
cache_log ${folder}/log
access_log none
shutdown_lifetime 0 seconds
`
    },
    (file) => [squid, '-N', '-n', 'front', '-f', file],
    { site: sampleSite() },
  )
  const isFromCache = ({ headers }: Answered): boolean => String(headers['x-cache']).startsWith('HIT')

  test.each(['/api/public/stats', '/api/analytics/categories', '/api/analytics/export?format=csv'])(
    '%s is asked for each time, and counted by its client',
    async (target) => {
      const client = `192.0.2.${target.length}`
      const answers = [await ask(portOf(), target, { client }), await ask(portOf(), target, { client })]
      expect(answers.map((answer) => [answer.status, isFromCache(answer)])).toEqual([
        [200, false],
        [200, false],
      ])
      expect(answers.map(({ headers }) => Number(headers['x-ratelimit-remaining']))).toEqual([99, 98])
    },
  )

  test('a file is kept, each form of it, and a tag of either is known', async () => {
    const target = '/'
    for (const coding of ['gzip', 'br', 'identity']) {
      const headers = { 'Accept-Encoding': coding }
      const [first, again] = [await ask(portOf(), target, { headers }), await ask(portOf(), target, { headers })]
      expect([first.status, again.status, isFromCache(again)]).toEqual([200, 200, true])
      expect(again.headers['content-encoding'] ?? 'identity').toBe(coding)
      expect(again.body).toEqual(first.body)
      const etag = String(first.headers.etag)
      const unchanged = await ask(portOf(), target, { headers: { ...headers, 'If-None-Match': etag } })
      expect([unchanged.status, unchanged.body.length]).toEqual([304, 0])
    }
  })

  test('no error is kept', async () => {
    for (const target of ['/snapshots/current/nothing.json', '/api/nothing'])
      for (const answer of [await ask(portOf(), target), await ask(portOf(), target)])
        expect([answer.status, isFromCache(answer)]).toEqual([404, false])
  })
})
