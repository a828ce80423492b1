// src/site/page/html.ts
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { html, markup, webAddress, xml } from '../../../src/site/page/html.ts'
import { anyText } from '../../contract/any-text.ts'

/** What has broken out of pages before: markup, entities, ends of every kind of context, text that turns around. */
const HOSTILE = [
  `<script>alert(1)</script>`,
  `"><img src=x onerror=alert(1)>`,
  `' onmouseover='alert(1)`,
  '</title></style></script><!-- --><![CDATA[ ]]>',
  '&lt;b&gt;&amp;amp;',
  '\u202Egnirts desrever\u202C',
  '\0\x01\x1B\uFFFE\uFFFF\uD800',
  '${1+1}{{2+2}}<%= 3 %>',
]

const text = fc.oneof(anyText(), fc.constantFrom(...HOSTILE))
const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }
const decoded = (escaped: string): string => escaped.replaceAll(/&([a-z]+|#39);/g, (_, name: string) => entities[name]!)

const inHtml = (given: string): string =>
  given.replaceAll(/[^\P{Cc}\t\n\r]|\p{Noncharacter_Code_Point}|\p{Cs}/gu, '\uFFFD')

const inXml = (given: string): string =>
  Array.from(given)
    .filter((c) => {
      const n = c.codePointAt(0)!
      return n > 0x1f || '\t\n\r'.includes(c) ? !(n >= 0xd800 && n <= 0xdfff) && n !== 0xfffe && n !== 0xffff : false
    })
    .join('')

test('whatever a text has, a page shows it and nothing of it is markup', () => {
  fc.assert(
    fc.property(text, (given) => {
      const inside = html`<p title="${given}">${given}</p>`.text
      const [, title, shown] = /^<p title="([^"<>']*)">([^"<>']*)<\/p>$/.exec(inside)!
      expect(title).toBe(shown)
      expect(decoded(shown!)).toBe(inHtml(given))
    }),
  )
})

test('XML has only the characters that XML 1.0 has', () => {
  fc.assert(
    fc.property(text, (given) => {
      const [, shown] = /^<a b="([^"<>']*)"\/>$/.exec(xml`<a b="${given}"/>`.text)!
      expect(decoded(shown!)).toBe(inXml(given))
    }),
  )
})

test('so it is with each character by itself', () => {
  const wrong = Array.from({ length: 0x1_0000 + 1 }, (_, n) => String.fromCodePoint(n)).filter((c) => {
    const [page, feed] = [html`${c}`.text, xml`${c}`.text]
    return /[<>"']/.test(page + feed) || decoded(page) !== inHtml(c) || decoded(feed) !== inXml(c) || page === '&'
  })
  expect(wrong).toEqual([])
})

test('markup stays markup, lists are joined, and conditions that do not hold are nothing', () => {
  const items = ['a', '<b>'].map((item) => html`<li>${item}</li>`)
  expect(html`<ul>${items}</ul>${false}${null}${undefined}${0}${''}`.text).toBe(
    '<ul><li>a</li><li>&lt;b&gt;</li></ul>0',
  )
  expect(html`${markup('<br>')}`.text).toBe('<br>')
})

test('an object that only looks like markup is not', () => {
  const forged = { text: '<script>' } as unknown as string
  expect(() => html`${forged}`.text).toThrow()
})

test.each([
  ['unquoted', () => html`<a href=${'x'}>`],
  ['unquoted, after a quoted one', () => html`<a id="b" href=${'x'}> `],
  ['a name', () => html`<a ${'x'}=""> `],
])('a template that could not escape is refused: %s', (_, made) => {
  expect(made).toThrow('outside of a quoted attribute')
})

test('an attribute as a whole may depend on a condition, as markup', () => {
  expect(html`<a ${markup('hidden')}>`.text).toBe('<a hidden>')
})

test.each([
  ['https://example.org/a?b=c&d', null, 'https://example.org/a?b=c&d'],
  ['/ideas/1', null, null],
  ['/ideas/1', 'https://example.org/x', 'https://example.org/ideas/1'],
  ['javascript:alert(1)', 'https://example.org', null],
  [' java\nscript:alert(1)', 'https://example.org', null],
  ['data:text/html,x', null, null],
  ['https://[', null, null],
  [null, 'https://example.org', null],
])('%j on %j leads to %j', (address, base, expected) => {
  expect(webAddress(address, base)).toBe(expected)
})
