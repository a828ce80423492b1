// src/site/pictures/badges.ts, text-width.ts
import { describe, expect, test } from 'vitest'
import { pagesOf } from '../../../src/site/page/page.ts'
import { badgeFiles } from '../../../src/site/pictures/badges.ts'
import { contrast } from '../../../src/site/page/style.ts'
import { textWidth } from '../../../src/site/pictures/text-width.ts'
import type { SiteInput } from '../../../src/site/page/input.ts'
import { documents, hostileInput, siteInput } from '../reuse-input.ts'
import { NAUGHTY } from '../naughty.ts'

function endpoints(input: SiteInput): Record<string, Record<string, unknown>> {
  const files = pagesOf(input)
    .flatMap(badgeFiles)
    .filter(({ path }) => path.endsWith('.json'))
  return Object.fromEntries(
    files.map(({ path, text }) => [path.slice(0, -'.json'.length), JSON.parse(text) as Record<string, unknown>]),
  )
}

test('there is a picture and a JSON for each number', () => {
  const names = ['users', 'ideas', 'votes', 'comments', 'launched', 'categories', 'launch-rate']
  expect(
    pagesOf(siteInput())
      .flatMap(badgeFiles)
      .map(({ path }) => path),
  ).toEqual(names.flatMap((name) => [`badges/${name}.json`, `badges/${name}.svg`]))
  expect(endpoints(siteInput())).toEqual({
    'badges/users': { schemaVersion: 1, label: 'Accounts', message: '2,562', color: '#0d5c8f' },
    'badges/ideas': { schemaVersion: 1, label: 'Ideas', message: '1,850', color: '#0d5c8f' },
    'badges/votes': { schemaVersion: 1, label: 'Votes', message: '72,020', color: '#0d5c8f' },
    'badges/comments': { schemaVersion: 1, label: 'Comments', message: '11,937', color: '#0d5c8f' },
    'badges/launched': { schemaVersion: 1, label: 'Launched ideas', message: '280', color: '#0d5c8f' },
    'badges/categories': { schemaVersion: 1, label: 'Categories', message: '14', color: '#0d5c8f' },
    'badges/launch-rate': { schemaVersion: 1, label: 'Launched within a year', message: '19.9%', color: '#0d5c8f' },
  })
})

test('words and numbers are those of the language, of which the first is at the root', () => {
  expect(endpoints(siteInput({ languages: ['de', 'en'] }))).toMatchObject({
    'badges/votes': { label: 'Stimmen', message: '72.020' },
    'badges/launch-rate': { message: '19,9\u00A0%' },
    'en/badges/votes': { label: 'Votes', message: '72,020' },
  })
  const paths = pagesOf(siteInput({ languages: ['de', 'en'] }))
    .flatMap(badgeFiles)
    .map(({ path }) => path)
  expect(paths.filter((path) => path.startsWith('en/'))).toEqual(
    paths.filter((path) => !path.startsWith('en/')).map((path) => `en/${path}`),
  )
})

describe('a badge is grey and says why', () => {
  const grey = { color: '#6b6b6b' }
  test('while the site is closed', () => {
    for (const badge of Object.values(endpoints(siteInput({ closed: true }))))
      expect(badge).toMatchObject({ ...grey, message: 'closed' })
  })

  test('where a number is not published, or there is nothing to divide by', () => {
    const { stats, outcomes, ...others } = documents()
    const firstYear = { ideas: 0, launched: 0, launchedUndated: 0, share: 0 }
    const empty = {
      ...others,
      outcomes: { ...outcomes, firstYear },
      stats: { ...stats, stats: { ...stats.stats, totalIdeas: 0 } },
    }
    const badges = endpoints(siteInput({ people: 'off', documents: empty }))
    expect(badges).toMatchObject({
      'badges/users': { ...grey, message: 'not published' },
      'badges/launch-rate': { ...grey, message: 'not yet' },
      'badges/ideas': { message: '0', color: '#0d5c8f' },
    })
  })
})

test('a share is a lower bound where some launches have no date', () => {
  const { outcomes, ...others } = documents()
  const firstYear = { ...outcomes.firstYear, launchedUndated: 3 }
  const badges = endpoints(siteInput({ documents: { ...others, outcomes: { ...outcomes, firstYear } } }))
  expect(badges['badges/launch-rate']?.['message']).toBe('≥\u00A019.9%')
})

test('a few accounts are as few as on the page', () => {
  const { stats, ...others } = documents()
  const few = { ...others, stats: { ...stats, stats: { ...stats.stats, totalUsers: 5 } } }
  const messageOf = (people: SiteInput['people']): unknown =>
    endpoints(siteInput({ people, documents: few }))['badges/users']?.['message']
  expect([messageOf('rounded'), messageOf('exact')]).toEqual(['1 to 7', '5'])
})

test('the colour is the site’s, as dark as white text on it needs', () => {
  for (const accent of ['#ffcc00', '#000000', '#00ff00', '#ff0000', '#0000ff', '#ffffff']) {
    const words = { ...siteInput().words, accent }
    const svg =
      pagesOf(siteInput({ words }))
        .flatMap(badgeFiles)
        .find(({ path }) => path === 'badges/votes.svg')?.text ?? ''
    const fills = [...svg.matchAll(/<rect [^>]*fill="(#[0-9a-f]{6})"/g)].map(([, fill = '']) => fill)
    expect(fills).toHaveLength(2)
    for (const fill of fills) expect(contrast(fill, '#ffffff'), `${fill} of ${accent}`).toBeGreaterThanOrEqual(4.5)
    expect([...svg.matchAll(/<text [^>]*fill="([^"]*)"/g)].map(([, fill]) => fill)).toEqual(['#ffffff', '#ffffff'])
  }
  expect(contrast('#6b6b6b', '#ffffff')).toBeGreaterThanOrEqual(4.5)
})

test('the picture is as wide as its text needs, and has a title', () => {
  const svg =
    pagesOf(siteInput())
      .flatMap(badgeFiles)
      .find(({ path }) => path === 'badges/votes.svg')?.text ?? ''
  expect(svg).toMatch(
    /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" width="\d+" height="20" [^>]* role="img" aria-label="Votes: 72,020">/,
  )
  expect(svg).toContain('<title>Votes: 72,020</title>')
  // 5 digits of 1303 and a comma of 651 units, of 2048, at 11 pixels.
  expect(textWidth('72,020')).toBeCloseTo((11 * (5 * 1303 + 651)) / 2048, 6)
  expect(svg).toContain('textLength="38.5"')
})

test.each(NAUGHTY)('nothing that others wrote is in a badge: %j', (text) => {
  const plain = pagesOf(hostileInput('plain')).flatMap(badgeFiles)
  expect(pagesOf(hostileInput(text)).flatMap(badgeFiles)).toEqual(plain)
  for (const { text: file } of plain) expect(file).not.toContain('plain')
})
