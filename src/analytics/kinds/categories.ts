// Owns the making of the numbers of each category, as documents and as tables.
import type { CategoriesDocument } from '../../contract/kinds/categories.ts'
import type { Combination } from '../../contract/kinds/register.ts'
import type { DocumentMaking, TableMaking } from './making.ts'

export const categories: DocumentMaking<Extract<Combination, { endpoint: 'categories' }>> = {
  when: 'a row for each category',
  make: ({ period }, { categories: sums, asOfMs }): CategoriesDocument => sums.document(period, asOfMs),
}

export const categoriesTable: TableMaking<'categories'> = {
  when: 'a row for each category',
  rows: ({ period }, { categories: sums }) => [sums.rows(period)],
}
