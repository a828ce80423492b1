// Assets from build to build: a page that is cached finds its own after the style sheet has changed.
// long test: builds of several versions of the page
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { readManifest } from '../../../src/release/reading/folder-reader.ts'
import { releasePaths } from '../../../src/release/format/paths.ts'
import { wholeCurrent } from '../../release/sample-release.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { describeWithPostgres } from '../../support/postgres.ts'
import { run } from '../build-program.ts'
import { createSmallPlatform } from '../small-platform.ts'

describeWithPostgres('a build after which the style sheet changes', (postgres) => {
  let url: string
  beforeAll(async () => {
    url = await createSmallPlatform(postgres(), 'assets')
  })

  it('is followed by releases that still have the old one, byte for byte, and the new one; then by data only', async () => {
    const snapshots = temporaryFolder()
    const sheets = async (...options: string[]): Promise<Map<string, string>> => {
      expect(await run(['build', '--snapshots', snapshots, ...options], { DATABASE_URL: url })).toMatchObject({
        code: 0,
      })
      const id = await wholeCurrent(snapshots)
      const { files } = await readManifest(releasePaths(snapshots), id)
      const paths = files.map(({ path }) => path).filter((path) => path.endsWith('.css'))
      return new Map(paths.map((path) => [path, readFileSync(join(snapshots, 'releases', id, path), 'utf8')]))
    }
    const first = await sheets('--accent', '#005577')
    expect(first.size).toBe(1)
    const second = await sheets('--accent', '#7a0055')
    expect(second.size).toBe(2)
    for (const [path, text] of first) expect(second.get(path)).toBe(text)
    // For as long as nothing changes again.
    expect(await sheets('--accent', '#7a0055')).toEqual(second)
    const third = await sheets('--accent', '#333333')
    expect([third.size, [...first.keys()].some((path) => third.has(path))]).toEqual([2, false])
    expect(await sheets('--no-site')).toEqual(new Map())
    expect((await sheets('--accent', '#333333')).size).toBe(1)
  })
})
