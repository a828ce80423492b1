// src/site/charts/scales.ts
import { scaleLinear, scaleUtc } from 'd3-scale'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bucketsOf, PERIODS } from '../../../src/contract/windows.ts'
import { countScale, timeTicks } from '../../../src/site/charts/scales.ts'

test('the scale of counts is that of d3', () => {
  const count = fc.oneof(fc.nat(30), fc.nat(2000), fc.nat({ max: 2 ** 31 - 1 }))
  fc.assert(
    fc.property(fc.array(fc.option(count), { maxLength: 5 }), fc.constantFrom(2, 4), (values, lines) => {
      const highest = Math.max(1, ...values.map((value) => value ?? 0))
      const scale = scaleLinear().domain([0, highest]).nice(lines)
      const ticks = scale.ticks(lines).filter((tick) => tick > 0 && Number.isInteger(tick))
      expect(countScale(values, lines)).toEqual({ top: scale.domain()[1], ticks })
    }),
    { numRuns: 2000 },
  )
})

test('the times of an axis are those of d3 at which a bucket begins', () => {
  const asOf = fc.integer({ min: Date.UTC(2015, 0, 1), max: Date.UTC(2040, 0, 1) })
  const age = fc.oneof(fc.nat(40), fc.nat(9000))
  fc.assert(
    fc.property(asOf, age, fc.constantFrom(...PERIODS), (asOfMs, days, period) => {
      const starts = bucketsOf(period, asOfMs, asOfMs - days * 86_400_000).map(({ startMs }) => startMs)
      if (starts.length < 2) return
      const ticks = scaleUtc()
        .domain([starts[0]!, starts.at(-1)!])
        .ticks(Math.min(6, starts.length))
        .map(Number)
      expect(timeTicks(starts, 6).map((index) => starts[index])).toEqual(
        ticks.filter((timeMs) => starts.includes(timeMs)),
      )
    }),
    { numRuns: 300 },
  )
})

test('an axis of one bucket or of none has what there is', () => {
  expect(timeTicks([], 6)).toEqual([])
  expect(timeTicks([5], 6)).toEqual([0])
})
