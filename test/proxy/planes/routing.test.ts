// Which path and method is answered by whom, byte for byte, and in which order a request is judged.
import { describe, expect, test } from 'vitest'
import { ENDPOINTS } from '../../../src/contract/kinds/register.ts'
import { ask, converse, serving, startProxy, type Asking } from '../../support/proxy.ts'

type Plane = 'api' | 'files' | 'site' | 'health'

describe('paths', () => {
  const served = serving()

  // Which path belongs where is in route.test.ts.
  test.each<[string, number, Plane]>([
    ['/api/public/stats', 200, 'api'],
    ['/api/public/stats?unknown=1&unknown=2', 200, 'api'],
    ['/api/openapi.json', 200, 'api'],
    ['/api/openapi.json/', 404, 'api'],
    ['/api?period=7d', 404, 'api'],
    ['/api/__proto__', 404, 'api'],
    ['/?', 404, 'site'],
    ['//', 404, 'site'],
    ['/healthz', 200, 'health'],
    ['/constructor', 404, 'site'],
    ['/snapshots', 404, 'files'],
    ['/snapshots/current/manifest.json', 200, 'files'],
    ['/snapshots/current/manifest.json?cache=no', 200, 'files'],
  ])('%s: %i from the %s', async (target, status, plane) => {
    const answer = await ask(served().port, target)
    expect(answer.status).toBe(status)
    for (const name of ['x-ratelimit-limit', 'ratelimit-policy'])
      expect([name, name in answer.headers]).toEqual([name, plane === 'api'])
    if (status !== 404) return
    expect(Object.keys(answer.json())).toEqual(['error', 'message'])
    expect(answer.headers).toMatchObject({ 'cache-control': 'no-store', 'access-control-allow-origin': '*' })
    if (plane === 'files') return
    for (const { path } of Object.values(ENDPOINTS)) expect(answer.text).toContain(path)
    expect(answer.text).toContain('/api/openapi.json')
  })
})

describe('methods', () => {
  const served = serving()
  const TARGETS = ['/api/public/stats', '/api/openapi.json', '/snapshots/current/public/stats.json', '/healthz']

  test.each(TARGETS)('%s takes GET, HEAD and OPTIONS, and says so to all others', async (target) => {
    const { port } = served()
    expect((await ask(port, target)).status).toBe(200)
    expect((await ask(port, target, { method: 'HEAD' })).status).toBe(200)
    expect((await ask(port, target, { method: 'OPTIONS' })).status).toBe(204)
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND', 'PURGE', 'M-SEARCH']) {
      const answer = await ask(port, target, { method })
      expect([method, answer.status, answer.headers.allow]).toEqual([method, 405, 'GET, HEAD, OPTIONS'])
      expect(answer.json()).toMatchObject({ error: 'Method Not Allowed', message: expect.stringContaining(method) })
    }
  })

  test.each(['*', '/api', '/api/nowhere', '/snapshots/current/nothing.json', '/nowhere'])(
    'OPTIONS %s: 204',
    async (target) => {
      const answer = await ask(served().port, target, { method: 'OPTIONS' })
      expect([answer.status, answer.body.length]).toEqual([204, 0])
      expect(answer.headers).toMatchObject({
        'access-control-allow-origin': '*',
        'access-control-allow-methods': 'GET, HEAD, OPTIONS',
        'access-control-allow-headers': '*, Authorization',
        'access-control-max-age': '86400',
      })
    },
  )
})

describe('what is ignored', () => {
  const served = serving()

  test.each<Asking['headers'] & object>([
    { Accept: 'text/csv' },
    { Accept: 'application/xml;q=1, */*;q=0' },
    { Range: 'bytes=0-10' },
    { Authorization: 'Bearer abc' },
    { Cookie: 'session=1' },
    { Origin: 'https://elsewhere.example' },
    { 'X-HTTP-Method-Override': 'DELETE' },
    { Expect: 'the unexpected' },
  ])('%o', async (headers) => {
    const plain = await ask(served().port, '/api/public/stats')
    const answer = await ask(served().port, '/api/public/stats', { headers })
    expect([answer.status, answer.text, answer.names]).toEqual([200, plain.text, plain.names])
    expect(answer.headers).not.toHaveProperty('set-cookie')
  })
})

