import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { closeSync, constants, existsSync, lstatSync, openSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { appendFile, mkdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import { beforeEach, describe, expect, it } from 'vitest'
import { SILENT, type Log } from '../../../src/process/log.ts'
import { CODING_SUFFIX, CODINGS, type Coding } from '../../../src/release/format/coding.ts'
import { isWhole } from '../../../src/release/verify/verify.ts'
import { GrowingFile } from '../../../src/release/writing/growing-file.ts'
import { listReleases, namesBelow } from '../../../src/release/reading/release-list.ts'
import { folderReader } from '../../../src/release/reading/folder-reader.ts'
import { switchTo } from '../../../src/release/writing/current-link.ts'
import { ReleaseError } from '../../../src/release/format/release-error.ts'
import { SnapshotStream } from '../../../src/release/writing/snapshot-writer.ts'
import { removeLeftovers, Staging } from '../../../src/release/writing/staging.ts'
import {
  aboutOf,
  AS_OF_MS,
  fillStaging,
  promoteSample,
  publishSamples,
  sealedSample,
  verifyAt,
  wholeCurrent,
} from '../sample-release.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { releasePaths, type ReleasePaths } from '../../../src/release/format/paths.ts'

const ABOUT = { contentHash: 'a'.repeat(64), rows: null, tail: 0 }

let snapshots: string
let paths: ReleasePaths
beforeEach(() => {
  snapshots = temporaryFolder()
  paths = releasePaths(snapshots)
})

async function sealed(asOfMs = AS_OF_MS): Promise<{ stage: Staging; id: string }> {
  const { stage, manifest } = await sealedSample(paths, asOfMs)
  return { stage, id: manifest.id }
}

async function releaseErrorOf(promise: Promise<unknown>): Promise<ReleaseError> {
  const error: unknown = await promise.then(
    () => 'nothing was thrown',
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(ReleaseError)
  return error as ReleaseError
}

describe('staging', () => {
  it('names a part that cannot be removed by its whole path', async () => {
    const stage = await Staging.create(paths, [])
    const part = stage.part('ideas.part')
    part.write('x')
    await part.end({ rows: null })
    const file = join(stage.folder, readdirSync(stage.folder)[0]!)
    await rm(file)
    await mkdir(file)
    expect((await releaseErrorOf(stage.removeParts())).message).toMatch(`cannot remove ${file}: `)
  })

  it('does not seal a manifest that no reader takes', async () => {
    const stage = await Staging.create(paths, [])
    const categories = Array.from({ length: 70 }, (_, i) => ({ name: `${i}`.padEnd(1 << 20, '.'), key: `${i}` }))
    const error = await releaseErrorOf(stage.seal({ ...aboutOf(AS_OF_MS), categories }))
    expect([error.code, error.message]).toEqual([
      'write',
      expect.stringMatching(
        /^the manifest has 73,4\d\d,\d{3} bytes, and no reader takes more than 67,108,864: nothing is published/,
      ),
    ])
  })

  it('is a folder next to the releases whose name begins with a dot', async () => {
    const stage = await Staging.create(paths)
    expect(stage.folder).toMatch(/\/releases\/\.tmp-[^/]+$/)
    expect(await listReleases(paths)).toEqual([])
  })

  it('takes its release back when it is given up before the switch, and never the current one', async () => {
    const { stage, id } = await sealed()
    await stage.promote(id, isWhole)
    expect(await listReleases(paths)).toEqual([id])
    await stage.discard()
    expect(await namesBelow(paths, '')).toEqual([])

    const { stage: next } = await sealed()
    await next.promote(id, isWhole)
    await switchTo(paths, id, Date.now())
    await next.discard()
    expect(await wholeCurrent(snapshots)).toBe(id)
  })

  const DAMAGED: readonly [what: string, damage: (folder: string) => Promise<void>][] = [
    ['a flipped bit', (folder) => flipBit(join(folder, 'public/stats.json'))],
    ['a sibling with a flipped bit', (folder) => flipBit(join(folder, 'analytics/export/overview/7d.json.gz'))],
    ['a missing file', (folder) => rm(join(folder, 'public/stats.json'))],
    ['no manifest', (folder) => rm(join(folder, 'manifest.json'))],
    ['a manifest that is cut short', (folder) => truncate(join(folder, 'manifest.json'), 100)],
    [
      'a damaged copy of the manifest for clients that take gzip',
      (folder) => flipBit(join(folder, 'manifest.json.gz')),
    ],
    ['a file that is not in the manifest', (folder) => writeFile(join(folder, 'public/other.json'), '{}')],
  ]
  it.each(DAMAGED)('that is made again replaces a release with %s, the current one, too', async (_, damage) => {
    const [id = ''] = await publishSamples(snapshots, AS_OF_MS)
    await damage(join(snapshots, 'releases', id))
    expect((await promoteSample(snapshots)).id).toBe(id)
    expect(await wholeCurrent(snapshots)).toBe(id)
    expect(await namesBelow(paths, '')).toEqual([id])
  })

  it('that replaces a damaged release leaves its readers what they had opened, and tells them that it is another', async () => {
    const [id = ''] = await publishSamples(snapshots, AS_OF_MS)
    const reader = folderReader(paths)
    const before = await reader.current(null)
    expect(await reader.current(before)).toBe(before)
    const file = before.manifest.files.find(({ path }) => path === 'public/stats.json')
    if (file === undefined) throw new Error('no statistics')
    const bytes = await readFile(join(snapshots, 'releases', id, file.path))
    const open = await reader.stream(id, file)
    await rm(join(snapshots, 'releases', id, 'analytics/export/ideas/all.csv'))
    const stage = await Staging.create(paths)
    await fillStaging(stage, AS_OF_MS)
    const made = await stage.seal({ ...aboutOf(AS_OF_MS), programVersion: '1.2.3' })
    await stage.promote(made.id, isWhole)
    expect(await buffer(open)).toEqual(bytes)
    expect(made.id).toBe(id)
    expect((await reader.current(before)).manifest).toEqual(made)
  })

  it('that replaces the current release never leaves a link that leads to nothing', async () => {
    const [id = ''] = await publishSamples(snapshots, AS_OF_MS)
    const seen = new Set<string>()
    const looking = new AbortController()
    const link = (): number | null => lstatSync(join(snapshots, 'current'), { throwIfNoEntry: false })?.ino ?? null
    const look = (): void => {
      const before = link()
      const leads = existsSync(join(snapshots, 'current', 'manifest.json'))
      if (leads || before === link()) seen.add(before === null ? 'none' : `to ${leads ? 'a release' : 'nothing'}`)
      if (!looking.signal.aborted) setImmediate(look)
    }
    for (let i = 0; i < 8; i++) {
      const { stage } = await sealed()
      if (i === 0) look()
      await stage.promote(id, async () => false)
    }
    looking.abort()
    expect(await wholeCurrent(snapshots)).toBe(id)
    expect([...seen].sort()).toEqual(['none', 'to a release'])
  })

  it('puts a damaged release back when it cannot be replaced: something is current all the time', async () => {
    const [id = ''] = await publishSamples(snapshots, AS_OF_MS)
    await flipBit(join(snapshots, 'releases', id, 'public/stats.json'))
    const { ino } = statSync(join(snapshots, 'releases', id))
    const { stage } = await sealed()
    await rm(stage.folder, { recursive: true })
    expect((await releaseErrorOf(stage.promote(id, isWhole))).message).toMatch(/^cannot publish .*ENOENT/)
    expect(statSync(join(snapshots, 'current', '.')).ino).toBe(ino)
    expect(await namesBelow(paths, '')).toEqual([id])
  })

  it('fails for two combinations on one path', async () => {
    const stage = await Staging.create(paths)
    await stage.put('public/stats.json', 'one', ABOUT)
    const error = await releaseErrorOf(stage.put('public/stats.json', 'two', ABOUT))
    expect(error.message).toMatch(/cannot create .*public\/stats\.json: EEXIST/)
    expect(readFileSync(join(stage.folder, 'public/stats.json'), 'utf8')).toBe('one')
    const stream = stage.stream('public/stats.json', 0)
    await releaseErrorOf(stream.end({ rows: 0 }))
  })

  it('removes its folder while tasks that have not ended go on to write into it', async () => {
    for (let round = 0; round < 20; round += 1) {
      const stage = await Staging.create(paths)
      const tasks = Array.from({ length: 8 }, async (_, task) => {
        for (let i = 0; i < 200; i += 1) await stage.put(`analytics/${task}-${i}/a.json`, 'x', ABOUT)
      })
      await sleep(round)
      await stage.discard()
      await Promise.allSettled(tasks)
      expect(existsSync(stage.folder), `round ${round}`).toBe(false)
    }
  })

  it.each([
    ['shorter', (path: string) => truncate(path, 1)],
    ['longer', (path: string) => appendFile(path, '!')],
  ])('does not end a file that is %s than what was written', async (_, change) => {
    const path = join(temporaryFolder(), 'a')
    const file = new GrowingFile(path, openSync(path, 'wx'))
    await file.write(Buffer.from('three'))
    await change(path)
    const { code, message } = await releaseErrorOf(file.end())
    expect([code, message]).toEqual([
      'write',
      `cannot write ${path}: not what was written (${statSync(path).size} bytes, not 5)`,
    ])
    await file.close()
  })

  it.each([
    ['a flipped bit', (file: string) => flipBit(file)],
    ['a byte more', (file: string) => appendFile(file, '!')],
    ['no bytes', (file: string) => writeFile(file, '')],
  ])('does not take a file of a release that has %s since it was written', async (_, damage) => {
    const { id, files } = await promoteSample(snapshots)
    const stage = await Staging.create(paths)
    for (const file of files) await stage.link(id, file)
    const again = await Staging.create(paths)
    await damage(join(paths.releases, id, files[0]!.path))
    const { code, message } = await releaseErrorOf(again.link(id, files[0]!))
    expect([code, message]).toEqual([
      'write',
      expect.stringContaining(`${files[0]!.path}: not what was written (sha256 `),
    ])
  })

  it('streams a snapshot as if it had been put', async () => {
    const stage = await Staging.create(paths)
    const stream = stage.stream('analytics/export/ideas/all.csv', 0)
    const lines = Array.from({ length: 3_000 }, (__, i) => `${i};é;😀${'x'.repeat(i % 200)}\r\n`)
    for (const line of lines) {
      stream.write(line)
      await stream.drain()
    }
    await stream.end({ rows: lines.length })
    await stage.put('public/stats.json', lines.join(''), ABOUT)
    const { files } = await stage.seal(aboutOf(AS_OF_MS))
    const [streamed, put] = files
    expect(streamed).toMatchObject({ bytes: put?.bytes, sha256: put?.sha256, contentHash: undefined, rows: 3_000 })
  })

  it.each([0, 57, 300])(
    'streams megabytes in the order of the writing, while it waits, with a tail of %i bytes',
    async (tail) => {
      const stage = await Staging.create(paths)
      const stream = stage.stream('analytics/export/ideas/all.json', tail)
      // Pieces of 1 byte to 300 KB that hardly compress: the compression is still busy with the one before.
      const pieces = Array.from({ length: 40 }, (_, i) => randomBytes((i * 7_919) % 150_000).toString('hex') || 'x')
      const drained: Promise<void>[] = []
      for (const [i, piece] of pieces.entries()) {
        stream.write(piece)
        drained.push(stream.drain())
        // Some are still on their way, some have ended, some are in the middle.
        if (i % 7 === 6) await Promise.all(drained)
        else if (i % 3 === 2) await Promise.resolve()
      }
      await Promise.all([...drained, stream.end({ rows: 0 })])
      const file = join(stage.folder, 'analytics/export/ideas/all.json')
      expect(readFileSync(file, 'utf8') === pieces.join('')).toBe(true)
      expect(gunzipSync(readFileSync(`${file}.gz`)).toString() === pieces.join('')).toBe(true)
      expect(() => stream.write('x')).toThrow(/all\.json: written to after its end$/)
      await stage.discard()
    },
  )

  const UNWRITABLE: readonly [when: string, open: (path: string) => number, code: string][] = [
    [
      // Nobody has read from the compression yet: it waits.
      'from the first byte on',
      (path) => {
        closeSync(openSync(path, 'wx'))
        return openSync(path, 'r')
      },
      'EBADF',
    ],
    [
      // A pipe that nobody reads takes 64 KiB (pipe(7)); both ends are open, so that opening it does not wait.
      'after a part of it',
      (path) => {
        execFileSync('mkfifo', [path])
        return openSync(path, constants.O_RDWR | constants.O_NONBLOCK)
      },
      'EAGAIN',
    ],
  ]
  it.each(UNWRITABLE)('says why a .gz could not be written, %s', async (_, openGzip, code) => {
    const folder = temporaryFolder()
    const create = async (path: string): Promise<GrowingFile> =>
      new GrowingFile(path, path.endsWith('.gz') ? openGzip(path) : openSync(path, 'wx'))
    const onDone = () => expect.fail('it ended')
    const stream = new SnapshotStream({ create, path: join(folder, 'all.json'), tail: 57, codings: CODINGS, onDone })
    const writing = (async () => {
      for (let i = 0; i < 40; i++) {
        stream.write(randomBytes(200_000).toString('hex'))
        await stream.drain()
      }
    })()
    const end = await Promise.race([releaseErrorOf(writing), sleep(10_000, 'it waits for ever', { ref: false })])
    expect(end).toMatchObject({ message: expect.stringMatching(new RegExp(`cannot write .*all\\.json\\.gz: ${code}`)) })
    await stream.close()
  })

  it('never writes to a file that it has given back: its number may be another file’s', async () => {
    const path = join(temporaryFolder(), 'a')
    const file = new GrowingFile(path, openSync(path, 'wx'))
    await file.close()
    await expect(file.write(Buffer.from('x'))).rejects.toThrow(`cannot write ${path}: it is closed`)
    await file.close()
  })

  const SIBLINGS: readonly [given: string, codings: readonly Coding[] | undefined, small: Coding[], large: Coding[]][] =
    [
      ['nothing said', undefined, ['br', 'gzip'], ['gzip']],
      ['gzip alone', ['gzip'], ['gzip'], ['gzip']],
      ['br alone', ['br'], ['br'], []],
      ['no codings', [], [], []],
    ]
  it.each(SIBLINGS)('writes the siblings that it is told to: %s', async (_, codings, small, large) => {
    const stage = await Staging.create(paths, codings)
    await stage.put('small.json', 'x'.repeat(2000), ABOUT)
    const stream = stage.stream('large.csv', 0)
    for (let i = 0; i < 20; i++) {
      stream.write('x'.repeat(100_000))
      await stream.drain()
    }
    await stream.end({ rows: 0 })
    const { files } = await stage.seal(aboutOf(AS_OF_MS))
    const coded = files.map((file) => CODINGS.filter((coding) => file[coding] != null))
    expect(coded).toEqual([large, small])
    const siblings = [
      ...large.map((coding) => `large.csv${CODING_SUFFIX[coding]}`),
      ...small.map((coding) => `small.json${CODING_SUFFIX[coding]}`),
      ...small.map((coding) => `manifest.json${CODING_SUFFIX[coding]}`),
    ]
    expect(readdirSync(stage.folder).sort()).toEqual(['large.csv', 'manifest.json', 'small.json', ...siblings].sort())
    await stage.discard()
  })

  it('does not touch the release when the same instant with the same content is staged again', async () => {
    const { id } = await promoteSample(snapshots)
    const { ino } = statSync(join(snapshots, 'releases', id))
    expect((await promoteSample(snapshots)).id).toBe(id)
    expect(statSync(join(snapshots, 'releases', id)).ino).toBe(ino)
    expect(await namesBelow(paths, '.')).toEqual([])
  })

  it('keeps only the last rejected candidate, under a name that is never served', async () => {
    for (const asOfMs of [AS_OF_MS, AS_OF_MS + 1, AS_OF_MS + 2]) {
      const { stage, id } = await sealed(asOfMs)
      const log: Log = { ...SILENT, warn: (_, message) => expect.fail(message) }
      expect(await stage.reject(id, log)).toBe(join(snapshots, 'releases', `.refused-${id}`))
    }
    expect(await listReleases(paths)).toEqual([])
    expect(readdirSync(join(snapshots, 'releases'))).toEqual([expect.stringMatching(/^\.refused-20260520T093000002Z-/)])
  })

  it('leaves nothing when discarded, with streams open or ended, once or twice', async () => {
    const stage = await Staging.create(paths)
    await fillStaging(stage, AS_OF_MS)
    const open = stage.stream('one.csv', 0)
    open.write('x'.repeat(2 << 20))
    await open.drain()
    const ended = stage.stream('two.csv', 0)
    await ended.end({ rows: 0 })
    await stage.discard()
    await stage.discard()
    expect(readdirSync(join(snapshots, 'releases'))).toEqual([])
  })

  it('waits for writes under way when discarded, so that none of them leaves a file', async () => {
    const stage = await Staging.create(paths)
    const text = randomBytes(1 << 17).toString('hex')
    const writes = Array.from({ length: 20 }, (_, i) => stage.put(`public/${i}.json`, text, ABOUT))
    let ended = 0
    for (const write of writes) void write.finally(() => (ended += 1))
    await stage.discard()
    expect(ended).toBe(writes.length)
    expect(readdirSync(join(snapshots, 'releases'))).toEqual([])
  })

  it('waits for streams that are ending when discarded, so that none of them leaves a file', async () => {
    const stage = await Staging.create(paths)
    let ended = 0
    for (let i = 0; i < 20; i += 1) {
      const stream = stage.stream(`public/${i}.json`, 0)
      stream.write(randomBytes(1 << 17).toString('hex'))
      void stream.end({ rows: 0 }).finally(() => (ended += 1))
    }
    await stage.discard()
    expect(ended).toBe(20)
    expect(readdirSync(join(snapshots, 'releases'))).toEqual([])
  })

  it('reports a snapshot that cannot be written when nothing of it is being written any more', async () => {
    const path = join(temporaryFolder(), 'a.json')
    const create = async (file: string): Promise<GrowingFile> => {
      if (file === path) throw new Error('full')
      return new GrowingFile(file, openSync(file, 'wx'))
    }
    const stream = new SnapshotStream({ create, path, tail: 0, codings: CODINGS, onDone: () => expect.unreachable() })
    stream.write(Buffer.alloc(5000, 'x'))
    await expect(stream.end({ rows: null })).rejects.toThrow('full')
    expect([existsSync(`${path}.br`), existsSync(`${path}.gz`)]).toEqual([true, true])
  })

  it('names path, cause and next step when the folder cannot be', async () => {
    const folder = temporaryFolder()
    await writeFile(join(folder, 'file'), '')
    const error = await releaseErrorOf(Staging.create(releasePaths(join(folder, 'file'))))
    expect(error.message).toMatch(/cannot create .*\/file\/releases: ENOTDIR, a part of the path is not a folder/)
  })

  it('removes what killed builds left, and nothing else', async () => {
    const { id } = await promoteSample(snapshots)
    const releases = join(snapshots, 'releases')
    for (const name of ['.tmp-1-a', '.tmp-pruned-x', '.refused-x']) {
      await mkdir(join(releases, name, 'public'), { recursive: true })
      await writeFile(join(releases, name, 'public', 'stats.json'), '{}')
    }
    await removeLeftovers(paths, '.tmp-')
    expect(readdirSync(releases).sort()).toEqual(['.refused-x', id])
    expect(await verifyAt(snapshots, id)).toMatchObject({ faults: [] })
    await removeLeftovers(releasePaths(join(snapshots, 'absent')), '.tmp-')
    expect(existsSync(join(snapshots, 'absent'))).toBe(false)
  })
})

async function flipBit(file: string): Promise<void> {
  const bytes = await readFile(file)
  bytes[0] = (bytes[0] ?? 0) ^ 1
  await writeFile(file, bytes)
}
