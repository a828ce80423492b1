import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { clientsBehind, type ClientKey } from '../../../src/proxy/limit/client-key.ts'
import { parseTrustedProxies } from '../../../src/proxy/limit/trusted-proxies.ts'
import { trusting } from '../../support/proxy.ts'

const { ofRequest: clientKey } = clientsBehind(trusting('loopback,10.0.0.0/8,2001:db8:aaaa::/48'))

/** The key of an IPv4 address, from its octets. */
const v4 = (a: number, b: number, c: number, d: number): ClientKey => (((a * 256 + b) * 256 + c) * 256 + d) | 0
/** The key of an IPv6 prefix, from its first four groups. */
const v6 = (a: number, b = 0, c = 0, d = 0): ClientKey => String.fromCharCode(a, b, c, d)

const CLIENT = v4(203, 0, 113, 9)
const LOOPBACK = v4(127, 0, 0, 1)
const SITE = v6(0x2001, 0xdb8, 0x1, 0x100)
const NOBODY: ClientKey = ''

describe('the address of a socket', () => {
  test.each<[what: string, ClientKey, (string | undefined)[]]>([
    [
      'IPv4 by its bits, however it is spelled',
      CLIENT,
      [
        '203.0.113.9',
        '::ffff:203.0.113.9',
        '::FFFF:203.0.113.9',
        '::ffff:cb00:7109',
        '0:0:0:0:0:ffff:cb00:7109',
        '0000:0000:0000:0000:0000:FFFF:203.0.113.9',
        '::ffff:203.0.113.9%eth0',
      ],
    ],
    ['the first IPv4 address', 0, ['0.0.0.0', '::ffff:0:0']],
    ['the last one', -1, ['255.255.255.255']],
    ['loopback', LOOPBACK, ['127.0.0.1']],
    ['what is not IPv4', v6(0), ['::203.0.113.9', '::cb00:7109', '::fffe:203.0.113.9', '::fffe:0:203.0.113.9']],
    [
      'what only looks translated',
      v6(0),
      ['::ffff:ffff:203.0.113.9', '::1:ffff:203.0.113.9', '::1:ffff:0:203.0.113.9'],
    ],
    ['zeros', v6(0), ['::', '::1']],
    [
      'IPv4 that NAT64 or SIIT has translated',
      CLIENT,
      ['64:ff9b::203.0.113.9', '64:ff9b::cb00:7109', '64:ff9b:1::203.0.113.9', '::ffff:0:203.0.113.9'],
    ],
    // RFC 6052 section 2.4: the well-known prefix.
    ['as the RFC has it', v4(192, 0, 2, 33), ['64:ff9b::192.0.2.33', '64:ff9b::c000:221', '64:ff9b::c000:0221%eth0']],
    // RFC 8215: any prefix of 96 bits, such as one that leaves checksums as they are.
    ['by the prefix of a network', v4(192, 0, 2, 33), ['64:ff9b:1:fffe::192.0.2.33', '64:ff9b:1:fe:dc:ba98:c000:221']],
    ['by any, an address that ends in zeros', v4(192, 0, 2, 1), ['64:ff9b:1::192.0.2.1']],
    ['beside them', v6(0x64, 0xff9b, 2), ['64:ff9b:2::192.0.2.33', '64:ff9b:2::']],
    ['and before', v6(0x64, 0xff9b), ['64:ff9b:0:1::192.0.2.33', '64:ff9b::1:c000:221', '64:ff9b::1:0:0']],
    // RFC 3056 section 2: 2002:V4ADDR::/48.
    ['6to4 by its router', CLIENT, ['2002:cb00:7109::1', '2002:cb00:7109:ffff:1:2:3:4']],
    ['6to4 with a high bit', v4(192, 0, 2, 4), ['2002:c000:204::']],
    // RFC 4380 section 4: server, flags, port and client, the last two with every bit inverted.
    ['Teredo by its NAT', v4(192, 0, 2, 45), ['2001:0:4136:e378:8000:63bf:3fff:fdd2', '2001::3fff:fdd2']],
    ['beside Teredo', v6(0x2001, 1), ['2001:1::3fff:fdd2']],
    ['a /56', SITE, ['2001:db8:1:100::1', '2001:db8:1:1ff:ffff:ffff:ffff:ffff', '2001:0DB8:0001:0142::']],
    ['its neighbour', v6(0x2001, 0xdb8, 1, 0x200), ['2001:db8:1:200::1']],
    ['its other neighbour', v6(0x2001, 0xdb8, 1, 0), ['2001:db8:1:ff::1']],
    ['what would be a pair of surrogates', v6(0xd800, 0xdc00, 0xdb8), ['d800:dc00:db8::1']],
    ['a link-local address, by any interface', v6(0xfe80), ['fe80::1%eth0', 'fe80::1%2', 'fe80::1']],
    ['a Unix socket, or a peer already gone', NOBODY, [undefined, '']],
  ])('%s', (_, expected, addresses) => {
    for (const address of addresses) expect(clientKey(address, undefined), address).toBe(expected)
  })

  test('is the client, whatever the header has, unless it is a trusted proxy', () => {
    for (const header of ['198.51.100.7', '127.0.0.1', '198.51.100.7, 127.0.0.1', '', 'unknown'])
      expect(clientKey('203.0.113.9', header), header).toBe(CLIENT)
    expect(clientKey(undefined, '198.51.100.7')).toBe(NOBODY)
  })
})