describe('the order of checks', () => {
  const served = serving({}, { limit: 1 })
  const SPENT = '203.0.113.1'
  let clients = 0

  /** What is wrong with a request, earliest check first; each changes a sound one. */
  const FAULTS: Readonly<Record<string, readonly [number, (request: Draft) => void]>> = {
    'no Host': [400, (draft) => draft.headers.splice(0, 1)],
    'a target over 4 KiB': [414, (draft) => (draft.query += `&x=${'x'.repeat(4096)}`)],
    'headers over 8 KiB': [431, (draft) => draft.headers.push(`X: ${'x'.repeat(8192)}`)],
    OPTIONS: [204, (draft) => (draft.method = 'OPTIONS')],
    'the limit used up': [429, (draft) => (draft.client = SPENT)],
    'no such path': [404, (draft) => (draft.path = '/api/nowhere')],
    POST: [405, (draft) => (draft.method = 'POST')],
    'a body': [413, (draft) => (draft.body = 'x')],
    'a bad parameter': [400, (draft) => (draft.query += '&limit=0')],
    'no release': [500, (draft) => (draft.hasRelease = false)],
    'a copy that is still good': [304, (draft) => draft.headers.push('If-None-Match: *')],
  }
  interface Draft {
    method: string
    path: string
    query: string
    client: string
    body: string
    hasRelease: boolean
    headers: string[]
  }
  /** All unreadable heads are one check, one method is not another, and only GET and HEAD are limited. */
  const APART = [
    ['no Host', 'a target over 4 KiB', 'headers over 8 KiB'],
    ['OPTIONS', 'POST'],
    ['the limit used up', 'POST'],
  ]
  const names = Object.keys(FAULTS)
  const pairs = names.flatMap((first, i) =>
    names
      .slice(i + 1)
      .filter((second) => !APART.some((group) => group.includes(first) && group.includes(second)))
      .map((second) => [first, second] as const),
  )

  async function send(...faults: readonly string[]) {
    const draft: Draft = {
      method: 'GET',
      path: '/api/analytics/trending',
      query: '',
      client: `198.51.100.${++clients}`,
      body: '',
      hasRelease: true,
      headers: ['Host: a'],
    }
    for (const fault of faults) FAULTS[fault]?.[1](draft)
    const { method, path, query, client, body, hasRelease, headers } = draft
    const lines = [...headers, `X-Forwarded-For: ${client}`, ...(body === '' ? [] : [`Content-Length: ${body.length}`])]
    const text = `${method} ${path}?${query} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body}`
    const other = hasRelease ? null : await startProxy({ snapshots: null, limit: 1 })
    const port = other?.port ?? served().port
    try {
      await ask(port, '/api', { client: SPENT })
      return await converse(port, [text], { answers: 1 })
    } finally {
      await other?.stop()
    }
  }

  const alone = names.map((first) => ({ first, second: 'anything else' }))
  test.each([...alone, ...pairs.map(([first, second]) => ({ first, second }))])(
    '$first before $second',
    async ({ first, second }) => {
      const { answers } = await send(first, second)
      expect(answers.map(({ status }) => status)).toEqual([FAULTS[first]?.[0]])
      const headUnread = APART[0]?.includes(first)
      expect('x-ratelimit-limit' in (answers[0]?.headers ?? {})).toBe(!headUnread)
      const hasBody = first === 'a body' || second === 'a body'
      expect(answers[0]?.headers['connection']).toBe(headUnread || hasBody ? 'close' : 'keep-alive')
    },
  )

  test('without any of them: 200', async () => {
    expect((await send()).answers.map(({ status }) => status)).toEqual([200])
  })
})
