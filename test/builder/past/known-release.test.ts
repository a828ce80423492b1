import { expect, test } from 'vitest'
import type { AnalyticsOptions } from '../../../src/analytics/options.ts'
import { analyticsOf } from '../../../src/builder/past/known-release.ts'

/** None is the default, so that one that is not read shows. */
const OTHERS: AnalyticsOptions = {
  voteWeight: 9,
  commentWeight: 7,
  siteUrl: 'https://ideas.example.org',
  people: 'rounded',
  timeZone: 'Europe/Madrid',
}

test('the options of a release are those that its manifest notes', () => {
  const { siteUrl, ...noted } = OTHERS
  const options = { ...noted, topCategories: 3, ...(siteUrl === null ? {} : { siteUrl }) }
  expect(analyticsOf({ options })).toEqual(OTHERS)
})

test('the options that an older manifest lacks are those of the versions before them', () => {
  const { voteWeight, commentWeight } = OTHERS
  expect(analyticsOf({ options: { voteWeight, commentWeight, topCategories: 3 } })).toEqual({
    voteWeight,
    commentWeight,
    siteUrl: null,
    people: 'exact',
    timeZone: 'UTC',
  })
  expect(analyticsOf({})).toBeNull()
})
