// What is worked out once and remembered, against working it out for each request.
import { ENDPOINTS } from '../../../../src/contract/kinds/register.ts'
import { snapshotPath } from '../../../../src/contract/snapshot-paths.ts'
import { parseQuery } from '../../../../src/contract/parse-query.ts'
import { rateLimitExceeded } from '../../../../src/contract/problems.ts'
import { problemAnswer } from '../../../../src/proxy/answer/answer.ts'
import { CORS } from '../../../../src/proxy/answer/api-headers.ts'
import { tooManyRequests } from '../../../../src/proxy/answer/too-many-requests.ts'
import type { Comparison } from '../compare.ts'

const tooMany = tooManyRequests(100, 3_600_000)
const queries = Array.from({ length: 50 }, (_, i) => `period=7d&limit=${i + 1}`)
const resolve = (query: string): string => {
  const parsed = parseQuery(ENDPOINTS.trending, query)
  return parsed.ok ? snapshotPath(parsed.query) : ''
}
const known = new Map(queries.map((query) => [query, resolve(query)]))
const queryOf = (i: number): string => queries[i % queries.length] ?? ''
export const COMPARISONS: readonly Comparison[] = [
  {
    name: 'the 429 of each second',
    times: 1,
    trick: () => tooMany(1_234_000).headers,
    plain: () => problemAnswer(rateLimitExceeded(100, 3_600_000, 1234), [...CORS, 'Retry-After', '1234']).headers,
  },
  {
    name: 'the snapshot of a query (its headers and ETag come on top)',
    times: 1,
    trick: (i) => known.get(queryOf(i)),
    plain: (i) => resolve(queryOf(i)),
  },
]
