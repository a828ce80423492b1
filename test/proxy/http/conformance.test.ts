// RFC 9112 and 9110 over raw sockets, section by section: what each request is answered with, and whether the
// connection goes on. Behind each stands another request in the same packet: it is answered if and only if it does.
import { describe, expect, test } from 'vitest'
import { converse, serving } from '../../support/proxy.ts'

const served = serving()
const STATS = '/api/public/stats'
const NEXT = 'GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n'

interface Sent {
  readonly method?: string
  readonly target?: string
  readonly version?: string
  readonly host?: string | null
  /** Further lines. */
  readonly lines?: readonly string[]
  readonly body?: string
}

function requestOf(sent: Sent): string {
  const { method = 'GET', target = STATS, version = 'HTTP/1.1', host = 'a', lines = [], body } = sent
  const all = [...(host === null ? [] : [`Host: ${host}`]), ...lines]
  return `${method} ${target} ${version}\r\n${all.map((line) => `${line}\r\n`).join('')}\r\n${body ?? ''}`
}

/** On: the next request is answered, too. Ends: the answer says `Connection: close`, and nothing follows it. */
type Row = readonly [what: string, sent: Sent | string, status: number, then: 'on' | 'ends']

const CHUNKED = 'Transfer-Encoding: chunked'
const HOST = (host: string | null, status: number): Row => [
  `Host: ${String(host)}`,
  { host },
  status,
  status === 400 ? 'ends' : 'on',
]
const BODY = { lines: ['Content-Length: 3'], body: 'abc' }
const EMPTY = '0\r\n\r\n'
const CODED = (coding: string): Sent => ({ lines: [`Transfer-Encoding:${coding}`], body: EMPTY })
const KEPT = { version: 'HTTP/1.0', lines: ['Connection: keep-alive'] }
const KEPT_CHUNKED = { ...KEPT, lines: [CHUNKED, ...KEPT.lines], body: EMPTY }
const UPGRADE = ['Connection: Upgrade', 'Upgrade: h2c']

