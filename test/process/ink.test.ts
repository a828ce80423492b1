// Whether a terminal shows colours (ink.ts); text that fits it (printable.ts).
import { describe, expect, test } from 'vitest'
import { inkFor } from '../../src/process/ink.ts'
import { short } from '../../src/process/printable.ts'

const TERMINAL = { isTTY: true }
const XTERM = { TERM: 'xterm-256color' }

describe('the colours', () => {
  test.each([
    ['a terminal', TERMINAL, XTERM, true],
    ['a terminal without TERM', TERMINAL, {}, true],
    ['a dumb terminal', TERMINAL, { TERM: 'dumb' }, false],
    ['NO_COLOR', TERMINAL, { ...XTERM, NO_COLOR: '1' }, false],
    ['NO_COLOR of any value', TERMINAL, { ...XTERM, NO_COLOR: 'false' }, false],
    ['an empty NO_COLOR, which is none', TERMINAL, { ...XTERM, NO_COLOR: '' }, true],
    ['FORCE_COLOR=0', TERMINAL, { ...XTERM, FORCE_COLOR: '0' }, false],
    ['FORCE_COLOR, which goes before NO_COLOR', TERMINAL, { ...XTERM, FORCE_COLOR: '1', NO_COLOR: '1' }, true],
    ['a pipe', {}, XTERM, false],
    ['a pipe with FORCE_COLOR', {}, { FORCE_COLOR: '1' }, true],
  ])('of %s', (_, stream, env, coloured) => {
    expect(inkFor(stream, env).bad('x')).toBe(coloured ? '\u001B[31mx\u001B[39m' : 'x')
  })

  test('paints nothing where there is nothing', () => {
    expect(inkFor(TERMINAL, XTERM).warn('')).toBe('')
  })
})

test.each([
  ['short', 5, 'short'],
  ['longer', 5, 'long…'],
  ['👍🏽👍🏽 family', 4, '👍🏽👍🏽 …'],
])('%j is cut to %i characters as %j', (text, width, cut) => {
  expect(short(text, width)).toBe(cut)
})
