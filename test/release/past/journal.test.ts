// What lines of a journal say together, how few say the same, and which are none. src/release/past/journal.ts.
import { array, assert, boolean, constantFrom, option, property, record, tuple } from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { lineageOf, linesIn, linesOf, stateOf, textOf, type Line } from '../../../src/release/past/journal.ts'

const IDS = Array.from({ length: 6 }, (_, i) => `2026052${i}T093000123Z-0123abcd`)
const [A, B, C, D, E] = IDS as [string, string, string, string, string, string]
const day = (id: string) => ({
  date: '2026-05-20',
  id,
  sha256: 'a'.repeat(64),
  rows: { ideas: 1, votes: 2, comments: 3 },
})
const pin = { since: '2026-05-25T00:00:00.000Z', id: A }
const noted = (lines: readonly Line[]) => Object.fromEntries(stateOf(lines).lineage)

describe('a lineage', () => {
  /** Rolled back from C to A before D. */
  const LINES: readonly Line[] = [
    { id: A, from: null },
    { id: B, from: A },
    { id: C, from: B },
    { id: A, pin },
    { pin: null },
    { id: D, from: A },
    { id: E, from: D },
  ]
  const { lineage } = stateOf(LINES)

  it('leaves out what a rollback took back, and what was never current', () => {
    expect([...lineageOf(E, IDS, lineage)]).toEqual([E, D, A])
    expect([...lineageOf(C, IDS, lineage)]).toEqual([C, B, A])
  })

  it('ends where a history began', () => {
    expect([
      ...lineageOf(
        C,
        IDS,
        stateOf([
          { id: B, from: null },
          { id: C, from: B },
        ]).lineage,
      ),
    ]).toEqual([C, B])
  })

  it('goes on to the release before where nothing is noted', () => {
    expect([...lineageOf(D, IDS, new Map())]).toEqual([D, C, B, A])
    expect([...lineageOf(D, [A, C], new Map([[D, B]])), 'of one that is gone']).toContain(B)
  })

  it('ends, whatever is noted', () => {
    assert(
      property(
        array(tuple(constantFrom(...IDS), option(constantFrom(...IDS)))),
        constantFrom(...IDS),
        (pairs, start) => {
          const ids = [...lineageOf(start, IDS, new Map(pairs))]
          expect(ids[0]).toBe(start)
          expect(new Set(ids).size).toBe(ids.length)
        },
      ),
    )
  })

  it('is kept of the releases that are there, past those that are gone, as far as it is known', () => {
    expect(noted(linesOf(stateOf(LINES), [A, C, E]))).toEqual({ [A]: null, [C]: A, [E]: A })
    expect(
      noted(
        linesOf(
          stateOf([
            { id: C, from: B },
            { id: D, from: C },
          ]),
          [D],
        ),
      ),
    ).toEqual({ [D]: B })
  })
})

describe('a line of which the release did not become current', () => {
  const lines: readonly Line[] = [
    { id: B, from: A },
    { id: A, days: [day(B)], pin, taken: { id: B, revisions: [] } },
  ]

  it('says nothing of the folder but its pin, and what it says of the release stays true', () => {
    expect(stateOf(lines, false)).toMatchObject({ last: B, days: [], pin, taken: null })
    expect(stateOf(lines)).toMatchObject({ last: A, days: [day(B)], pin, taken: { id: B } })
    expect(stateOf([{ id: B, from: A }], false)).toMatchObject({ last: null, lineage: new Map([[B, A]]) })
  })
})

const LINE = record(
  {
    id: constantFrom(...IDS),
    from: option(constantFrom(...IDS)),
    days: array(constantFrom(...IDS).map(day), { maxLength: 2 }),
    pin: option(constantFrom(pin)),
    taken: constantFrom(...IDS).map((id) => ({ id, revisions: [{ was: 1 }] })),
  },
  { requiredKeys: [] },
)

test('few lines say what many said, and once more the same', () => {
  assert(
    property(array(LINE), boolean(), (lines, counts) => {
      const past = stateOf(lines, counts)
      const few = linesOf(past, IDS)
      const again = stateOf(few)
      const isNeeded = past.taken !== null && past.last !== null && past.taken.id > past.last
      // Where nothing became current, a release that is there is the last that is known.
      const last = past.last ?? again.last
      // What was taken back is needed until a later release is current.
      expect({ ...again, lineage: new Map(again.lineage) }).toEqual({
        ...past,
        last,
        taken: isNeeded ? past.taken : null,
        lineage: new Map(past.lineage),
      })
      if (past.last !== null) expect(linesOf(again, IDS)).toEqual(few)
      expect(few.length).toBeLessThanOrEqual(past.days.length + IDS.length + 3)
    }),
  )
})

test('ten years of a build every five minutes are less than a megabyte, and the lines of one day', () => {
  const days = Array.from({ length: 3653 }, () => day(A))
  const ofDays = textOf(linesOf({ ...stateOf([{ id: B, from: A }]), days }, IDS)).length
  const at = '2026-05-25T00:00:00.000Z'
  const ofOneDay = textOf(Array.from({ length: 288 }, () => ({ at, id: B, from: A }))).length
  expect([ofDays < 1 << 20, ofOneDay < 40_000]).toEqual([true, true])
})

describe('a text', () => {
  const WHOLE: readonly Line[] = [{ at: 'now', id: A, from: null, days: [day(A)] }, { pin }, { id: B, from: A }]
  const TEXT = textOf(WHOLE)

  it('is read back', () => {
    expect(linesIn(TEXT, 'at')).toEqual({ lines: WHOLE, isTorn: false })
    expect(linesIn('', 'at')).toEqual({ lines: [], isTorn: false })
  })

  it('whose last line is torn anywhere has the others', () => {
    const before = textOf(WHOLE.slice(0, 2))
    for (let length = before.length + 1; length < TEXT.length; length += 1)
      expect(linesIn(TEXT.slice(0, length), 'at')).toEqual({ lines: WHOLE.slice(0, 2), isTorn: true })
    // A disk that wrote the end of a line, and not its beginning.
    for (const torn of ['\0'.repeat(20), `${'\0'.repeat(9)}}\n`, '{"id":1}\n', 'null\n'])
      expect(linesIn(before + torn, 'at')).toEqual({ lines: WHOLE.slice(0, 2), isTorn: true })
  })

  it.each<[string, number, string]>([
    ['that is no JSON', 1, '{"id":'],
    ['of which the id is none', 2, '{"id":"../x"}'],
    ['that is empty', 2, ''],
    ['whose day has no date', 1, JSON.stringify({ days: [{ ...day(A), date: '2026-02-30' }] })],
    ['whose day counts no rows', 1, JSON.stringify({ days: [{ ...day(A), rows: { ideas: -1 } }] })],
    ['that is a list', 1, '[]'],
    ['that pins nothing', 1, '{"pin":true}'],
  ])('with a line %s before the last is damaged there', (_, at, line) => {
    const lines = TEXT.split('\n')
    expect(() => linesIn(lines.with(at - 1, line).join('\n'), 'x/.journal')).toThrow(
      `x/.journal: line ${at} is damaged: ${line.slice(0, 20)}`,
    )
  })

  it('with two damaged lines at its end is damaged: only one is torn', () => {
    for (const end of ['x\nx\n', 'x\nx', '\n\n'])
      expect(() => linesIn(TEXT + end, 'x/.journal')).toThrow(`x/.journal: line ${WHOLE.length + 1} is damaged: `)
  })
})
