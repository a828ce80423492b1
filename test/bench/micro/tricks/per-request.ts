// What every request of the API does: heads put together once, an answer copied field by field, state kept on a socket.
import type { Answer, Headers } from '../../../../src/proxy/answer/answer.ts'
import { codingHeaders, JSON_TYPE, NOSNIFF } from '../../../../src/proxy/answer/answer.ts'
import { CORS } from '../../../../src/proxy/answer/api-headers.ts'
import { HeaderCache } from '../../../../src/proxy/answer/header-cache.ts'
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
const cache = new HeaderCache(JSON_TYPE, OF_RELEASE)
const answer: Answer = { status: 200, headers: OF_RELEASE, body: BODY }

/** As many connections as a busy proxy has. */
const SOCKETS = Array.from({ length: 2_000 }, (): { latest?: unknown } => ({}))
const socketOf = (i: number): { latest?: unknown } => SOCKETS[i % SOCKETS.length] ?? {}
const LATEST = new WeakMap<object, unknown>()

export const COMPARISONS: readonly Comparison[] = [
  {
    name: 'the head of a 200',
    times: 1,
    trick: () => cache.of(BODY, AGE),
    plain: () => [...JSON_TYPE, ...codingHeaders(BODY), ...CORS, ...OF_RELEASE, ...AGE],
  },
  {
    name: 'an answer with the headers of its client',
    times: 1,
    trick: () => ({ status: answer.status, headers: answer.headers, own: AGE, body: answer.body, close: answer.close }),
    plain: () => ({ ...answer, own: AGE, close: answer.close }),
  },
  {
    name: 'the latest response of a connection, written and read',
    times: 1,
    trick: (i) => {
      const socket = socketOf(i)
      socket.latest = i
      return socket.latest
    },
    plain: (i) => {
      const socket = socketOf(i)
      LATEST.set(socket, i)
      return LATEST.get(socket)
    },
  },
]
