// Names of categories that are addresses of people: category-names.ts.
import { describe, expect, it } from 'vitest'
import { categoriesOfPeople } from '../../../src/source/read/category-names.ts'

describe('names of categories', () => {
  it.each([
    'anna@example.org',
    'Anna <anna@mail.example.org>',
    'mailto:a@b.cd',
    'anna＠example.org',
    'ä@bücher.example',
  ])('may be an address: %s', (name) => {
    expect(categoriesOfPeople(['Parks', name])).toMatch(/^1 of 2 categories look like e-mail addresses, such as /)
  })

  it('are mostly none', () => {
    const names = ['Parks', '@home', 'R&D @ work', 'a@b', '@anna.b', 'v1.2 @ 3.4', 'Uncategorized', 'example.org', '']
    expect(categoriesOfPeople(names)).toBeNull()
    expect(categoriesOfPeople([])).toBeNull()
  })
})