const TABLE: Readonly<Record<string, readonly Row[]>> = {
  'RFC 9112 section 2.2, message parsing': [
    ['one empty line before it', `\r\n${requestOf({})}`, 200, 'on'],
    ['white space before the first header', `GET ${STATS} HTTP/1.1\r\n X: a\r\nHost: a\r\n\r\n`, 400, 'ends'],
    ['a lone CR', { lines: ['X: a\rb'] }, 400, 'ends'],
    ['a lone CR for the end of a line', `GET ${STATS} HTTP/1.1\rHost: a\r\r`, 400, 'ends'],
    ['bare line feeds', `GET ${STATS} HTTP/1.1\nHost: a\n\n`, 400, 'ends'],
    ['no HTTP at all', 'hello\r\n\r\n', 400, 'ends'],
    ['TLS', Buffer.from('16030100a5010000a103036a', 'hex').toString('latin1'), 400, 'ends'],
  ],
  'RFC 9112 section 2.3, versions': [
    ['HTTP/0.9 without a version', `GET ${STATS}\r\n`, 400, 'ends'],
    ['HTTP/0.9', { version: 'HTTP/0.9' }, 400, 'ends'],
    ['HTTP/1.0', { version: 'HTTP/1.0', host: null }, 200, 'ends'],
    ['HTTP/1.0 kept alive', { ...KEPT, host: null }, 200, 'on'],
    ['HTTP/1.2', { version: 'HTTP/1.2' }, 400, 'ends'],
    ['HTTP/2.0', { version: 'HTTP/2.0' }, 400, 'ends'],
    ['HTTP/3', { version: 'HTTP/3' }, 400, 'ends'],
    ['HTTP/01.1', { version: 'HTTP/01.1' }, 400, 'ends'],
    ['http/1.1', { version: 'http/1.1' }, 400, 'ends'],
  ],
  'RFC 9112 section 3.2, the target': [
    ['the origin form', {}, 200, 'on'],
    ['two slashes, which are a path and no host', { target: `//a${STATS}` }, 404, 'on'],
    ['the absolute form', { target: `http://a${STATS}` }, 200, 'on'],
    ['the absolute form of https', { target: `https://a:8443${STATS}` }, 200, 'on'],
    ['the absolute form with another host than Host', { target: `http://b${STATS}` }, 200, 'on'],
    ['the absolute form without Host', { target: `http://a${STATS}`, host: null }, 400, 'ends'],
    ['the absolute form without a path', { target: 'http://a' }, 404, 'on'],
    ['the absolute form without a host', { target: `http://${STATS}` }, 400, 'ends'],
    ['the absolute form with a port alone', { target: `http://:80${STATS}` }, 400, 'ends'],
    ['the absolute form with user information', { target: `http://a@b${STATS}` }, 400, 'ends'],
    ['the absolute form of a host that is none', { target: `http://a[b${STATS}` }, 400, 'ends'],
    ['another scheme', { target: `ws://a${STATS}` }, 400, 'ends'],
    ['a host and a port', { target: 'a:80' }, 400, 'ends'],
    ['no slash', { target: 'api/public/stats' }, 400, 'ends'],
    ['* with OPTIONS', { method: 'OPTIONS', target: '*' }, 204, 'on'],
    ['* with GET', { target: '*' }, 400, 'ends'],
    ['* and more', { method: 'OPTIONS', target: '*/' }, 400, 'ends'],
    ['a byte over 127', { target: '/api/analytics/trending?category=\xE4' }, 400, 'ends'],
    ['NUL', { target: '/api\0' }, 400, 'ends'],
    ['white space', { target: '/api/public stats' }, 400, 'ends'],
    ['4,096 bytes', { target: `${STATS}?${'x'.repeat(4096 - STATS.length - 1)}` }, 200, 'on'],
    ['4,097 bytes', { target: `${STATS}?${'x'.repeat(4097 - STATS.length - 1)}` }, 414, 'ends'],
    ['4,097 bytes of the absolute form', { target: `http://a/${'x'.repeat(4088)}` }, 414, 'ends'],
    ['30 KiB', { target: `/${'x'.repeat(30_000)}` }, 414, 'ends'],
    ['3 MB', { target: `/${'x'.repeat(3_000_000)}` }, 414, 'ends'],
  ],
  'RFC 9112 section 3.2 and RFC 9110 section 7.2, Host': [
    HOST(null, 400),
    // A client that knows no name sends it empty.
    HOST('', 200),
    ...[
      'ideas.example.org',
      'ideas.example.org:8443',
      'ideas.example.org:',
      '192.0.2.1:80',
      '[2001:db8::1]:80',
      'a_b~c.%C3%A4',
    ].map((host) => HOST(host, 200)),
    ...[
      'a b',
      'a, b',
      'a/b',
      'a?b',
      'a#b',
      'a\\b',
      'user@a',
      'http://a',
      'a:http',
      'a:80:80',
      '2001:db8::1',
      '[2001:db8::1',
      '[a.example]',
      'a%',
      'a%zz',
      '"><script>',
      '\xE4',
    ].map((host) => HOST(host, 400)),
    ['two that are equal', { lines: ['Host: a'] }, 400, 'ends'],
    ['two that differ', { lines: ['hOsT: b'] }, 400, 'ends'],
    ['two, with a thousand headers between', { lines: [...Array<string>(1200).fill('X:'), 'Host: a'] }, 400, 'ends'],
    ['two, with HTTP/1.0', { version: 'HTTP/1.0', lines: ['Host: a'] }, 400, 'ends'],
  ],
  'RFC 9112 section 5, headers': [
    ['without white space', { lines: ['X:a'] }, 200, 'on'],
    ['an empty value', { lines: ['X:'] }, 200, 'on'],
    ['white space before the colon', { lines: ['X : a'] }, 400, 'ends'],
    ['no colon', { lines: ['X'] }, 400, 'ends'],
    ['no name', { lines: [': a'] }, 400, 'ends'],
    ['a folded line', { lines: ['X: a', ' b'] }, 400, 'ends'],
    ['a line folded with a tab', { lines: ['X: a', '\tb'] }, 400, 'ends'],
    ['a folded Host', { host: 'a\r\n b' }, 400, 'ends'],
    ['a name that objects have', { lines: ['__proto__: x', 'constructor: y', 'toString: z'] }, 200, 'on'],
    ['bytes over 127 in a value', { lines: ['X: \x80\xFF'] }, 200, 'on'],
    ['a byte over 127 in a name', { lines: ['X\xE4: a'] }, 400, 'ends'],
    ['NUL', { lines: ['X: \0'] }, 400, 'ends'],
    ['BEL', { lines: ['X: \x07'] }, 400, 'ends'],
    ['8 KiB of them', { lines: [`X: ${'x'.repeat(8192 - 'Host: a\r\nX: \r\n'.length)}`] }, 200, 'on'],
    ['a byte more', { lines: [`X: ${'x'.repeat(8193 - 'Host: a\r\nX: \r\n'.length)}`] }, 431, 'ends'],
    ['over 8 KiB together', { lines: Array<string>(1400).fill('X: y') }, 431, 'ends'],
    ['more than node:http keeps', { lines: Array<string>(2500).fill('X:') }, 431, 'ends'],
    ['a flood', { lines: Array<string>(400_000).fill('X: y') }, 431, 'ends'],
  ],
  'RFC 9112 section 6, framing: in doubt the connection ends': [
    ['Content-Length: 0', { lines: ['Content-Length: 0'] }, 200, 'on'],
    ['a body', BODY, 413, 'ends'],
    ['a body that does not come', { lines: ['Content-Length: 300'] }, 413, 'ends'],
    ['a body of 20 MB', { lines: ['Content-Length: 20000000'], body: 'x'.repeat(20_000_000) }, 413, 'ends'],
    ['a body to what takes none, beside the API', { target: '/nowhere', ...BODY }, 404, 'ends'],
    ['a body of HEAD', { method: 'HEAD', ...BODY }, 413, 'ends'],
    ['a body that is read over', { target: '/healthz', ...BODY }, 200, 'on'],
    ['chunks that are read over', { target: '/healthz', lines: [CHUNKED], body: '3\r\nabc\r\n0\r\n\r\n' }, 200, 'on'],
    ['two lengths', { lines: ['Content-Length: 3', 'Content-Length: 4'], body: 'abc' }, 400, 'ends'],
    ['the same length twice', { lines: ['Content-Length: 3', 'Content-Length: 3'], body: 'abc' }, 400, 'ends'],
    ['a list of lengths', { lines: ['Content-Length: 3, 3'], body: 'abc' }, 400, 'ends'],
    ['a length with a sign', { lines: ['Content-Length: +3'], body: 'abc' }, 400, 'ends'],
    ['a length in hexadecimal', { lines: ['Content-Length: 0x3'], body: 'abc' }, 400, 'ends'],
    ['a length without end', { lines: [`Content-Length: ${'9'.repeat(40)}`] }, 400, 'ends'],
    ['no length', { lines: ['Content-Length:'] }, 400, 'ends'],
    ['length, then chunks', { lines: ['Content-Length: 5', CHUNKED], body: '0\r\n\r\n' }, 400, 'ends'],
    ['chunks, then length', { lines: [CHUNKED, 'Content-Length: 5'], body: '0\r\n\r\n' }, 400, 'ends'],
    ['chunks', { lines: [CHUNKED], body: '3\r\nabc\r\n0\r\n\r\n' }, 413, 'ends'],
    ['chunks, extended', { lines: [CHUNKED], body: '3;a=b\r\nabc\r\n0\r\nX: y\r\n\r\n' }, 413, 'ends'],
    ['a chunk of no size', { lines: [CHUNKED], body: 'zz\r\nabc\r\n0\r\n\r\n' }, 413, 'ends'],
    ['a chunk of a negative size', { lines: [CHUNKED], body: '-1\r\nabc\r\n0\r\n\r\n' }, 413, 'ends'],
    ['a chunk without end', { lines: [CHUNKED], body: 'ffffffffffffffffff\r\nabc' }, 413, 'ends'],
    ['a chunk longer than it says', { lines: [CHUNKED], body: '1\r\nabc\r\n0\r\n\r\n' }, 413, 'ends'],
    ['chunked in capitals', CODED(' CHUNKED'), 413, 'ends'],
    ['chunked last of two', CODED(' gzip, chunked'), 413, 'ends'],
    ['chunked not last', CODED(' chunked, gzip'), 400, 'ends'],
    ['chunked not last, in two lines', { lines: [CHUNKED, 'Transfer-Encoding: gzip'], body: EMPTY }, 400, 'ends'],
    ['chunked twice', { lines: [CHUNKED, CHUNKED], body: EMPTY }, 400, 'ends'],
    ['another coding', { lines: ['Transfer-Encoding: gzip'] }, 400, 'ends'],
    ['another coding of POST', { method: 'POST', lines: ['Transfer-Encoding: gzip'] }, 400, 'ends'],
    ['identity', { lines: ['Transfer-Encoding: identity'] }, 400, 'ends'],
    ['nearly chunked', CODED(' xchunked'), 400, 'ends'],
    ['chunked in quotes', CODED(' "chunked"'), 400, 'ends'],
    ['chunked behind a control character', CODED(' \x0Bchunked'), 400, 'ends'],
    ['white space before the colon', { lines: ['Transfer-Encoding : chunked'], body: EMPTY }, 400, 'ends'],
    ['no coding', { lines: ['Transfer-Encoding:'] }, 400, 'ends'],
    ['chunks of HTTP/1.0', KEPT_CHUNKED, 413, 'ends'],
    ...['healthz', 'public/stats.json', 'snapshots/current/manifest.json', 'snapshots/current/public/stats.json'].map(
      (path): Row => [`chunks of HTTP/1.0 for ${path}`, { target: `/${path}`, ...KEPT_CHUNKED }, 200, 'ends'],
    ),
  ],
  'RFC 9112 section 9 and RFC 9110 section 7, the connection': [
    ['Connection: close', { lines: ['Connection: close'] }, 200, 'ends'],
    ['close among others', { lines: ['Connection: x, Close'] }, 200, 'ends'],
    ['Connection that names another header', { lines: ['Connection: Host, X-Forwarded-For'] }, 200, 'on'],
    ['TE', { lines: ['TE: trailers, deflate;q=0.5', 'Connection: TE'] }, 200, 'on'],
    ['Trailer', { lines: ['Trailer: X'] }, 200, 'on'],
    // An upgrade is not taken up, but node:http has stopped to read: what follows must be asked again.
    [
      'Upgrade to h2c',
      { lines: ['Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AA'] },
      200,
      'ends',
    ],
    ['Upgrade to a web socket', { lines: ['Connection: Upgrade', 'Upgrade: websocket'] }, 200, 'ends'],
    ['Upgrade of a file', { target: '/snapshots/current/public/stats.json', lines: UPGRADE }, 200, 'ends'],
    ['Upgrade that Connection does not name', { lines: ['Upgrade: h2c'] }, 200, 'ends'],
    ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400, 'ends'],
  ],
  'RFC 9110 section 9, methods': [
    ['HEAD', { method: 'HEAD' }, 200, 'on'],
    ['OPTIONS', { method: 'OPTIONS' }, 204, 'on'],
    ['OPTIONS of the absolute form', { method: 'OPTIONS', target: 'http://a' }, 204, 'on'],
    ['TRACE', { method: 'TRACE' }, 405, 'on'],
    ['TRACE with a body', { method: 'TRACE', lines: ['Content-Length: 1'], body: 'x' }, 405, 'ends'],
    ['CONNECT', { method: 'CONNECT', target: 'a:443' }, 405, 'ends'],
    ['CONNECT of a path', { method: 'CONNECT' }, 405, 'ends'],
    ['one that nobody knows', { method: 'BREW' }, 405, 'ends'],
    ['in lower case', { method: 'get' }, 405, 'ends'],
    ['none', { method: '' }, 400, 'ends'],
    ['one that is no token', { method: 'GE(T' }, 400, 'ends'],
  ],
  'RFC 9110 section 10.1.1, Expect': [
    // It is not known whether the body will come: the connection ends.
    ['100-continue with a body', { lines: ['Content-Length: 3', 'Expect: 100-continue'] }, 413, 'ends'],
    ['100-continue without', { lines: ['Expect: 100-continue'] }, 200, 'ends'],
    ['100-continue of POST', { method: 'POST', lines: ['Content-Length: 3', 'Expect: 100-continue'] }, 405, 'ends'],
    ['of HTTP/1.0', { ...KEPT, lines: ['Expect: 100-continue', ...KEPT.lines] }, 200, 'on'],
    ['something else', { lines: ['Expect: 200-ok'] }, 200, 'on'],
  ],
}

