import { expect, test } from 'vitest'
import { WHOLE, within } from '../../../src/release/reading/http-fetch.ts'

const URL = 'https://ideas.example.org/snapshots/current/manifest.json'

test('what takes too long is said to be late, not to have been cut off by what then ends it', async () => {
  const work = (signal: AbortSignal): Promise<never> =>
    new Promise((_, reject) => {
      signal.addEventListener('abort', () => reject(new Error('aborted')))
    })
  await expect(within({ withinMs: 5 }, URL, WHOLE, work)).rejects.toMatchObject({
    code: 'unreadable',
    message: `${URL} was not there whole within 0.005 s`,
  })
})

test('what fails in time keeps its own reason', async () => {
  const failure = new Error('refused')
  await expect(within({ withinMs: 60_000 }, URL, WHOLE, () => Promise.reject(failure))).rejects.toBe(failure)
})