describe('X-Forwarded-For from a trusted socket', () => {
  test.each<[what: string, ClientKey, string[]]>([
    [
      'an IPv4 address',
      CLIENT,
      [
        '203.0.113.9',
        '  203.0.113.9\t ',
        '203.0.113.9:51034',
        '203.0.113.9:0',
        '[::ffff:203.0.113.9]:443',
        '[203.0.113.9]:443',
        '::ffff:cb00:7109',
      ],
    ],
    [
      'an IPv6 address',
      SITE,
      [
        '[2001:db8:1:100::1]',
        '[2001:db8:1:100::1]:443',
        '[2001:db8:1:100::1%eth0]:443',
        '[2001:db8:1:100::1%25eth0]',
        '2001:db8:1:100::1',
        '2001:db8:1:100::1:443',
      ],
    ],
    ['a link-local address', v6(0xfe80), ['fe80::1%eth0']],
    ['an address of NAT64, 6to4, Teredo', CLIENT, ['64:ff9b::203.0.113.9', '2002:cb00:7109::1', '2001:0:1::34ff:8ef6']],
    [
      "the right-most untrusted entry: what stands to its left is the client's own invention",
      CLIENT,
      [
        '198.51.100.7, 203.0.113.9',
        '127.0.0.1, 203.0.113.9',
        'unknown, 203.0.113.9',
        ', , 203.0.113.9',
        '203.0.113.9, 10.1.2.3',
        '203.0.113.9,10.1.2.3,127.0.0.1',
        '198.51.100.7,203.0.113.9,::ffff:10.1.2.3,::1',
        '203.0.113.9, ::ffff:a01:203',
        '203.0.113.9, [2001:db8:aaaa::5]:8080',
      ],
    ],
    ['beside a trusted /48', v6(0x2001, 0xdb8, 0xaaab), ['203.0.113.9, 2001:db8:aaab::5']],
    ['beside a trusted /8', v4(11, 0, 0, 1), ['203.0.113.9, 11.0.0.1']],
    ['what only looks mapped', v6(0), ['203.0.113.9, ::10.1.2.3']],
    ['all trusted: the left-most', v4(10, 1, 2, 3), ['10.1.2.3', '10.1.2.3, 10.4.5.6']],
    ['all trusted, IPv6', v6(0), ['::1, 10.4.5.6, 127.0.0.1']],
    [
      'unparsable: the last trusted hop',
      v4(10, 1, 2, 3),
      ['203.0.113.9, ,10.1.2.3', '203.0.113.9, unknown, 10.1.2.3', '203.0.113.9, _hidden, 10.1.2.3, 127.0.0.1'],
    ],
    [
      'unparsable: the socket',
      LOOPBACK,
      [
        '',
        ' ',
        ',',
        '203.0.113.9,',
        '203.0.113.9, unknown',
        '203.0.113.9, _SEVKISEK',
        '127.1',
        '10.1',
        '010.0.0.1',
        '0x0a.0.0.1',
        '3405803785',
        '203.0.113',
        '203.0.113.9.',
        '203.0.113.256',
        '203.0.113.9/32',
        '203.0.113.9%eth0',
        '203.0.113.9:',
        '203.0.113.9:65536',
        '203.0.113.9:http',
        '203.0.113.9:80:80',
        '203.0.113.9 198.51.100.7',
        '"203.0.113.9"',
        'for=203.0.113.9',
        '203.0.113.9\u00A0',
        '２03.0.113.9',
        '::ffff:010.0.0.1',
        '2001:db8:::1',
        '2001:db8::1::2',
        '1:2:3:4:5:6:7:8:9',
        '2001:db8::12345',
        'fe80::1%',
        '[fe80::1',
        '[]',
        '[::1]443',
        '[::1]:',
        '::1]',
        'localhost',
        '203.0.113.9; DROP TABLE',
        `[fe80::1%${'e'.repeat(100)}]`,
      ],
    ],
  ])('%s', (_, expected, headers) => {
    for (const header of headers)
      for (const socket of ['127.0.0.1', '::ffff:127.0.0.1']) expect(clientKey(socket, header), header).toBe(expected)
  })

  // http/head.ts refuses a head with more.
  test('an 8 KiB list is read to its end, whatever fills it', () => {
    const hops = '10.1.2.3,'.repeat(900)
    expect(clientKey('127.0.0.1', `203.0.113.9,${hops}127.0.0.1`)).toBe(CLIENT)
    expect(clientKey('127.0.0.1', `${'x,'.repeat(4_000)}203.0.113.9`)).toBe(CLIENT)
    for (const filler of ['9', ' ', ',', '1.', ':', '[', '%']) {
      expect(clientKey('127.0.0.1', filler.repeat(8_000)), filler).toBe(LOOPBACK)
      expect(clientKey('127.0.0.1', `${filler.repeat(8_000)},203.0.113.9`), filler).toBe(CLIENT)
    }
  })
})

