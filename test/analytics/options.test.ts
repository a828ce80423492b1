import { array, assert, constantFrom, oneof, property, string } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { publishedUrl } from '../../src/analytics/options.ts'

const SITE = 'https://ideas.example/base'

describe('a url is published', () => {
  test.each([
    ['as a path joined to the site', '/ideas/7', `${SITE}/ideas/7`, '/ideas/7'],
    ['with query and fragment', '/a?b=c&d="e"#f', `${SITE}/a?b=c&d=%22e%22#f`, '/a?b=c&d=%22e%22#f'],
    ['the root', '/', `${SITE}/`, '/'],
    ['with dots that are no segment', '/a..b/.c/d.html', `${SITE}/a..b/.c/d.html`, '/a..b/.c/d.html'],
    ['without its dot segments', '/a/./b/../c', `${SITE}/a/c`, '/a/c'],
    ['without dot segments that lead out of the folder', '/../../x', 'https://ideas.example/x', '/x'],
    ['without dot segments that are encoded', '/%2e%2E/x', 'https://ideas.example/x', '/x'],
    ['without line breaks and tabs', '/a\r\nb\tc', `${SITE}/abc`, '/abc'],
    ['without backslashes', '/a\\b', `${SITE}/a/b`, '/a/b'],
    ['with spaces and letters encoded', '/é b', `${SITE}/%C3%A9%20b`, '/%C3%A9%20b'],
    ['with an @, which is no user in a path', '/@me', `${SITE}/@me`, '/@me'],
    ['never as another host, however that is written', '/.//evil.example', `${SITE}//evil.example`, null],
    ['never as another host, by a way around', '/x/..//evil.example', `${SITE}//evil.example`, null],
    ['absolute as it is', 'https://example.org/x?y', 'https://example.org/x?y', 'https://example.org/x?y'],
    ['http, too', 'http://example.org', 'http://example.org/', 'http://example.org/'],
    ['whatever the case of the scheme', 'HTTPS://EXAMPLE.ORG', 'https://example.org/', 'https://example.org/'],
    [
      'absolute without line breaks',
      'https://example.org/a\r\nb\n',
      'https://example.org/ab',
      'https://example.org/ab',
    ],
    ['absolute without dot segments', 'https://h/a/../b', 'https://h/b', 'https://h/b'],
    ['absolute without backslashes', 'https://h\\@evil.example', 'https://h/@evil.example', 'https://h/@evil.example'],
    [
      'absolute with its host in ASCII',
      'https://bücher.example',
      'https://xn--bcher-kva.example/',
      'https://xn--bcher-kva.example/',
    ],
    [
      'as an IRI, in one form whatever the version of Node.js leaves',
      '/a|b^[c]%zz?d[]={e}#f#g',
      `${SITE}/a%7Cb%5E%5Bc%5D%25zz?d%5B%5D=%7Be%7D#f%23g`,
      '/a%7Cb%5E%5Bc%5D%25zz?d%5B%5D=%7Be%7D#f%23g',
    ],
    ['absolute with the address of a host', 'http://[::1]/x|y', 'http://[::1]/x%7Cy', 'http://[::1]/x%7Cy'],
    ['not at all when there is none', null, null, null],
  ])('%s', (_, url, withSite, withoutSite) => {
    expect([publishedUrl(url, SITE), publishedUrl(url, null)]).toEqual([withSite, withoutSite])
  })
})

test('an address full of # takes no longer than it is', () => {
  const marks = '#'.repeat(200_000)
  expect(publishedUrl(`/a${marks}`, null)).toBe(`/a#${'%23'.repeat(199_999)}`)
})

test('absolute is the same for each of many ideas, also when the engine has compiled it', () => {
  const hosts = Array.from({ length: 60_000 }, () => publishedUrl('https://bücher.example/?a', null))
  expect(new Set(hosts)).toEqual(new Set(['https://xn--bcher-kva.example/?a']))
})

// prettier-ignore
test.each([
  '', ' ', 'ideas/7', ' /ideas/7', '?x', '#x', '//evil.example/x', '/\\evil.example', '\\\\evil.example', '/\t/evil.example',
  '/\n\\evil.example', '/\r\n/evil.example', '\t//evil.example', 'javascript:alert(1)', 'JavaScript:alert(1)',
  'java\nscript:alert(1)', 'data:text/html,x', 'ftp://example.org', 'mailto:a@b.c', 'https:', 'https://', 'https:///x',
    'https:\\\\example.org', 'https://exa mple.org', 'https://[::1', ' https://example.org', 'xhttps://example.org',
  'https://user:password@example.org/x', 'https://user@example.org', 'https://:password@example.org', 'https://a.example\t@b.example/',
  'https://h:99999', 'vbscript:x', 'file:///etc/passwd', 'blob:https://h/x', '../x', './x', '..', '\r\n/x', '/\r/evil.example',
])('%j is published as null', (url) => {
  expect([publishedUrl(url, SITE), publishedUrl(url, null)]).toEqual([null, null])
})

test('whatever is published is an IRI that new URL() leaves as it is, on the host that was meant', () => {
  const part = constantFrom(...'/ \\ .. . @ : ? # | [ % %2e a é http: https: ; "'.split(' '), '\t', '\n', '\r', ' ')
  assert(
    property(array(oneof(part, string()), { maxLength: 8 }), constantFrom('', '/', 'https://'), (parts, start) => {
      const url = start + parts.join('')
      const [withSite, alone] = [publishedUrl(url, SITE), publishedUrl(url, null)]
      for (const published of [withSite, alone]) {
        if (published === null) continue
        const read = new URL(published, SITE)
        expect([read.username, read.password]).toEqual(['', ''])
        expect(published).toMatch(
          /^(?:https?:\/\/[^/?#]+)?(?:[^\s<>"{}|\\^`[\]%#]|%[\da-f]{2})*(?:#(?:[^\s<>"{}|\\^`[\]%#]|%[\da-f]{2})*)?$/i,
        )
        expect(published.startsWith('/') ? read.href.slice(read.origin.length) : read.href).toBe(published)
        if (start === '/') expect(read.origin).toBe(new URL(SITE).origin)
      }
    }),
    { numRuns: 3000 },
  )
})
