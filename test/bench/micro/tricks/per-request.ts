// What every request of the API does: an answer copied field by field.
import { NOSNIFF, type Answer, type Headers } from '../../../../src/proxy/answer/answer.ts'
import type { Comparison } from '../compare.ts'

const BODY = { kind: 'prepared', bytes: 1, coding: 'gzip', at: () => '' } as const satisfies Answer['body']
const AGE: Headers = ['Cache-Control', 'private, max-age=60']
const OF_RELEASE: Headers = [
  ...NOSNIFF,
  'ETag',
  'W/"a"',
  'Last-Modified',
  'a',
  'X-Data-As-Of',
  'a',
  'X-Snapshot-Id',
  'a',
]
const answer: Answer = { status: 200, headers: OF_RELEASE, body: BODY }

export const COMPARISONS: readonly Comparison[] = [
  {
    name: 'an answer with the headers of its client',
    times: 1,
    trick: () => ({ status: answer.status, headers: answer.headers, own: AGE, body: answer.body, close: answer.close }),
    plain: () => ({ ...answer, own: AGE, close: answer.close }),
  },
]