describe('a network that puts IPv4 into a shorter prefix of RFC 8215', () => {
  // RFC 6052 section 2.2: prefixes of 48, 56 and 64 bits, for 192.0.2.33.
  test.each(['64:ff9b:1:c000:2:2100::', '64:ff9b:1:c0:0:221::', '64:ff9b:1:0:c0:2:2100::'])(
    '%s: each address is a client',
    (address) => {
      const key = clientKey(address, undefined)
      expect(key).toBe(clientKey(`${address}%eth0`, undefined))
      expect(key).not.toBe(clientKey(address.replace('::', ':1::'), undefined))
      expect(key).not.toBe(clientKey(address.replace('21', '22'), undefined))
    },
  )
})

describe('every spelling of an address is one client', () => {
  test('IPv6, against the groups it was written from and the URL parser of Node', () => {
    const group = fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 0xffff }))
    fc.assert(
      fc.property(fc.array(group, { minLength: 8, maxLength: 8 }), (groups) => {
        const { ofRequest: key } = clientsBehind([])
        const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = groups
        const long = groups.map((part) => part.toString(16).padStart(4, '0')).join(':')
        const compressed = new URL(`http://[${long}]`).hostname.slice(1, -1)
        const dotted = `${long.split(':').slice(0, 6).join(':')}:${g >> 8}.${g & 255}.${h >> 8}.${h & 255}`
        const zeros = [a, b, c, d].every((part) => part === 0)
        const isMapped = zeros && ((e === 0 && f === 0xffff) || (e === 0xffff && f === 0))
        // Prefixes that carry addresses of IPv4 are tested above.
        fc.pre(![0x64, 0x2001, 0x2002].includes(a))
        const expected = isMapped ? (g << 16) | h : v6(a, b, c, d - (d % 2 ** 8))
        for (const text of [long, long.toUpperCase(), compressed, dotted, `${compressed}%lo`])
          expect(key(text, undefined), text).toBe(expected)
      }),
    )
  })

  test('arbitrary text never throws, and without a digit or a colon it is no address', () => {
    const piece = fc.constantFrom('1', '255', '256', 'ffff', '0', ':', '::', '.', ',', '%', '[', ']', ' ', '\t', 'x')
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(piece).map((pieces) => pieces.join('')),
        ),
        (header) => {
          const key = clientKey('127.0.0.1', header)
          expect(['number', 'string']).toContain(typeof key)
          if (!/[\d:]/.test(header)) expect(key).toBe(LOOPBACK)
        },
      ),
      { numRuns: 2000 },
    )
  })
})

