// What is held for an answer is given back when its connection has ended, also when it had ended before the answer was there.
import type { ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { fixedBody } from '../../../src/proxy/answer/prepared-body.ts'
import { writeAnswer } from '../../../src/proxy/answer/write-answer.ts'

test.each([
  ['a connection that has ended before', true, 1],
  ['one that ends later', false, 0],
])('%s', (_, closed, givenBack) => {
  let done = 0
  const closing: (() => void)[] = []
  const response = {
    closed,
    req: { method: 'GET' },
    once: (_event: string, listener: () => void) => closing.push(listener),
    writeHead: () => undefined,
    end: () => undefined,
  } as unknown as ServerResponse
  const body = { ...fixedBody(Buffer.alloc(20_000)), done: () => void (done += 1) }
  void writeAnswer({ status: 200, headers: [], body }, response, 0)
  expect(done).toBe(givenBack)
  for (const close of closing) close()
  expect(done).toBe(1)
})
