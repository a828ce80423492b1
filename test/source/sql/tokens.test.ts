import { array, assert, asyncProperty, constantFrom, oneof, property } from 'fast-check'
import { parse } from 'libpg-query'
import { escapeLiteral } from 'pg'
import { describe, expect, test } from 'vitest'
import { substitute, tokens, withSingleBlanks, wordsIn } from '../../../src/source/sql/tokens.ts'
import { anyText } from '../../contract/any-text.ts'

const LETTERS = { code: 'c', string: 's', identifier: 'i', comment: '-' } as const

/** The text with a letter for each character's kind, comments as `-`. */
const kinds = (sql: string): string =>
  tokens(sql)
    .map(({ kind, text }) => LETTERS[kind].repeat(text.length))
    .join('')

test.each([
  ['folded, quotes aside', `SELECT Ab, "Cd", a$1é FROM "x y".z`, ['select', 'ab', 'Cd', 'a$1é', 'from', 'x y', 'z']],
  ['of strings as they are, too', `to_jsonb(i) ->> 'isHidden'`, ['to_jsonb', 'i', 'isHidden', 'ishidden']],
  ['not of comments', `a -- b\n/* c */ d`, ['a', 'd']],
])('the words of SQL: %s', (_, sql, words) => {
  expect([...wordsIn(sql)]).toEqual(words)
})

describe('SQL is cut into code (c), strings (s), identifiers (i) and comments (-)', () => {
  test.each([
    ['a string', `a 'b' c`, `ccssscc`],
    ['a doubled quote', `'it''s' c`, `ssssssscc`],
    ['an empty string', `''c`, `ssc`],
    ['a backslash that escapes nothing', `'\\' c`, `ssscc`],
    ['E: a backslash escapes the quote', `E'\\'' c`, `csssscc`],
    ['e: the same', `e'\\\\' c`, `csssscc`],
    ['E: a doubled quote', `E'''' c`, `csssscc`],
    ['E behind a word is no E string', `name'\\' c`, `ccccssscc`],
    ['E behind a digit, a dollar, a letter beyond ASCII', `1E'\\'é E'`, `ccssscccs`],
    ['an E string that goes on in the next line', `E'a'\n '\\'' c`, `cssssssssscc`],
    ['an E string that goes on behind a comment', `E'a' -- c\n'\\'' c`, `c${'s'.repeat(13)}cc`],
    ['an E string that does not go on in its own line', `E'a' '\\' c`, `cssscssscc`],
    ['a plain string that goes on: no backslashes either', `'a'\n'\\' c`, `ssscssscc`],
    ['U& and X prefixes are code', `U&'\\0041'x`, `ccsssssssc`],
    ['an unclosed string', `a 'b`, `ccss`],
    ['an identifier', `"a'b" c`, `iiiiicc`],
    ['a doubled double quote', `"a""b"c`, `iiiiiic`],
    ['a line comment', `a--b'\nc`, `c-----c`],
    ['a line comment that a carriage return ends', `a--b'\rc`, `c-----c`],
    ['a line comment at the end', `a--b`, `c---`],
    ['one minus', `a-b`, `ccc`],
    ['a block comment', `a/*'*/b`, `c-----c`],
    ['nested block comments', `/*/**/*/b`, `--------c`],
    ['a block comment whose slash ends nothing', `/*/ */b`, `------c`],
    ['an unclosed block comment', `a/*/**/b`, `c-------`],
    ['a quote in a comment, a comment in a string', `--'\n'--'`, `----ssss`],
    ['dollar quotes', `$$a'b$$c`, `sssssssc`],
    ['dollar quotes with a tag', `$t$ $$ $x$ $t$c`, `${'s'.repeat(14)}c`],
    ['an unclosed dollar quote', `$t$ $$`, `ssssss`],
    ['a dollar in a word opens nothing', `a$b$c$b$`, `cccccccc`],
    ['a parameter opens nothing', `$1$2$`, `ccccc`],
    ['a tag is no number', `$1a$x$1a$`, `ccccccccc`],
    ['a tag beyond ASCII', `$é$'$é$c`, `sssssssc`],
    ['nothing', ``, ``],
  ])('%s: %s', (_, sql, expected) => {
    expect(kinds(sql)).toBe(expected)
  })

  test('nothing is lost or added, whatever it is', () => {
    const pieces = constantFrom(`'`, `"`, `E'`, `\\`, `$$`, `$t$`, `--`, `/*`, `*/`, `\n`, ` `, `x`, `:x`, `;`)
    assert(
      property(array(oneof(pieces, anyText({ maxLength: 3 }))), (parts) => {
        const sql = parts.join('')
        expect(
          tokens(sql)
            .map(({ text }) => text)
            .join(''),
        ).toBe(sql)
      }),
    )
  })
})

