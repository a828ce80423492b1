import { describe, expect, it } from 'vitest'
import { keptPastText, parseKeptPast } from '../../../src/release/writing/kept-past.ts'
import { keptSample } from '../kept-sample.ts'

const ID = '20260520T093000000Z-0123abcd'
const KEPT = keptSample(ID, '20260520T083000000Z-0123abcd')

describe('the text of a kept past', () => {
  it('is read back as it was', () => {
    for (const kept of [KEPT, { ...KEPT, comparedWith: null, past: { ...KEPT.past, earlier: null } }])
      expect(parseKeptPast(keptPastText(kept), ID)).toEqual(kept)
  })

  it('is read without the sample of ideas and the newest day, which earlier versions did not keep', () => {
    const text = keptPastText({ ...KEPT, past: { ...KEPT.past, earlier: null } })
    const { sample: _, ...own } = KEPT.past.own
    const old = text.replace(/,"(?:sample":\[\[[\d,]*\]\]|newestDay":"[\d-]+")/g, '')
    expect(old).not.toMatch(/sample|newestDay/)
    expect(parseKeptPast(old, ID)).toEqual({ ...KEPT, past: { own, earlier: null, newestDay: null } })
  })

  /** Each leaves the rest of the text whole. */
  const DAMAGED: readonly [what: string, from: string | RegExp, to: string, why: RegExp][] = [
    ['cut off', /.{20}\n$/, '', /^it is not JSON: /],
    ['empty', /^[^]*$/, '', /^it is not JSON: /],
    ['no day', /"newestDay":"[\d-]+"/, '"newestDay":"yesterday"', /past\.newestDay/],
    ['null', /^[^]*$/, 'null', /^its format is undefined, must be 1$/],
    ['a list', /^[^]*$/, '[]', /^its format is undefined/],
    ['of a later format', '"format":1', '"format":2', /^its format is 2, must be 1$/],
    ['of another release', ID, ID.replace('abcd', 'abce'), /^it is that of "20260520T093000000Z-0123abce"$/],
    ['without mapping', '"mapping":', '"x":', /^its mapping is missing/],
    ['a mapping without hash', '"sha256":', '"x":', /^its mapping is missing/],
    ['without past', '"past":', '"x":', /^its past is missing/],
    ['without own rows', '"own":', '"x":', /^its past\.own is missing/],
    ['without earlier rows', '"earlier":', '"x":', /^its past\.earlier is missing/],
    ['without what it was compared with', '"comparedWith":', '"x":', /^its comparedWith is missing/],
    ['a relation less', '"votes":', '"voices":', /^its past\.own is missing or of the wrong type$/],
    ['a count that is none', '"2026-04":40', '"2026-04":"40"', /^its past\.own /],
    ['a count below 0', '"2026-04":40', '"2026-04":-40', /^its past\.own /],
    ['a count that is null', '"2026-04":40', '"2026-04":null', /^its past\.own /],
    ['a fraction of a row', '"2026-04":40', '"2026-04":40.5', /^its past\.own /],
    ['a month that is none', '"2026-04":40', '"2026-13":40', /^its past\.own /],
    ['a cut that is none', /"beforeMs":\d+/, '"beforeMs":"now"', /^its past\.own /],
    ['a sample that is none', '"sample":[[7', '"sample":[[null', /^its past\.own /],
    ['an idea with a number less', '"sample":[[7,1', '"sample":[[7', /^its past\.own /],
    ['undated rows that are none', '"undated":3', '"undated":null', /^its past\.own /],
  ]
  it.each(DAMAGED)('says nothing when it is %s, and why', (_, from, to, why) => {
    const text = keptPastText(KEPT)
    const damaged = text.replace(from, to)
    expect(damaged).not.toBe(text)
    expect(parseKeptPast(damaged, ID)).toMatch(why)
  })
})
