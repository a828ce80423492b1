// Which table a SELECT probably meant (names-meant.ts). real test: it reads SELECTs with PostgreSQL's parser.
import { expect, test } from 'vitest'
import { nearTables } from '../../../src/source/mapping/names-meant.ts'
import { parseSelects } from '../../../src/source/mapping/referenced-columns.ts'
import { catalogTable } from '../../support/catalog-table.ts'

const CATALOG = [
  catalogTable({ name: 'posts' }),
  catalogTable({ name: 'post_votes' }),
  catalogTable({ schema: 'app', name: 'Idea', visible: false }),
]

test.each([
  ['SELECT id FROM post', ['there is no table post; did you mean posts?']],
  [
    'SELECT id FROM psots JOIN post_vote USING (id)',
    ['there is no table psots; did you mean posts?', 'there is no table post_vote; did you mean post_votes?'],
  ],
  ['SELECT id FROM app.ideas', ['there is no table ideas; did you mean app."Idea"?']],
  ['SELECT id FROM posts', []],
  ['SELECT id FROM something_else', []],
  ['WITH post AS (SELECT 1 AS id) SELECT id FROM post', []],
])('%s', async (sql, said) => {
  const [select = null] = await parseSelects([sql])
  expect(nearTables(select, CATALOG)).toEqual(said)
})

test('of a SELECT that is none nothing is known', () => {
  expect(nearTables(null, CATALOG)).toEqual([])
})
