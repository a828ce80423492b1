// src/site/shared/badges.ts, text-width.ts
import { describe, expect, test } from 'vitest'
import { LANGUAGES } from '../../../src/contract/site-paths.ts'
import { badgeFiles, BADGE_NAMES, contrast, textColorOn } from '../../../src/site/shared/badges.ts'
import { ELSEWHERE_WORDS } from '../../../src/site/shared/elsewhere-words.ts'
import { textWidth } from '../../../src/site/shared/text-width.ts'
import type { SiteInput } from '../../../src/site/input.ts'
import { documents, hostileInput, siteInput } from './reuse-input.ts'
import { NAUGHTY } from './naughty.ts'

function endpoints(input: SiteInput): Record<string, Record<string, unknown>> {
  const files = badgeFiles(input).filter(({ path }) => path.endsWith('.json'))
  return Object.fromEntries(
    files.map(({ path, text }) => [
      path.slice('badges/'.length, -'.json'.length),
      JSON.parse(text) as Record<string, unknown>,
    ]),
  )
}

test('there is a picture and a JSON for each number', () => {
  expect(badgeFiles(siteInput()).map(({ path }) => path)).toEqual(
    BADGE_NAMES.flatMap((name) => [`badges/${name}.json`, `badges/${name}.svg`]),
  )
  expect(endpoints(siteInput())).toEqual({
    users: { schemaVersion: 1, label: 'accounts', message: '2,562', color: '#1a5fb4' },
    ideas: { schemaVersion: 1, label: 'ideas', message: '1,850', color: '#1a5fb4' },
    votes: { schemaVersion: 1, label: 'votes', message: '72,020', color: '#1a5fb4' },
    comments: { schemaVersion: 1, label: 'comments', message: '11,937', color: '#1a5fb4' },
    launched: { schemaVersion: 1, label: 'launched ideas', message: '280', color: '#1a5fb4' },
    categories: { schemaVersion: 1, label: 'categories', message: '14', color: '#1a5fb4' },
    'launch-rate': { schemaVersion: 1, label: 'launch rate', message: '15.1%', color: '#1a5fb4' },
  })
})

test('words and numbers are those of the first language', () => {
  expect(endpoints(siteInput({ languages: ['de', 'en'] }))).toMatchObject({
    votes: { label: 'Stimmen', message: '72.020' },
    'launch-rate': { message: '15,1\u00A0%' },
  })
})

describe('a badge is grey and says why', () => {
  const grey = { color: '#6b6b6b' }
  test('while the site is closed', () => {
    for (const badge of Object.values(endpoints(siteInput({ closed: true }))))
      expect(badge).toMatchObject({ ...grey, message: 'closed' })
  })

  test('where a number is not published, or there is nothing to divide by', () => {
    const { stats, ...others } = documents()
    const empty = { ...others, stats: { ...stats, stats: { ...stats.stats, totalIdeas: 0 } } }
    const badges = endpoints(siteInput({ people: 'off', documents: empty }))
    expect(badges).toMatchObject({
      users: { ...grey, message: 'no data' },
      'launch-rate': { ...grey, message: 'no data' },
      ideas: { message: '0', color: '#1a5fb4' },
    })
  })
})

test('the colour is the site’s, with text that can be read on it', () => {
  const words = { ...siteInput().words, accent: '#ffcc00' }
  const svg = badgeFiles(siteInput({ words })).find(({ path }) => path === 'badges/votes.svg')?.text ?? ''
  expect(svg).toContain('fill="#ffcc00"')
  expect(svg).toContain('fill="#111111">72,020<')
  for (const color of ['#000000', '#ffffff', '#767676', '#ff0000', '#0000ff', '#00ff00'])
    expect(contrast(color, textColorOn(color)), color).toBeGreaterThanOrEqual(4.5)
  for (const fixed of ['#444444', '#6b6b6b', '#1a5fb4']) expect(contrast(fixed, '#ffffff')).toBeGreaterThanOrEqual(4.5)
})

test('the picture is as wide as its text needs, and has a title', () => {
  const svg = badgeFiles(siteInput()).find(({ path }) => path === 'badges/votes.svg')?.text ?? ''
  expect(svg).toMatch(
    /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" width="\d+" height="20" [^>]* role="img" aria-label="votes: 72,020">/,
  )
  expect(svg).toContain('<title>votes: 72,020</title>')
  // 5 digits of 1303 and a comma of 651 units, of 2048, at 11 pixels.
  expect(textWidth('72,020')).toBeCloseTo((11 * (5 * 1303 + 651)) / 2048, 6)
  expect(svg).toContain('textLength="38.5"')
})

test('the widths know every character of the words', () => {
  const letters = LANGUAGES.flatMap((language) => {
    const { badges, closed, noData } = ELSEWHERE_WORDS[language]
    return [...Object.values(badges), closed, noData, new Intl.NumberFormat(language).format(1_234_567_890)]
  })
  for (const letter of new Set(letters.join(''))) expect(textWidth(letter), JSON.stringify(letter)).toBeLessThan(11)
  expect(textWidth('é')).toBe(textWidth('e'))
})

test.each(NAUGHTY)('nothing that others wrote is in a badge: %j', (text) => {
  const plain = badgeFiles(hostileInput('plain'))
  expect(badgeFiles(hostileInput(text))).toEqual(plain)
  for (const { text: file } of plain) expect(file).not.toContain('plain')
})
