// Owns the making of the file of a category.
import type { CategoryCombination } from '../../contract/kinds/tables.ts'
import type { DocumentMaking } from './making.ts'

export const category: DocumentMaking<CategoryCombination> = {
  when: 'last',
  make: ({ category: name }, { categories, firstMonthMs, asOfMs }) => categories.file(name, firstMonthMs, asOfMs),
}
