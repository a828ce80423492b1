// Whether categories that were renamed, merged or split are told from ideas that are in other ones.
import { assert, constantFrom, integer, property } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { categoryChanges, type CategoryMove } from '../../../src/builder/past/category-changes.ts'
import { randomStream } from '../../../src/demo/random.ts'

/** Names are numbers; each idea is in some of ten. */
function site(many: number, seed: number, perIdea: number): number[][] {
  const random = randomStream(seed, 'categories')
  return Array.from({ length: many }, () => [
    ...new Set(Array.from({ length: perIdea }, () => 1 + Math.floor(random() * 10))),
  ])
}
const unique = (names: number[]): number[] => [...new Set(names)]
const each = (ideas: readonly number[][], name: (one: number, i: number) => number | number[]): CategoryMove[] =>
  ideas.map((was, i) => [was, unique(was.flatMap((one) => name(one, i)))])
const kinds = (ideas: CategoryMove[]): string[] =>
  categoryChanges(ideas)
    .changes.map(({ kind, from, into }) => `${kind} ${from} into ${into.toSorted((a, b) => a - b).join()}`)
    .sort()

describe('a change of categories', () => {
  it('is told, whatever number of categories an idea has, and leaves no idea in another one', () => {
    assert(
      property(integer(), constantFrom(1, 2, 3), (seed, perIdea) => {
        const ideas = site(400, seed, perIdea)
        const told = (name: (one: number, i: number) => number | number[], expected: readonly string[]): void => {
          const moved = each(ideas, name)
          expect(kinds(moved)).toEqual(expected)
          expect(categoryChanges(moved).moved).toBe(0)
        }
        told((one) => one, [])
        told((one) => (one === 1 ? 2 : one), ['merged 1 into 2'])
        told((one) => (one <= 2 ? 20 : one), ['merged 1 into 20', 'merged 2 into 20'])
        told((one) => (one === 1 ? 20 : one), ['renamed 1 into 20'])
        told((one) => 20 + one, Array.from({ length: 10 }, (_, i) => `renamed ${i + 1} into ${i + 21}`).sort())
        told((one, i) => (one === 1 ? 20 + (i % 3) : one), ['split 1 into 20,21,22'])
        told((one, i) => (one === 1 && i % 3 === 0 ? 20 : one), ['split 1 into 1,20'])
        told(
          (one, i) => (one === 1 ? 2 : one === 3 ? 30 + (i % 2) : one === 4 ? 40 : one),
          ['merged 1 into 2', 'renamed 4 into 40', 'split 3 into 30,31'],
        )
      }),
      { numRuns: 40 },
    )
  })

  it('is told also where some ideas were given other categories by hand', () => {
    const ideas = site(400, 5, 1)
    const moved = each(ideas, (one) => (one === 1 ? 2 : one)).map(([was, is], i): CategoryMove => [
      was,
      i % 50 === 0 ? [9] : is,
    ])
    expect(kinds(moved)).toEqual(['merged 1 into 2'])
    expect(categoryChanges(moved).moved).toBeGreaterThan(3)
    expect(categoryChanges(moved).moved).toBeLessThan(9)
  })
})

describe('damage is no change of categories', () => {
  const ideas = site(400, 7, 1)
  it.each<[string, CategoryMove[]]>([
    ['no idea has one', each(ideas, () => [])],
    ['half of the ideas have none', each(ideas, (one, i) => (i % 2 === 0 ? [] : one))],
    ['all fall into one that was there', each(ideas, () => 3)],
    ['all fall into a new one', each(ideas, () => 30)],
    ['nine of ten fall into a new one', each(ideas, (one) => (one === 1 ? one : 30))],
    ['six of ten are merged in pairs', each(ideas, (one) => (one <= 6 ? 20 + (one % 3) : one))],
    ['each idea has its own', each(ideas, (_, i) => 100 + i)],
    ['three are as many as their ideas', each(ideas, (one, i) => (one <= 3 ? 100 + i : one))],
    ['each idea also has a translation', each(ideas, (one) => [one, 20 + one])],
    ['the next one', each(ideas, (one) => 1 + (one % 10))],
    ['drawn by lot', each(ideas, (_, i) => 1 + (i % 7))],
    ['one is gone from ideas that have others', each(site(400, 8, 3), (one) => (one === 1 ? [] : one))],
    [
      'two of two are one',
      each(
        ideas.map(([one = 0]) => [one % 2]),
        () => 1,
      ),
    ],
  ])('%s', (_, moved) => {
    const { changes, moved: many } = categoryChanges(moved)
    expect(changes.filter(({ kind }) => kind !== 'renamed')).toEqual([])
    expect(many).toBeGreaterThan(40)
  })
})
