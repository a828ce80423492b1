// When a client's copy is still good: RFC 9110 section 13, and what API.md adds to it.
import { describe, expect, test } from 'vitest'
import { notModified } from '../../src/proxy/conditional.ts'
import { ask, serving } from '../support/proxy.ts'

const ETAG = 'W/"0123456789abcdef-20"'
const TAG = '"0123456789abcdef-20"'
const LAST_MODIFIED = 'Wed, 20 May 2026 09:30:00 GMT'
const validators = { etag: ETAG, lastModified: LAST_MODIFIED }

describe('If-None-Match', () => {
  test.each<[string, boolean]>([
    // Weak comparison: W/ on either side does not matter.
    [ETAG, true],
    [TAG, true],
    ['W/"0123456789abcdef-2"', false],
    ['W/"0123456789ABCDEF-20"', false],
    ['"0123456789abcdef-20 "', false],
    ['""', false],
    ['W/""', false],
    // Lists.
    [`"a", ${ETAG}`, true],
    [`${ETAG}, "a"`, true],
    [`"a",W/"b",${TAG},"c"`, true],
    [`"a" ,\t ${TAG}`, true],
    ['"a", "b", W/"c"', false],
    [`"a,${TAG.slice(1)}`, false],
    [`"a", "x, ${TAG.slice(1)}`, false],
    // A tag may hold a comma; quotes end it.
    [`"a,b", ${TAG}`, true],
    [`"${'x'.repeat(4000)}", ${TAG}`, true],
    [`"\u00FC", ${TAG}`, true],
    // Empty elements are ignored.
    [`, ${TAG}`, true],
    [` , ,\t,${TAG}, ,`, true],
    [`"a",, ${TAG}`, true],
    [', ,', false],
    // Any.
    ['*', true],
    [' * ', true],
    ['"*"', false],
    ['*, "a"', false],
    ['"a", *', false],
    ['**', false],
    // Not entity tags: the condition is not met, and what stood before still counts.
    ['', false],
    [' ', false],
    ['0123456789abcdef-20', false],
    ['w/"0123456789abcdef-20"', false],
    [`W/ ${TAG}`, false],
    ["'0123456789abcdef-20'", false],
    ['"0123456789abcdef-20', false],
    [`${ETAG}; q=1`, true],
    [`rubbish, ${ETAG}`, false],
    [`"a" ${ETAG}`, false],
    [`"a"${ETAG}`, false],
    [`"a b", ${ETAG}`, false],
  ])('%s: %s', (given, expected) => {
    expect(notModified(validators, given, undefined)).toBe(expected)
  })

  test('wins over If-Modified-Since, whatever it says', () => {
    expect(notModified(validators, '"other"', LAST_MODIFIED)).toBe(false)
    expect(notModified(validators, '', LAST_MODIFIED)).toBe(false)
    expect(notModified(validators, ETAG, 'Wed, 20 May 2020 09:30:00 GMT')).toBe(true)
  })

  test('takes no longer for a long list of near misses', () => {
    const list = `${'"0123456789abcdef-2", '.repeat(400)}x`
    const startMs = performance.now()
    for (let i = 0; i < 100; i++) expect(notModified(validators, list, undefined)).toBe(false)
    expect(performance.now() - startMs).toBeLessThan(1000)
  })
})

describe('If-Modified-Since matches only the same second, so that a rollback is seen', () => {
  test.each<[string, boolean]>([
    [LAST_MODIFIED, true],
    ['Wednesday, 20-May-26 09:30:00 GMT', true],
    ['Wed May 20 09:30:00 2026', true],
    ['Wed, 20 May 2026 09:29:59 GMT', false],
    ['Wed, 20 May 2026 09:30:01 GMT', false],
    ['Thu, 21 May 2026 09:30:00 GMT', false],
    ['Tue, 19 May 2026 09:30:00 GMT', false],
    ['Fri, 31 Dec 9999 23:59:59 GMT', false],
    ['Wednesday, 20-May-26 09:30:01 GMT', false],
    ['Wed May 20 09:30:01 2026', false],
    ['Wed, 20 May 2026 09:30:00', false],
    ['Wed, 20 May 2026 11:30:00 +0200', false],
    ['2026-05-20T09:30:00Z', false],
    ['1779269400', false],
    ['yesterday', false],
    ['GMT', false],
    ['', false],
  ])('%s: %s', (given, expected) => {
    expect(notModified(validators, undefined, given)).toBe(expected)
  })

  test('without any condition nothing is spared', () => {
    expect(notModified(validators, undefined, undefined)).toBe(false)
  })
})

describe('end to end', () => {
  const served = serving()

  test.each(['/api/public/stats', '/api/analytics/trending?category=nobody', '/snapshots/current/public/stats.json'])(
    '%s',
    async (target) => {
      const { port } = served()
      const { headers } = await ask(port, target)
      const { etag = '', 'last-modified': lastModified = '' } = headers
      const statusOf = async (conditions: Record<string, string | string[]>) =>
        (await ask(port, target, { headers: conditions })).status
      expect(await statusOf({ 'If-None-Match': etag })).toBe(304)
      expect(await statusOf({ 'if-none-match': `"a", ${etag}` })).toBe(304)
      expect(await statusOf({ 'If-None-Match': ['"a"', etag] })).toBe(304)
      expect(await statusOf({ 'If-None-Match': '"a"' })).toBe(200)
      expect(await statusOf({ 'If-Modified-Since': lastModified })).toBe(304)
      expect(await statusOf({ 'If-Modified-Since': 'Wed, 20 May 2026 10:00:00 GMT' })).toBe(200)
      expect(await statusOf({ 'If-None-Match': '"a"', 'If-Modified-Since': lastModified })).toBe(200)
      expect(await statusOf({ 'If-Match': '"a"', 'If-Unmodified-Since': 'Wed, 20 May 2020 10:00:00 GMT' })).toBe(200)
      expect((await ask(port, target, { method: 'HEAD', headers: { 'If-None-Match': etag } })).status).toBe(304)
    },
  )

  test('the OpenAPI document has a validator of its own, and no date', async () => {
    const { headers } = await ask(served().port, '/api/openapi.json')
    expect(headers).not.toHaveProperty('last-modified')
    const again = await ask(served().port, '/api/openapi.json', { headers: { 'If-None-Match': String(headers.etag) } })
    expect([again.status, again.body.length]).toEqual([304, 0])
  })
})
