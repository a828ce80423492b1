// A build whose documents contradict each other, as a mistake in one of their makers would leave them.
import { readdirSync } from 'node:fs'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import type * as Documents from '../../../src/builder/documents/write-documents.ts'
import type * as Builds from '../../../src/builder/run/run-build.ts'
import { releaseNamed } from '../../../src/builder/commands/which-release.ts'
import { inWindow } from '../../../src/release/quantities/relations.ts'
import { verifyRelease } from '../../../src/release/verify/verify.ts'
import { wholeCurrent } from '../../release/sample-release.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { effectsAt, requestOf } from '../../support/library-build.ts'
import { describeWithPostgres } from '../../support/postgres.ts'
import { createSmallPlatform } from '../small-platform.ts'
import { releasePaths } from '../../../src/release/format/paths.ts'

const DOCUMENTS = '../../../src/builder/documents/write-documents.ts'

const AS_OF_MS = Date.parse('2024-03-31T23:45:00.000Z')

describeWithPostgres('a build whose documents contradict each other', (postgres) => {
  let url: string
  let runBuild: typeof Builds.runBuild
  let writeDocuments: typeof Documents.writeDocuments
  let really: typeof Documents.writeDocuments
  beforeAll(async () => {
    // Loaded anew: test files of one worker share their modules.
    vi.resetModules()
    vi.doMock(DOCUMENTS, { spy: true })
    ;({ runBuild } = await import('../../../src/builder/run/run-build.ts'))
    ;({ writeDocuments } = await import('../../../src/builder/documents/write-documents.ts'))
    ;({ writeDocuments: really } = await vi.importActual<typeof Documents>(DOCUMENTS))
    url = await createSmallPlatform(postgres(), 'contradicting', new Date(AS_OF_MS).toISOString())
  })

  afterAll(() => {
    vi.doUnmock(DOCUMENTS)
    vi.resetModules()
  })

  const build = (snapshots: string, asOfMs: number, acceptRevision = false): Promise<Builds.BuildOutcome> =>
    runBuild(
      requestOf(url, snapshots, { asOfMs, acceptRevision }),
      effectsAt(() => asOfMs),
    )

  it('is rejected, also with --accept-revision, and kept; what was current still is', async () => {
    const snapshots = temporaryFolder()
    expect(await build(snapshots, AS_OF_MS)).toMatchObject({ kind: 'published' })
    const before = await wholeCurrent(snapshots)
    for (const [i, acceptRevision] of [false, true].entries()) {
      vi.mocked(writeDocuments).mockImplementationOnce(async (...given) => {
        const made = await really(...given)
        given[0].reported.all.count(inWindow('votes', 'all'), 'a document', 7)
        return made
      })
      const outcome = await build(snapshots, AS_OF_MS + 1 + i, acceptRevision)
      expect(outcome).toMatchObject({
        kind: 'refused',
        reasons: ['total votes: 2,728 in rows of manifest.json, but 7 in a document'],
      })
      const kept = readdirSync(`${snapshots}/releases`).filter((name) => name.startsWith('.'))
      expect(kept).toEqual([expect.stringMatching(/^\.refused-/)])
      expect(await wholeCurrent(snapshots)).toBe(before)
      // It can be looked at where it is, by its name or by its path as the rejection prints it.
      for (const which of [kept[0] ?? '', `${snapshots}/releases/${kept[0] ?? ''}`])
        expect(await verifyRelease(await releaseNamed(releasePaths(snapshots), which))).toMatchObject({ faults: [] })
    }
    expect(await build(snapshots, AS_OF_MS + 3)).toMatchObject({ kind: 'published' })
  })
})
