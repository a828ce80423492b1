// src/site/client/selection.ts
import { describe, expect, test } from 'vitest'
import { partsOf, searchWith, selectionOf } from '../../src/site/client/selection.ts'

const usual = { activity: '90d', trending: '7d', categories: 'all' } as const
const KEY = 'parks-0123456789ab'
const isKnown = (key: string): boolean => key === KEY

describe('the address', () => {
  test.each([
    ['', null, null],
    ['?period=7d', '7d', null],
    [`?category=${KEY}&period=all`, 'all', KEY],
    ['?period=7D&category=Parks', null, null],
    ['?period=&category=', null, null],
    ['?period=constructor&category=constructor', null, null],
    [`?period=30d&period=7d&category=..%2F..%2Fmanifest`, '30d', null],
  ])('%s chooses %s and %s', (search, period, category) => {
    expect(selectionOf(search, isKnown)).toEqual({ period, category })
  })

  test('has what is chosen, and what others wrote there', () => {
    expect(searchWith('?ref=mail&period=7d', { period: '24h', category: KEY })).toBe(
      `?ref=mail&period=24h&category=${KEY}`,
    )
    expect(searchWith('?period=7d', { period: null, category: null })).toBe('')
    expect(searchWith('?category=x&ref=a%26b', { period: null, category: null })).toBe('?ref=a%26b')
  })
})

describe('the files', () => {
  const files = (period: '7d' | 'all' | null, category: string | null): string[] =>
    partsOf({ period, category }, usual).map((part) => `${part.section}: ${part.files.join(' ')}`)

  test('of the usual are none', () => {
    expect(files(null, null)).toEqual([])
  })

  test('of a period are those of the sections that show another', () => {
    expect(files('7d', null)).toEqual([
      'activity: analytics/timeline/7d.json',
      'categories: analytics/categories/7d.json',
    ])
  })

  test('of all time are those of the longest trends', () => {
    expect(files('all', null)).toEqual([
      'activity: analytics/timeline/all.json',
      'trending: analytics/trending/90d/all.json',
    ])
  })

  test('of a category are its own', () => {
    const own = `analytics/category/${KEY}.json`
    expect(files(null, KEY)).toEqual([
      `activity: ${own}`,
      `trending: analytics/trending/7d/category/${KEY}.json`,
      `outcomes: ${own} analytics/categories/all.json`,
    ])
  })
})
