// src/site/page/style.ts
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { accentsOf, CHART_COLOURS, contrast, styleSheet } from '../../../src/site/page/style.ts'

const source = readFileSync('src/site/assets/page.css', 'utf8')
const [light = '', dark = ''] = [...source.matchAll(/:root \{[^}]*--ground[^}]*\}/g)].map(([rule]) => rule)
const colours = (rule: string): Record<string, string> =>
  Object.fromEntries(
    [...rule.matchAll(/--(\w+): (#[\da-f]{3,6});/g)].map(([, name = '', hex = '']) => [
      name,
      hex === '#fff' ? '#ffffff' : hex,
    ]),
  )

test('charts that are files have the colours of the page', () => {
  expect(colours(light)).toMatchObject(CHART_COLOURS.light)
  expect(colours(dark)).toMatchObject(CHART_COLOURS.dark)
})

test.each([
  ['#000000', '#ffffff', 21],
  ['#777777', '#ffffff', 4.48],
  ['#ff0000', '#ffffff', 4],
])('the contrast of %s with %s is %d', (one, other, ratio) => {
  expect(contrast(one, other)).toBeCloseTo(ratio, 2)
  expect(contrast(other, one)).toBeCloseTo(ratio, 2)
})

test('text is readable on every surface of both themes', () => {
  for (const { ground = '', surface = '', ink = '', soft = '' } of [colours(light), colours(dark)])
    for (const text of [ink, soft])
      for (const below of [ground, surface]) expect(contrast(text, below)).toBeGreaterThanOrEqual(4.5)
})

test('marks and borders are seen on every surface of both themes', () => {
  for (const [{ ground = '', surface = '', faint = '' }, accent] of [
    [colours(light), accentsOf(null).light],
    [colours(dark), accentsOf(null).dark],
  ] as const)
    for (const below of [ground, surface])
      for (const mark of [faint, accent]) expect(contrast(mark, below)).toBeGreaterThanOrEqual(3)
})

test('whatever the accent, it is readable in both themes; one that is so already stays', () => {
  const hex = fc.integer({ min: 0, max: 0xffffff }).map((n) => `#${n.toString(16).padStart(6, '0')}`)
  fc.assert(
    fc.property(hex, (accent) => {
      const accents = accentsOf(accent)
      for (const [colour, theme] of [
        [accents.light, colours(light)],
        [accents.dark, colours(dark)],
      ] as const) {
        for (const below of [theme['ground'] ?? '', theme['surface'] ?? ''])
          expect(contrast(colour, below)).toBeGreaterThanOrEqual(4.5)
      }
      if (contrast(accent, '#f5f5f2') >= 4.5) expect(accents.light).toBe(accent)
    }),
  )
})

test('the sheet is small, asks no other address, and has the accent before its rules', () => {
  const sheet = styleSheet(source, '#8a1c3a')
  expect(sheet).toMatch(
    /^:root\{--accent:#8a1c3a\}@media screen and \(prefers-color-scheme:dark\)\{:root\{--accent:#[\da-f]{6}\}\}\n:root\{/,
  )
  expect(sheet).not.toMatch(/url\(|@import|\/\*|expression/)
  expect(sheet.split('{').length).toBe(sheet.split('}').length)
  expect(sheet.length).toBeLessThan(16_384)
})
