// src/site/charts, and what sections say of them.
import { area, line } from 'd3-shape'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { barChart, barsPath, inlineBar } from '../../../src/site/charts/bars.ts'
import { lineChart, sparkLine } from '../../../src/site/charts/lines.ts'
import type { Frame } from '../../../src/site/charts/plot.ts'
import { html, markup } from '../../../src/site/page/html.ts'
import { indexPage } from '../../../src/site/pages/index-page.ts'
import { partialOf } from '../../../src/site/sections/activity.ts'
import { keyLine } from '../../../src/site/sections/figure.ts'
import { siteInput } from '../../support/site-input.ts'

const shown = { values: [1], partial: [], label: null, hook: markup('data-chart="t/1"') }
const frame: Frame = { id: 'c', title: 'A < B', height: 100, top: 10, y: [], x: [], ...shown }
const at = (time: string): string => `2026-11-${time}.000Z`

test('a bar has the height of its value, one of nothing is not drawn', () => {
  expect(barsPath([5, 0, 10], frame, 0.1)).toBe('M0.1 100v-50h0.8v50zM2.1 100v-100h0.8v100z')
})

test('every bar is drawn once, whole or outlined, inside the plot', () => {
  const values = fc.array(fc.nat(10), { minLength: 1, maxLength: 40 })
  fc.assert(
    fc.property(values, fc.nat(39), (counts, cut) => {
      const drawn = barChart({ ...frame, values: counts, partial: [cut] }).inPage.text
      const bars = [...drawn.matchAll(/M([\d.]+) 100v-([\d.]+)h/g)].map(([, x, height]) => [
        Math.floor(Number(x)),
        Number(height) / 10,
      ])
      expect(bars.sort(([a = 0], [b = 0]) => a - b)).toEqual(counts.flatMap((n, i) => (n === 0 ? [] : [[i, n]])))
      // The classes are what the style paints.
      expect(drawn).toContain('<path class="bar" d="')
      expect(drawn.includes('class="partial"')).toBe((counts[cut] ?? 0) > 0)
    }),
  )
})

test('a chart says what it shows, in text that is escaped', () => {
  const drawn = barChart({ ...frame, label: { index: 0, text: '<1>' } }).inPage.text
  expect(drawn).toContain('role="img" aria-labelledby="c-title" data-chart="t/1"><title id="c-title">A &lt; B</title>')
  expect(drawn).toContain('>&lt;1&gt;</text>')
  // The numbers of the axis are for the eye: who hears the page has the title, and the table.
  expect(drawn).toMatch(/^<div class="chart"><svg class="y" [^>]*aria-hidden="true">/)
  expect(drawn).not.toMatch(/style=|NaN|undefined/)
})

test('a line has a gap where a value is not published, and a dot for a value between two', () => {
  const drawn = lineChart({ ...frame, values: [1, 2, null, 4, null, 5, 6], partial: [6] }).inPage.text
  expect(drawn.match(/class="line" d="([^"]*)"/)?.[1]?.split('M').length).toBe(4)
  // A value of 4 of 10 stands 60 of 100 pixels below the upper edge.
  expect([...drawn.matchAll(/<circle class="dot" cx="([^"]*)" cy="([^"]*)"/g)].map(([, x, y]) => [x, y])).toEqual([
    ['50%', '60'],
  ])
  expect(sparkLine([0, 3]).text).toContain('aria-hidden="true"')
})

