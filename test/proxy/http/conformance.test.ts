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

function requestOf({
  method = 'GET',
  target = STATS,
  version = 'HTTP/1.1',
  host = 'a',
  lines = [],
  body,
}: Sent): string {
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

const TABLE: Readonly<Record<string, readonly Row[]>> = {
  'RFC 9112 section 2.2, message parsing': [
    ['one empty line before it', `\r\n${requestOf({})}`, 200, 'on'],
    ['white space before the first header', `GET ${STATS} HTTP/1.1\r\n X: a\r\nHost: a\r\n\r\n`, 400, 'ends'],
    ['a lone CR', { lines: ['X: a\rb'] }, 400, 'ends'],
    ['a lone CR for the end of a line', `GET ${STATS} HTTP/1.1\rHost: a\r\r`, 400, 'ends'],
  ],
  'RFC 9112 section 2.3, versions': [
    ['HTTP/0.9 without a version', `GET ${STATS}\r\n`, 400, 'ends'],
    ['HTTP/0.9', { version: 'HTTP/0.9' }, 400, 'ends'],
    ['HTTP/1.0', { version: 'HTTP/1.0', host: null }, 200, 'ends'],
    ['HTTP/1.0 kept alive', { version: 'HTTP/1.0', host: null, lines: ['Connection: keep-alive'] }, 200, 'on'],
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
  ],
  'RFC 9112 section 3.2 and RFC 9110 section 7.2, Host': [
    HOST(null, 400),
    // A client that knows no name sends it empty.
    HOST('', 200),
    HOST('ideas.example.org', 200),
    HOST('ideas.example.org:8443', 200),
    HOST('ideas.example.org:', 200),
    HOST('192.0.2.1:80', 200),
    HOST('[2001:db8::1]:80', 200),
    HOST('a_b~c.%C3%A4', 200),
    HOST('a b', 400),
    HOST('a, b', 400),
    HOST('a/b', 400),
    HOST('a?b', 400),
    HOST('a#b', 400),
    HOST('a\\b', 400),
    HOST('user@a', 400),
    HOST('http://a', 400),
    HOST('a:http', 400),
    HOST('a:80:80', 400),
    HOST('2001:db8::1', 400),
    HOST('[2001:db8::1', 400),
    HOST('[a.example]', 400),
    HOST('a%', 400),
    HOST('a%zz', 400),
    HOST('"><script>', 400),
    HOST('\xE4', 400),
    ['two that are equal', { lines: ['Host: a'] }, 400, 'ends'],
    ['two that differ', { lines: ['hOsT: b'] }, 400, 'ends'],
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
  ],
  'RFC 9112 section 6, framing: in doubt the connection ends': [
    ['Content-Length: 0', { lines: ['Content-Length: 0'] }, 200, 'on'],
    ['a body', { lines: ['Content-Length: 3'], body: 'abc' }, 413, 'ends'],
    [
      'a body to what takes none, beside the API',
      { target: '/nowhere', lines: ['Content-Length: 3'], body: 'abc' },
      404,
      'ends',
    ],
    ['a body of HEAD', { method: 'HEAD', lines: ['Content-Length: 3'], body: 'abc' }, 413, 'ends'],
    ['a body that is read over', { target: '/healthz', lines: ['Content-Length: 3'], body: 'abc' }, 200, 'on'],
    ['chunks that are read over', { target: '/healthz', lines: [CHUNKED], body: '3\r\nabc\r\n0\r\n\r\n' }, 200, 'on'],
    ['two lengths', { lines: ['Content-Length: 3', 'Content-Length: 4'], body: 'abc' }, 400, 'ends'],
    ['the same length twice', { lines: ['Content-Length: 3', 'Content-Length: 3'], body: 'abc' }, 400, 'ends'],
    ['a list of lengths', { lines: ['Content-Length: 3, 3'], body: 'abc' }, 400, 'ends'],
    ['a length with a sign', { lines: ['Content-Length: +3'], body: 'abc' }, 400, 'ends'],
    ['a length in hexadecimal', { lines: ['Content-Length: 0x3'], body: 'abc' }, 400, 'ends'],
    ['no length', { lines: ['Content-Length:'] }, 400, 'ends'],
    ['length, then chunks', { lines: ['Content-Length: 5', CHUNKED], body: '0\r\n\r\n' }, 400, 'ends'],
    ['chunks, then length', { lines: [CHUNKED, 'Content-Length: 5'], body: '0\r\n\r\n' }, 400, 'ends'],
    ['chunks', { lines: [CHUNKED], body: '3\r\nabc\r\n0\r\n\r\n' }, 413, 'ends'],
    [
      'chunks with an extension and a trailer',
      { lines: [CHUNKED], body: '3;a=b\r\nabc\r\n0\r\nX: y\r\n\r\n' },
      413,
      'ends',
    ],
    ['a chunk of no size', { lines: [CHUNKED], body: 'zz\r\nabc\r\n0\r\n\r\n' }, 413, 'ends'],
    ['a chunk of a negative size', { lines: [CHUNKED], body: '-1\r\nabc\r\n0\r\n\r\n' }, 413, 'ends'],
    ['a chunk without end', { lines: [CHUNKED], body: 'ffffffffffffffffff\r\nabc' }, 413, 'ends'],
    ['a chunk longer than it says', { lines: [CHUNKED], body: '1\r\nabc\r\n0\r\n\r\n' }, 413, 'ends'],
    ['chunked in capitals', { lines: ['Transfer-Encoding: CHUNKED'], body: '0\r\n\r\n' }, 413, 'ends'],
    ['chunked last of two', { lines: ['Transfer-Encoding: gzip, chunked'], body: '0\r\n\r\n' }, 413, 'ends'],
    ['chunked not last', { lines: ['Transfer-Encoding: chunked, gzip'], body: '0\r\n\r\n' }, 400, 'ends'],
    ['chunked not last, in two lines', { lines: [CHUNKED, 'Transfer-Encoding: gzip'], body: '0\r\n\r\n' }, 400, 'ends'],
    ['chunked twice', { lines: [CHUNKED, CHUNKED], body: '0\r\n\r\n' }, 400, 'ends'],
    ['another coding', { lines: ['Transfer-Encoding: gzip'] }, 400, 'ends'],
    ['another coding of POST', { method: 'POST', lines: ['Transfer-Encoding: gzip'] }, 400, 'ends'],
    ['identity', { lines: ['Transfer-Encoding: identity'] }, 400, 'ends'],
    ['nearly chunked', { lines: ['Transfer-Encoding: xchunked'], body: '0\r\n\r\n' }, 400, 'ends'],
    ['chunked in quotes', { lines: ['Transfer-Encoding: "chunked"'], body: '0\r\n\r\n' }, 400, 'ends'],
    [
      'chunked behind a control character',
      { lines: ['Transfer-Encoding: \x0Bchunked'], body: '0\r\n\r\n' },
      400,
      'ends',
    ],
    [
      'chunked behind white space before the colon',
      { lines: ['Transfer-Encoding : chunked'], body: '0\r\n\r\n' },
      400,
      'ends',
    ],
    ['no coding', { lines: ['Transfer-Encoding:'] }, 400, 'ends'],
    [
      'chunks of HTTP/1.0',
      { version: 'HTTP/1.0', lines: [CHUNKED, 'Connection: keep-alive'], body: '0\r\n\r\n' },
      413,
      'ends',
    ],
    ...[
      '/healthz',
      '/public/stats.json',
      '/snapshots/current/manifest.json',
      '/snapshots/current/public/stats.json',
    ].map((target): Row => [
      `chunks of HTTP/1.0 for ${target}`,
      { target, version: 'HTTP/1.0', lines: [CHUNKED, 'Connection: keep-alive'], body: '0\r\n\r\n' },
      200,
      'ends',
    ]),
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
      { lines: ['Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABkAAQAAP__'] },
      200,
      'ends',
    ],
    ['Upgrade to a web socket', { lines: ['Connection: Upgrade', 'Upgrade: websocket'] }, 200, 'ends'],
    [
      'Upgrade of a file',
      { target: '/snapshots/current/public/stats.json', lines: ['Connection: Upgrade', 'Upgrade: h2c'] },
      200,
      'ends',
    ],
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
    [
      '100-continue of HTTP/1.0',
      { version: 'HTTP/1.0', lines: ['Expect: 100-continue', 'Connection: keep-alive'] },
      200,
      'on',
    ],
    ['something else', { lines: ['Expect: 200-ok'] }, 200, 'on'],
  ],
}