describe.each(Object.entries(TABLE))('%s', (_, rows) => {
  test.each(rows)('%s', async (_what, sent, status, then) => {
    const text = typeof sent === 'string' ? sent : requestOf(sent)
    const goesOn = then === 'on'
    // Its answers have a length and no body: where they end cannot be told from them.
    const isHead = typeof sent !== 'string' && sent.method === 'HEAD'
    const bounds = { answers: goesOn ? 2 : Infinity, forMs: isHead ? 500 : 3_000 }
    const { answers, closed, text: said } = await converse(served().port, [text + NEXT], bounds)
    const statuses = Array.from(said.matchAll(/HTTP\/1\.1 (\d{3}) /g), ([, digits]) => Number(digits))
    expect(statuses).toEqual(goesOn ? [status, 200] : [status])
    const [first] = answers
    expect(first?.headers['connection']).toBe(goesOn ? 'keep-alive' : 'close')
    expect(closed).toBe(!goesOn)
    expect(first?.headers['date']).toMatch(/ GMT$/)
    if (status < 400) return
    expect(first?.headers).toMatchObject({
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
      'cache-control': 'no-store',
      'content-type': 'application/json; charset=utf-8',
      'x-content-type-options': 'nosniff',
    })
    if ([400, 408, 414, 431].includes(status)) expect(first?.headers).not.toHaveProperty('x-ratelimit-limit')
    if (!isHead) expect(Object.keys(JSON.parse(first?.body ?? '') as object)).toEqual(['error', 'message'])
    if (status === 405) expect(first?.headers['allow']).toBe('GET, HEAD, OPTIONS')
  })
})

test.each([
  ['none', null, 'it must have exactly one Host header'],
  ['two', 'a\r\nHost: a', 'it must have exactly one Host header'],
  ['one that is none', 'a b', 'its Host is not a host'],
])('what is wrong with Host is said: %s', async (_, host, problem) => {
  const { answers } = await converse(served().port, [requestOf({ host })])
  expect(answers[0]?.body).toContain(problem)
})

test('the rest of a packet that was dropped behind an Upgrade is never answered by half', async () => {
  const upgrade = requestOf({ lines: UPGRADE })
  const { answers, closed } = await converse(served().port, [requestOf({}) + upgrade + NEXT + NEXT, NEXT])
  expect(answers.map(({ status, whole }) => [status, whole])).toEqual([
    [200, true],
    [200, true],
  ])
  expect(closed).toBe(true)
})
