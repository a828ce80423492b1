// How wide a terminal is, and whether it shows colours (screen.ts); text that fits it (printable.ts).
import { describe, expect, test } from 'vitest'
import { columnsOf, folded, short } from '../../src/process/printable.ts'
import { screenOf } from '../../src/process/screen.ts'

const TERMINAL = { isTTY: true, columns: 100 }
const XTERM = { TERM: 'xterm-256color' }

describe('a screen', () => {
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
    expect(screenOf(stream, env).ink.bad('x')).toBe(coloured ? '\u001B[31mx\u001B[39m' : 'x')
  })

  test.each([
    [TERMINAL, 100],
    [{ isTTY: true, columns: 0 }, null],
    [{ isTTY: true }, null],
    [{ columns: 80 }, null],
  ])('of %j is %s columns wide', (stream, width) => {
    expect(screenOf(stream, {}).width).toBe(width)
  })

  test('paints nothing where there is nothing', () => {
    expect(screenOf(TERMINAL, XTERM).ink.warn('')).toBe('')
  })
})

describe('text for it', () => {
  test.each([
    ['short', 5, 'short'],
    ['longer', 5, 'long…'],
    ['漢字漢字', 8, '漢字漢字'],
    ['漢字漢字', 7, '漢字漢…'],
    ['漢字漢字', 6, '漢字…'],
    ['👍 family', 6, '👍 fa…'],
  ])('%j is cut to %i columns as %j', (text, width, cut) => {
    expect(short(text, width)).toBe(cut)
    expect(columnsOf(cut)).toBeLessThanOrEqual(width)
  })

  test('is folded between words, with an indent, where there is a terminal', () => {
    const text = '  one two three four five'
    expect(folded(text, null)).toEqual([text])
    expect(folded(text, 12, '    ')).toEqual(['  one two', '    three', '    four', '    five'])
    expect(folded('漢字 漢字 漢字', 9)).toEqual(['漢字 漢字', '漢字'])
    expect(folded('one two three', 12, '      '), 'the first line is filled').toEqual(['one two', '      three'])
    expect(folded('  wider-than-that', 12, '   ')).toEqual(['  wider-than-that'])
  })
})