describe('one blank for comments and white space', () => {
  test.each([
    ['runs of blanks', 'SELECT  1,\n\t\r\n 2', 'SELECT 1, 2'],
    ['at the beginning and the end: none', '  \n-- c\nSELECT 1 /* d */ ', 'SELECT 1'],
    ['a remark between two words', 'SELECT/* a /* b */ */1', 'SELECT 1'],
    ['a remark that a carriage return ends', 'SELECT a -- c\rAND b', 'SELECT a AND b'],
    ['not in a string', "SELECT 'a  b' , E'a\\'  b'", "SELECT 'a  b' , E'a\\'  b'"],
    ['not in dollar quotes', 'SELECT $x$ a  -- b $x$  c', 'SELECT $x$ a  -- b $x$ c'],
    ['not in a quoted name', 'SELECT "a  b"  c', 'SELECT "a  b" c'],
    ['none where there was none: U& "x" is another thing', `U&"x"  U& "x" a- -1`, `U&"x" U& "x" a- -1`],
    ['a string that goes on in the next line', `'a'  \n  'b'`, `'a'\n'b'`],
    ['with a remark that ends in the line', `'a' -- c\n -- d\n 'b'`, `'a'\n'b'`],
    ['not behind a remark that does not', `'a' /* c */\n'b'`, `'a' 'b'`],
    ['not in the same line', `'a'  'b'`, `'a' 'b'`],
    ['no-break spaces are letters', 'a\u00a0\u00a0b', 'a\u00a0\u00a0b'],
  ])('%s: %s', (_, sql, expected) => {
    expect(withSingleBlanks(sql)).toBe(expected)
  })

  test("reads the same to PostgreSQL's own parser", async () => {
    const quotes = [`'`, `'a'`, `E'\\'`, `U&"`, `"b"`, `$$`, `$t$`, `--`, '/*', '*/', '\n', '\r', ' ', '\t']
    const pieces = constantFrom(...quotes, 'a', '1', '+', '-', '*', '/', ',', '(', ')', '.', '::', ' AS ', 'interval')
    const treeOf = (sql: string): Promise<string> =>
      parse(sql).then(
        (tree) => JSON.stringify(tree, (key, value: unknown) => (/location|_len$/.test(key) ? undefined : value)),
        () => 'an error',
      )
    let read = 0
    await assert(
      asyncProperty(array(pieces, { maxLength: 12 }), async (parts) => {
        const sql = `SELECT a ${parts.join('')}`
        const tree = await treeOf(sql)
        if (tree === 'an error') return
        read += 1
        expect(await treeOf(withSingleBlanks(sql)), sql).toBe(tree)
      }),
      { numRuns: 4000 },
    )
    expect(read).toBeGreaterThan(100)
  })
})

describe('a literal of pg', () => {
  test('is one string, wherever it is in code', () => {
    assert(
      property(anyText(), (text) => {
        const [, string, , ...more] = tokens(`SELECT ${escapeLiteral(text)} AS x`)
        const written = text.replaceAll("'", "''").replaceAll('\\', '\\\\')
        expect([string, more]).toEqual([{ kind: 'string', text: `'${written}'` }, []])
      }),
    )
  })
})

describe(':name is replaced', () => {
  test.each([
    ['in code', `WHERE t = :a AND u=:b`, `WHERE t = <a> AND u=<b>`],
    ['in brackets and lists', `IN (:a,:b)`, `IN (<a>,<b>)`],
    ['with a cast behind it', `:a::text`, `<a>::text`],
    ['behind an operator', `-:a||:_b1`, `-<a>||<_b1>`],
    ['at the beginning and the end', `:a :a`, `<a> <a>`],
    ['next to strings and comments', `'x'||:a/*:a*/`, `'x'||<a>/*:a*/`],
    ['but not in a string', `':a' E'\\':a' $$:a$$`, `':a' E'\\':a' $$:a$$`],
    ['but not in an identifier', `":a"`, `":a"`],
    ['but not in a comment', `-- :a\n/* :a */`, `-- :a\n/* :a */`],
    ['but not in a cast', `x::a, "x"::a, 'x'::a, (x)::a`, `x::a, "x"::a, 'x'::a, (x)::a`],
    ['but not in a slice', `x[1:n], x[lo:hi], x[y[1]:n]`, `x[1:n], x[lo:hi], x[y[1]:n]`],
    ['but not in an assignment', `f(x := 1)`, `f(x := 1)`],
    ['but not where a time has minutes', `interval 10:30`, `interval 10:30`],
    ['and a lone colon is left', `: :1 :-`, `: :1 :-`],
  ])('%s', (_, sql, expected) => {
    expect(substitute(sql, (name) => `<${name}>`)).toBe(expected)
  })

  test('by exactly its value, once', () => {
    expect(substitute(':a :b', (name) => `$& $1 :${name}`)).toBe('$& $1 :a $& $1 :b')
  })
})
