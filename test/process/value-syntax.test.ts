import { describe, expect, test } from 'vitest'
import { duration, httpUrl, integer, showDuration, showSize, size, anyText } from '../../src/process/value-syntax.ts'

const DAY_MS = 86_400_000

describe('a duration', () => {
  test.each([
    ['250ms', 250],
    ['30s', 30_000],
    ['5m', 300_000],
    ['24h', DAY_MS],
    ['7d', 7 * DAY_MS],
    ['007s', 7000],
    ['100ms', 100],
    ['30d', 30 * DAY_MS],
  ])('%s is %i ms', (given, value) => {
    expect(duration(100, 30 * DAY_MS)(given)).toEqual({ value })
  })

  // prettier-ignore
  test.each(['', '30', 's', '30 s', ' 30s', '30s\n', '-5s', '+5s', '1.5h', '1e3s', '30S', '30sec', '5w', '1h30m', '٣s', '0s', '99ms', '31d', '9999999999s'])(
    '%j is none, from 100ms to 30d',
    (given) => {
      expect(duration(100, 30 * DAY_MS)(given)).toEqual({ allowed: 'a duration such as 30s, 5m or 24h, from 100ms to 30d' })
    },
  )

  test('may be nothing where nothing is allowed', () => {
    expect(duration(0, 1000)('0s')).toEqual({ value: 0 })
  })

  test.each([
    [0, '0ms'],
    [250, '250ms'],
    [1500, '1500ms'],
    [60_000, '1m'],
    [90_000, '90s'],
    [DAY_MS, '24h'],
    [2 * DAY_MS, '2d'],
    [36 * 3_600_000, '36h'],
  ])('%i ms is shown as %s, which reads back', (ms, shown) => {
    expect(showDuration(ms)).toBe(shown)
    expect(duration(0, 366 * DAY_MS)(shown)).toEqual({ value: ms })
  })
})

describe('a size', () => {
  test.each([
    ['1024B', 1024],
    ['1KiB', 1024],
    ['64MiB', 64 * 1024 ** 2],
    ['2GiB', 2 * 1024 ** 3],
  ])('%s is %i bytes', (given, value) => {
    expect(size(1024, 2 * 1024 ** 3)(given)).toEqual({ value })
  })

  test.each(['', '64', '64 MiB', '64MB', '64mib', '64M', '1.5GiB', '-1KiB', '1023B', '3GiB', '9999999999999GiB'])(
    '%j is none, from 1KiB to 2GiB',
    (given) => {
      expect(size(1024, 2 * 1024 ** 3)(given)).toEqual({ allowed: 'a size such as 64MiB, from 1KiB to 2GiB' })
    },
  )

  test.each([
    [0, '0 B'],
    [1023, '1023 B'],
    [1024, '1 KiB'],
    [1536, '1.5 KiB'],
    [64 * 1024 ** 2, '64 MiB'],
    [5 * 1024 ** 4, '5120 GiB'],
  ])('%i bytes are shown as %s', (bytes, shown) => {
    expect(showSize(bytes)).toBe(shown)
  })
})

describe('a whole number', () => {
  test.each([
    ['1', 1],
    ['100', 100],
    ['007', 7],
  ])('%s', (given, value) => {
    expect(integer(1, 100)(given)).toEqual({ value })
  })

  test.each(['', '0', '101', '-1', '+1', '1.0', '1e2', '0x1', ' 1', '1\n', '٣', 'ten', '9'.repeat(30)])(
    'is not %j',
    (given) => {
      expect(integer(1, 100)(given)).toEqual({ allowed: 'a whole number from 1 to 100' })
    },
  )
})

test('a text is anything but nothing', () => {
  expect([anyText('a folder')(' '), anyText('a folder')('')]).toEqual([{ value: ' ' }, { allowed: 'a folder' }])
})

describe('an address', () => {
  test.each([
    ['https://ideas.example.org', 'https://ideas.example.org'],
    ['https://ideas.example.org/', 'https://ideas.example.org'],
    ['http://localhost:8080/a/b//', 'http://localhost:8080/a/b'],
    ['HTTPS://Ideas.example', 'https://ideas.example'],
    ['https://ideas.example:443/a/../b%20c', 'https://ideas.example/b%20c'],
    ['http://[::1]:8080', 'http://[::1]:8080'],
    ['https://example.org/@me', 'https://example.org/@me'],
  ])('%s is kept but for the last slash', (given, value) => {
    expect(httpUrl()(given)).toEqual({ value })
  })

  // prettier-ignore
  test.each([
    '', 'ideas.example.org', '//ideas.example.org', 'ftp://example.org', 'javascript:alert(1)', 'https:example.org', 'https:/example.org',
    'https://', 'https:///x', 'https:\\\\example.org', 'https://example.org?', 'https://example.org/?x', 'https://example.org#',
    ' https://example.org', 'https://example.org ', 'https://exa mple.org', 'https://me@example.org', 'https://:pw@example.org',
    'https://example.org:99999', 'https://example.org\n',
  ])('%j is none: paths are joined to it', (given) => {
    expect(httpUrl()(given)).toEqual({ allowed: 'an address such as https://ideas.example.org' })
  })

  // RDF and feeds have no place for them (RFC 3987, 2.2).
  test.each(['a|b', 'a^b', 'a`b', '{a}', '<a>', '"a"', '[a]', '100%', '%zz'])('with %j in its path is none', (path) => {
    const allowed = 'an address such as https://ideas.example.org, with %7C for | and so on'
    expect(httpUrl()(`https://example.org/${path}`)).toEqual({ allowed })
  })
})
