// src/site/client/sha256.ts, src/contract/category-slug.ts
import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { categoryKey } from '../../src/contract/category-name.ts'
import { keyWith } from '../../src/contract/category-slug.ts'
import { sha256 } from '../../src/site/client/sha256.ts'
import { NAUGHTY } from './shared/naughty.ts'

test('is what Node.js says, at every length around the blocks', () => {
  for (let length = 0; length < 200; length++) {
    const text = 'å\u{1F469}x'.repeat(100).slice(0, length)
    expect(sha256(text)).toBe(createHash('sha256').update(text, 'utf8').digest('hex'))
  }
})

test('a browser has the keys that the build has', () => {
  for (const name of [...NAUGHTY, 'Parks & Nature', 'Café', 'x'.repeat(200), '\u0635\u0646\u064A\u0641'])
    expect(keyWith(name, sha256(name))).toBe(categoryKey(name))
})