test('the paths of a line and of its area are those of d3', () => {
  const value = fc.option(fc.nat(1000), { freq: 3 })
  fc.assert(
    fc.property(
      fc.array(value, { minLength: 1, maxLength: 40 }),
      fc.constantFrom(160, 200),
      fc.nat(500),
      (values, height, more) => {
        const top = Math.max(1, ...values.map((one) => one ?? 0)) + more
        const x = (_: unknown, i: number): number => Math.round(((i + 0.5) / values.length) * 1000)
        const y = (one: number | null): number => height - Math.round(((one ?? 0) / top) * height * 10) / 10
        const isKnown = (one: number | null): boolean => one !== null
        const drawn = lineChart({ ...frame, height, top, values, partial: [values.length - 1] }).inPage.text
        const pathOf = (kind: string): string | undefined => new RegExp(`class="${kind}" d="([^"]*)"`).exec(drawn)?.[1]
        expect(pathOf('area')).toBe(area<number | null>(x, height, y).defined(isKnown).digits(1)(values) ?? '')
        // The part of the last bucket is another line, which is dashed.
        expect(pathOf('line')).toBe(line<number | null>(x, y).defined(isKnown).digits(1)(values.slice(0, -1)) ?? '')
      },
    ),
    { numRuns: 1000 },
  )
})

test('a key has a swatch for each kind of bar, and is no empty paragraph where there is one kind', () => {
  expect(html`${keyLine([['partial', 'launched']])}`.text).toContain(
    '<span class="swatch partial" aria-hidden="true"></span>launched',
  )
  expect(html`${keyLine([])}`.text).toBe('')
})

test.each([
  ['7d', 'day', at('15T14:00:00'), at('22T14:00:00'), ['15T00:00:00', '16T00:00:00', '22T00:00:00'], [0, 2]],
  ['7d', 'day', at('15T00:00:00'), at('22T00:00:00'), ['15T00:00:00', '16T00:00:00', '21T00:00:00'], []],
  ['24h', 'hour', at('21T14:30:00'), at('22T14:30:00'), ['21T14:00:00', '21T15:00:00', '22T14:00:00'], [0, 2]],
  ['all', 'month', null, at('22T14:00:00'), ['01T00:00:00'], [0]],
] as const)('of %s by %s from %s to %s the buckets %j not whole are %j', (_, interval, from, to, starts, cut) => {
  const none = { ideas: 0, votes: 0, comments: 0, launchedIdeas: 0 }
  const totals = { totalIdeas: 0, totalVotes: 0, totalComments: 0, totalLaunchedIdeas: 0 }
  const buckets = starts.map((start) => ({ bucket: at(start), ...none, ...totals }))
  expect(partialOf({ interval, from, to, buckets })).toEqual(cut)
})

test('a bar beside a name is a share of its place', () => {
  expect(html`${inlineBar(0.333)}`.text).toContain('width="33.3%"')
})

test('a page is the same in every time zone', () => {
  const before = process.env['TZ']
  try {
    const pages = ['UTC', 'Asia/Kolkata', 'America/St_Johns', 'Pacific/Kiritimati'].map((zone) => {
      process.env['TZ'] = zone
      return indexPage(siteInput({ ideas: 30 }), 'fr')
    })
    expect(new Set(pages).size).toBe(1)
  } finally {
    if (before === undefined) delete process.env['TZ']
    else process.env['TZ'] = before
  }
})

test.each([
  ['a few', ['1 sept.', '1 oct.', '1 nov.'], ['1 sept.', '1 oct.', '1 nov.']],
  [
    'hours',
    ['18:00', '21:00', '00:00', '03:00', '06:00', '09:00', '12:00', '15:00'],
    ['18:00', '00:00', '06:00', '12:00'],
  ],
  [
    'months, whose years are named',
    ['avr.', 'juil.', 'oct.', '2025', 'avr.', 'juil.', 'oct.', '2026'],
    ['juil.', '2025', 'juil.', '2026'],
  ],
  [
    'many',
    ['2024', 'avr.', 'juil.', 'oct.', '2025', 'avr.', 'juil.', 'oct.', '2026', 'avr.', 'juil.', 'oct.'],
    ['2024', '2025', '2026'],
  ],
])('of %s labels those are left on a phone that have room there', (_, texts, left) => {
  const x = texts.map((text, i) => ({ at: (i + 0.2) / texts.length, text }))
  const drawn = barChart({ ...frame, x }).inPage.text
  expect([...drawn.matchAll(/<text class="x"[^>]*>([^<]*)</g)].map(([, text]) => text)).toEqual(left)
})
