// Owns the making of the trending documents.
import type { Combination } from '../../contract/kinds/register.ts'
import type { DocumentMaking } from './making.ts'

export const trending: DocumentMaking<Extract<Combination, { endpoint: 'trending' }>> = {
  when: 'first',
  make: ({ period, category }, { trending: lists, asOfMs }) =>
    category === null ? lists.ofAllIdeas(period, asOfMs) : lists.document(period, category, asOfMs),
}
