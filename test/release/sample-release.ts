// A small, whole release made without a database: every combination of two categories, through the real stage.
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { categoryKey } from '../../src/contract/category-name.ts'
import { contentHash, documentText, instant, STAMP_TAIL_BYTES } from '../../src/contract/documents.ts'
import { combinations, snapshotPath, type Combination } from '../../src/contract/snapshot-paths.ts'
import { currentId } from '../../src/release/list.ts'
import type { Manifest } from '../../src/release/manifest.ts'
import { readManifest, readSnapshot } from '../../src/release/open.ts'
import { inPool } from '../../src/release/pool.ts'
import { switchTo } from '../../src/release/publish.ts'
import { Stage, type ManifestAbout } from '../../src/release/stage.ts'
import { verifyRelease, type Verification } from '../../src/release/verify.ts'

export const AS_OF_MS = Date.parse('2026-05-20T09:30:00.000Z')
export const CATEGORIES: readonly string[] = ['Design', 'Product']

/**
 * A folder that goes with the test, whether it passes or not.
 * @param finished a concurrent test must give its own context's
 */
export function temporaryFolder(finished: typeof onTestFinished = onTestFinished): string {
  const folder = mkdtempSync(join(tmpdir(), 'release-test-'))
  finished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

export function aboutOf(asOfMs: number): ManifestAbout {
  return {
    dataAsOf: instant(asOfMs),
    generatedAt: instant(asOfMs + 1_000),
    nextUpdateAt: instant(asOfMs + 3_600_000),
    version: '1.0',
    options: { voteWeight: 5, commentWeight: 3, topCategories: 3 },
    mapping: { name: 'native', sha256: 'a'.repeat(64) },
    source: { replayLagMs: null, rowSecurity: 'off' },
    rows: { users: 1, ideas: 2, votes: 3, comments: 4, launchedIdeas: 0, categories: CATEGORIES.length },
    ignored: [],
    categories: CATEGORIES.map((name) => ({ name, key: categoryKey(name) })),
  }
}

const ROWS = [{ line: 'one' }, { line: 'two\r\nand "a half"' }]
const CSV = 'line\r\none\r\n"two\r\nand ""a half"""\r\n'

function documentOf(combination: Combination, asOfMs: number): object {
  const times = { to: instant(asOfMs), dataAsOf: instant(asOfMs) }
  switch (combination.endpoint) {
    case 'stats':
      return { stats: { totalIdeas: 2 } }
    case 'trending':
      return { period: combination.period, category: combination.category, count: 2, ideas: ROWS, ...times }
    case 'categories':
      return { period: combination.period, count: 2, categories: ROWS, ...times }
    case 'export':
      return { type: combination.type, period: combination.period, data: ROWS, rowCount: 2, ...times }
  }
}

export async function fillStage(stage: Stage, asOfMs: number): Promise<void> {
  await inPool(combinations(CATEGORIES), async (combination) => {
    const isCsv = combination.endpoint === 'export' && combination.format === 'csv'
    const document = documentOf(combination, asOfMs)
    const text = isCsv ? CSV : documentText(document, aboutOf(asOfMs).generatedAt)
    await stage.put(snapshotPath(combination), text, {
      contentHash: isCsv ? createHash('sha256').update(text).digest('hex') : contentHash(document),
      rows: combination.endpoint === 'stats' ? null : ROWS.length,
      tail: isCsv ? 0 : STAMP_TAIL_BYTES,
    })
  })
}

/** Stages, seals and admits a release; does not make it current. */
export async function admitSample(snapshotsDir: string, asOfMs: number = AS_OF_MS): Promise<Manifest> {
  const stage = await Stage.create(snapshotsDir)
  await fillStage(stage, asOfMs)
  const manifest = await stage.seal(aboutOf(asOfMs))
  await stage.admit(manifest.id)
  return manifest
}

/** @param asOfMs ascending: the last one is current */
export async function publishSamples(snapshotsDir: string, ...asOfMs: number[]): Promise<string[]> {
  const ids: string[] = []
  for (const one of asOfMs) {
    const { id } = await admitSample(snapshotsDir, one)
    await switchTo(snapshotsDir, id, Date.now())
    ids.push(id)
  }
  return ids
}

export function verifyAt(snapshotsDir: string, id: string): Promise<Verification> {
  return verifyRelease({
    manifest: () => readManifest(snapshotsDir, id),
    read: (file) => readSnapshot(snapshotsDir, id, file),
    siblings: true,
  })
}

/** The id of the current release, after every byte of it was held against its manifest. */
export async function wholeCurrent(snapshotsDir: string): Promise<string> {
  const id = await currentId(snapshotsDir)
  if (id === null) throw new Error(`nothing is current in ${snapshotsDir}`)
  const { faults } = await verifyAt(snapshotsDir, id)
  if (faults.length > 0) throw new Error(`${id} is torn: ${faults.join('; ')}`)
  return id
}