describe.each(Object.entries(TABLE))('%s', (_, rows) => {
  test.each(rows)('%s', async (_what, sent, status, then) => {
    const text = typeof sent === 'string' ? sent : requestOf(sent)
    const goesOn = then === 'on'
    // Its answers have a length and no body: where they end cannot be told from them.
    const isHead = typeof sent !== 'string' && sent.method === 'HEAD'
    const {
      answers,
      closed,
      text: said,
    } = await converse(served().port, [text + NEXT], { answers: goesOn ? 2 : Infinity, forMs: isHead ? 500 : 3_000 })
    const statuses = Array.from(said.matchAll(/HTTP\/1\.1 (\d{3}) /g), ([, digits]) => Number(digits))
    expect(statuses).toEqual(goesOn ? [status, 200] : [status])
    const [first] = answers
    expect(first?.headers['connection']).toBe(goesOn ? 'keep-alive' : 'close')
    expect(closed).toBe(!goesOn)
    expect(first?.headers['date']).toMatch(/ GMT$/)
    if (status < 400) return
    expect(first?.headers).toMatchObject({
      'cache-control': 'no-store',
      'content-type': 'application/json; charset=utf-8',
    })
    if (!isHead) expect(Object.keys(JSON.parse(first?.body ?? '') as object)).toEqual(['error', 'message'])
    if (status === 405) expect(first?.headers['allow']).toBe('GET, HEAD, OPTIONS')
  })
})

test('the rest of a packet that was dropped behind an Upgrade is never answered by half', async () => {
  const upgrade = requestOf({ lines: ['Connection: Upgrade', 'Upgrade: h2c'] })
  const { answers, closed } = await converse(served().port, [requestOf({}) + upgrade + NEXT + NEXT, NEXT])
  expect(answers.map(({ status, whole }) => [status, whole])).toEqual([
    [200, true],
    [200, true],
  ])
  expect(closed).toBe(true)
})
