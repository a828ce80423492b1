import { describe, expect, test } from 'vitest'
import { publishedUrl } from '../../src/analytics/options.ts'

const SITE = 'https://ideas.example/base'

describe('a url is published', () => {
  test.each([
    ['as a path joined to the site', '/ideas/7', `${SITE}/ideas/7`, '/ideas/7'],
    ['with query and fragment', '/a?b=c&d="e"#f', `${SITE}/a?b=c&d="e"#f`, '/a?b=c&d="e"#f'],
    ['the root', '/', `${SITE}/`, '/'],
    ['dots and all: a path is not resolved', '/../x', `${SITE}/../x`, '/../x'],
    ['absolute as it is', 'https://example.org/x?y', 'https://example.org/x?y', 'https://example.org/x?y'],
    ['http, too', 'http://example.org', 'http://example.org', 'http://example.org'],
    ['whatever the case of the scheme', 'HTTPS://EXAMPLE.ORG', 'HTTPS://EXAMPLE.ORG', 'HTTPS://EXAMPLE.ORG'],
    ['not at all when there is none', null, null, null],
  ])('%s', (_, url, withSite, withoutSite) => {
    expect([publishedUrl(url, SITE), publishedUrl(url, null)]).toEqual([withSite, withoutSite])
  })
})

// prettier-ignore
test.each([
  '', ' ', 'ideas/7', ' /ideas/7', '?x', '#x', '//evil.example/x', '/\\evil.example', '\\\\evil.example', '/\t/evil.example',
  '/\n\\evil.example', '/\r\n/evil.example', '\t//evil.example', 'javascript:alert(1)', 'JavaScript:alert(1)',
  'java\nscript:alert(1)', 'data:text/html,x', 'ftp://example.org', 'mailto:a@b.c', 'https:', 'https://', 'https:///x',
  'https:\\\\example.org', 'https://exa mple.org', 'https://[::1', ' https://example.org', 'xhttps://example.org',
])('%j is published as null', (url) => {
  expect([publishedUrl(url, SITE), publishedUrl(url, null)]).toEqual([null, null])
})
