// src/builder/site/write-site.ts, and what scripts/compile.js makes of src/site/client.
import { expect, test } from 'vitest'
import { gzipSync } from 'node:zlib'
import { packageAssets } from '../../../src/builder/site/write-site.ts'

test('the script of the page is one file of at most 20 KiB on its way', () => {
  const { path, text } = packageAssets(null).js
  expect(path).toMatch(/^assets\/page-[0-9a-f]{10}\.js$/)
  expect(text).toContain('textContent')
  expect(gzipSync(text, { level: 6 }).length).toBeLessThanOrEqual(20 << 10)
  // Nothing else is loaded, and nothing says where it was made: the same sources give the same bytes.
  expect(text).not.toMatch(/\bimport\b|\bfrom\s*["'`]|\bexport\s*\{|sourceMappingURL|\.compiled|src\//)
})
