// The marks and sentences of sites of every kind (src/site), read as a reader sees them. true-sites.test.ts has 300 more.
import { expect, test } from 'vitest'
import { LANGUAGES } from '../../src/contract/site-paths.ts'
import { CATALOGUES } from '../../src/site/page/speech.ts'
import { indexPage } from '../../src/site/pages/index-page.ts'
import { siteInput } from '../support/site-input.ts'
import { plain } from './drawn-marks.ts'
import { ideasOf, OVERTAKEN, type Alike } from './generated-sites.ts'
import { expectTrueSite } from './true-site.ts'

const [ONE] = OVERTAKEN as [Alike]
/** 190 ideas in one month long ago, then a few a month: `people` draws three years. */
const ONCE_LARGE: Alike[] = [
  { ...ONE, times: 190, age: 3510, launched: 95.3, of: 4 },
  ...Array.from({ length: 24 }, (_, i): Alike => ({ ...ONE, times: 1 + (i % 8), age: 31 * i + 12, launched: 9 })),
]
/** The month of the data is the highest by far, though it is not over. */
const RUNNING: Alike[] = [12, 1, 2, 3, 4, 5, 6, 7].map((times, i): Alike => ({
  ...ONE,
  times: i === 0 ? 40 : times,
  age: 31 * i + 1,
  votedAt: 1 + 31 * i,
  votedAlso: null,
}))

test.each([
  ['once large', ONCE_LARGE, { people: 'rounded' }],
  ['whose running month is the highest', RUNNING, { isCompared: true, languages: ['fr'] }],
  ['of one idea', [{ ...ONE, times: 1, age: 3 }], { people: 'rounded' }],
  ['without a date', [{ ...ONE, age: null }], {}],
  ['of two months', [3, 29.9, 50].map((age, i): Alike => ({ ...ONE, times: 12 - 4 * i, age })), {}],
  [
    'on the first of a month',
    RUNNING,
    { people: 'rounded', asOfMs: Date.UTC(2026, 11, 1, 9), timeZone: 'Europe/Berlin' },
  ],
  ['on a day of 25 hours', RUNNING, { asOfMs: Date.UTC(2026, 9, 25, 11), timeZone: 'Europe/Berlin' }],
] as const)('all is true of a site %s', (_, site, spec) => {
  const { asOfMs } = { asOfMs: undefined, ...spec }
  const facts = ideasOf(site, asOfMs)
  expectTrueSite(siteInput({ facts, ...spec }), facts)
})

test('a peak of before the chart is said, and the chart says since when it is', () => {
  const page = plain(indexPage(siteInput({ facts: ideasOf(ONCE_LARGE) }), 'en'))
  expect(page).toContain('Active people, month by month since December 2023')
  expect(page).toContain('Highest whole month: 950 (April 2017).')
})

test('nobody is called active without a time, and nothing is said of launches and comparisons that were not', () => {
  const facts = ideasOf([{ ...ONE, times: 30, age: 800, votedAt: 700, votedAlso: 700, comments: 0 }])
  const page = indexPage(siteInput({ facts }), 'en')
  expect(plain(page)).toMatch(/Active people 0 in the last 30 days, none in the 30 days before/)
  expect(page).not.toMatch(/"#?launched"|count-past|No launch/)
})

test.each([
  ['en', 'Save the proof of 28 November 2026'],
  ['de', 'Den Nachweis vom 28. November 2026 aufbewahren'],
  ['fr', 'Garder la preuve du 28 novembre 2026'],
  ['es', 'Guardar la prueba del 28 de noviembre de 2026'],
] as const)('the proof is that of its day, whenever it is read (%s)', (language, heading) => {
  const input = siteInput({ ideas: 1, logged: '2026-11-28T23:58:00.000Z,0123', languages: [language] })
  expect(plain(indexPage(input, language))).toContain(heading)
})

test.each(LANGUAGES)('the name of a category is set off in each sentence (%s)', (language) => {
  const texts = (words: object): string[] =>
    Object.values(words).flatMap((word: string | object) => (typeof word === 'string' ? [word] : texts(word)))
  const named = texts(CATALOGUES[language]).filter((text) => text.includes('{category}'))
  expect(named).toHaveLength(4)
  for (const text of named) expect(text).toMatch(/(?:“|„|«\u00A0|«)\{category\}(?:”|“|\u00A0»|»)/)
})
