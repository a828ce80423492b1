// unit test: what this year and last year counted, of all ideas and of a category, against the days that clocks of the zone show.
import { array, assert, constantFrom, integer, property } from 'fast-check'
import { expect, test } from 'vitest'
import { TimelineSums } from '../../src/analytics/timeline.ts'
import { timeZoneOf } from '../../src/contract/time-zone.ts'
import type { IdeaFacts } from '../../src/model/facts.ts'
import { DaySlices } from '../../src/model/day-slices.ts'
import { cellsOf } from '../../src/source/read/counted-events.ts'
import { eventTallies } from '../support/event-counts.ts'

const DAY_MS = 86_400_000
/** Far from UTC, with a day that is skipped (Apia), and where clocks change by half an hour, by two hours, or at midnight. */
const ZONES = [
  'Pacific/Apia',
  'Pacific/Kiritimati',
  'Australia/Lord_Howe',
  'Antarctica/Troll',
  'America/Sao_Paulo',
  'UTC',
]
/** When the site is read: at any instant, or when a day, a month or a year begins. */
const MOMENTS = ['any', 'day', 'month', 'year'] as const

const instants = integer({ min: Date.UTC(1993, 0, 1), max: Date.UTC(2031, 11, 31) })
/** How long before it an idea was created, and whether then, at the beginning of that day, or just before. */
const ages = array(integer({ min: 1, max: 900 * DAY_MS }), { minLength: 100, maxLength: 300 })

/** Whether a day is counted in this year, as docs/page.md says. */
function isOfThisYear(day: string, today: string): boolean {
  const [year, month] = [Number(today.slice(0, 4)), today.slice(0, 7)]
  if (today.slice(5, 7) > '03') return day >= `${year}-01-01` && day < today
  return day.slice(0, 7) < month && day.slice(0, 7) >= `${year - 1}${month.slice(4)}`
}

test('are those of the same dates, in any zone, at any instant', () => {
  let compared = 0
  assert(
    property(constantFrom(...ZONES), instants, constantFrom(...MOMENTS), ages, (timeZone, instant, moment, all) => {
      const zone = timeZoneOf({ timeZone })
      const asOfMs = moment === 'any' ? instant : zone.startOf(moment, instant)
      const created = all.map((age, i) => {
        const timeMs = asOfMs - age
        return i % 3 === 0 ? timeMs : zone.startOf('day', timeMs) - (i % 3) + 1
      })
      // Of Node.js, not of the program.
      const dates = new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' })
      const [today, days] = [dates.format(asOfMs), created.map((timeMs) => dates.format(timeMs))]
      const aYearLater = (day: string): string => `${Number(day.slice(0, 4)) + 1}${day.slice(4)}`
      const now = days.filter((day) => isOfThisYear(day, today)).length
      const before = days.filter((day) => isOfThisYear(aYearLater(day), today)).length
      for (const cells of Object.values(cellsOf(new DaySlices(asOfMs, [], zone)))) {
        const sums = new TimelineSums(cells, eventTallies(cells, []))
        for (const createdAtMs of created) sums.add({ createdAtMs, launched: false } as IdeaFacts)
        const counted = sums.lastYear()
        if (counted === null) continue
        compared += 1
        expect([counted.now.ideas, counted.before.ideas]).toEqual([now, before])
      }
    }),
    { numRuns: 60 },
  )
  expect(compared).toBeGreaterThan(60)
})