describe('trusted proxies', () => {
  test.each<[string, trusted: string[], untrusted: string[]]>([
    ['loopback', ['127.0.0.1', '127.255.0.1', '::1', '::ffff:127.0.0.1'], ['128.0.0.1', '::', '::2', '::127.0.0.1']],
    ['192.0.2.1', ['192.0.2.1', '::ffff:192.0.2.1', '::ffff:c000:201'], ['192.0.2.2']],
    ['::ffff:192.0.2.1', ['192.0.2.1', '::ffff:192.0.2.1'], ['192.0.2.2', '::192.0.2.1']],
    ['::ffff:192.0.2.0/120', ['192.0.2.255', '::ffff:192.0.2.1'], ['192.0.3.0']],
    ['::ffff:0:0/96', ['0.0.0.0', '255.255.255.255'], ['::1']],
    ['192.0.2.77/24', ['192.0.2.1', '192.0.2.255'], ['192.0.3.1']],
    ['0.0.0.0/0', ['198.51.100.7'], ['2001:db8::1']],
    ['::/0', ['2001:db8::1', '::1'], ['198.51.100.7', '::ffff:198.51.100.7']],
    ['2001:db8::/32', ['2001:db8:ffff::1'], ['2001:db9::1']],
    ['2001:db8::/33', ['2001:db8:7fff::1'], ['2001:db8:8000::1']],
    ['2001:db8::1', ['2001:db8::1'], ['2001:db8::2']],
    [' loopback , 10.0.0.0/8 ', ['127.0.0.1', '10.9.9.9'], ['11.0.0.1']],
  ])('%s', (given, trusted, untrusted) => {
    const { ofRequest: key } = clientsBehind(trusting(given))
    for (const socket of trusted) expect(key(socket, '203.0.113.9'), socket).toBe(CLIENT)
    for (const socket of untrusted) expect(key(socket, '203.0.113.9'), socket).toBe(key(socket, undefined))
    for (const socket of untrusted) expect(key(socket, '203.0.113.9'), socket).not.toBe(CLIENT)
  })

  test.each<readonly [string, string]>([
    ['', ''],
    ['loopback,', ''],
    ['10.0.0.0/8, 10.0.0.0/33', '10.0.0.0/33'],
    ...[
      'private',
      'Loopback',
      '127.1',
      '10.0.0.0/33',
      '10.0.0.0/',
      '10.0.0.0/08',
      '10.0.0.0/255.0.0.0',
      '010.0.0.0/8',
      '::/129',
      '::ffff:0:0/95',
      'fe80::1%eth0',
      'proxy.example.org',
      '10.0.0.0/8;::1',
    ].map((given): [string, string] => [given, given]),
  ])('%j is not allowed; the error names the item and what is allowed', (given, item) => {
    const allowed = expect.stringMatching(/IPv4 or IPv6 addresses, CIDR blocks .* and the word loopback/)
    expect(parseTrustedProxies(given)).toEqual({ allowed })
    expect(parseTrustedProxies(given)).toHaveProperty('allowed', expect.stringContaining(`"${item}" is none of these`))
  })
})
