// The journal on the disk: which lines count, what is mended, and what is said of one that is damaged or gone
// or of another folder. src/release/past/past.ts.
import {
  appendFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { linesIn } from '../../../src/release/past/journal.ts'
import { note, readJournal, readPin } from '../../../src/release/past/past.ts'
import { releasePaths, type ReleasePaths } from '../../../src/release/format/paths.ts'
import { noteRelease } from '../../support/noted.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const IDS = Array.from({ length: 4 }, (_, i) => `2026052${i}T093000123Z-0123abcd`)
const [A, B, C, D] = IDS as [string, string, string, string]
const PIN = { since: '2026-05-25T00:00:00.000Z', id: A }
const day = (id: string) => ({
  date: '2026-05-20',
  id,
  sha256: 'a'.repeat(64),
  rows: { ideas: 1, votes: 2, comments: 3 },
})

let paths: ReleasePaths
const text = (): string => readFileSync(paths.journal, 'utf8')
const current = (id: string): void => {
  rmSync(paths.current, { force: true })
  symlinkSync(`releases/${id}`, paths.current)
}
const publish = async (id: string, from: string | null): Promise<void> => {
  await noteRelease(paths, id, from)
  mkdirSync(join(paths.releases, id))
  current(id)
}
beforeEach(async () => {
  paths = releasePaths(temporaryFolder())
  mkdirSync(paths.releases)
  await publish(A, null)
  await publish(B, A)
})

describe('a line', () => {
  it('is added to those that are there, and read by everybody', async () => {
    const before = text()
    const { ino } = statSync(paths.journal)
    await publish(C, B)
    expect(text().startsWith(before)).toBe(true)
    expect([statSync(paths.journal).ino, statSync(paths.journal).mode & 0o777]).toEqual([ino, 0o644])
    expect(await readJournal(paths)).toMatchObject({ last: C, isWhole: true })
    expect(readdirSync(paths.root).sort()).toEqual(['.journal', 'current', 'releases'])
  })

  it.each([0, 0o077, 0o027])('has its mode with umask %i', async (umask) => {
    const before = process.umask(umask)
    onTestFinished(() => void process.umask(before))
    rmSync(paths.journal)
    await note(paths, await readJournal(paths), { id: C })
    expect(statSync(paths.journal).mode & 0o777).toBe(0o644)
  })

  it('counts when its release is current, or another line follows it', async () => {
    await noteRelease(paths, C, B)
    expect(await readJournal(paths)).toMatchObject({ last: B, isWhole: false })
    current(C)
    expect(await readJournal(paths)).toMatchObject({ last: C, isWhole: true })
    await noteRelease(paths, D, C)
    expect(await readJournal(paths)).toMatchObject({
      last: C,
      lineage: new Map<string, string | null>([
        [A, null],
        [B, A],
        [C, B],
        [D, C],
      ]),
    })
  })

  it('of a build that was killed before the switch is gone with the next one', async () => {
    await noteRelease(paths, C, B)
    await publish(D, B)
    expect(text()).not.toContain(C)
    expect(linesIn(text(), 'at').lines.at(-1)).toEqual({ id: D, from: B })
    expect((await readJournal(paths)).last).toBe(D)
  })

  it('counts without `current` if its release is there: the link was lost', async () => {
    rmSync(paths.current)
    expect((await readJournal(paths)).last).toBe(B)
    await noteRelease(paths, C, B)
    expect((await readJournal(paths)).last).toBe(B)
  })

  it('of a rollback that was killed before the switch pins', async () => {
    await note(paths, await readJournal(paths), { id: A, pin: PIN, days: [day(B)] })
    expect(await readJournal(paths)).toMatchObject({ last: B, pin: PIN, days: [] })
    await note(paths, await readJournal(paths), { pin: null })
    expect(await readJournal(paths)).toMatchObject({ last: B, pin: null, days: [], isWhole: true })
  })

  it('that ends a day leaves of all others what is needed', async () => {
    for (let i = 0; i < 5; i += 1) await noteRelease(paths, B, A)
    rmSync(join(paths.releases, A), { recursive: true })
    await note(paths, await readJournal(paths), { id: C, from: B, days: [day(B)] })
    expect(text().split('\n')).toHaveLength(4)
    current(C)
    expect(await readJournal(paths)).toMatchObject({ last: C, days: [day(B)] })
    expect((await readJournal(paths)).lineage.get(B)).toBe(null)
  })

  it.each<[string, () => void]>([
    ['was torn by a full disk', () => appendFileSync(paths.journal, '{"at":"2026-05')],
    ['was torn by a power cut that kept its end', () => appendFileSync(paths.journal, `${'\0'.repeat(30)}}\n`)],
  ])('%s: the next one mends it', async (_, tear) => {
    tear()
    const { last } = await readJournal(paths)
    expect(last).toBe(B)
    await publish(C, B)
    expect(linesIn(text(), 'at').isTorn).toBe(false)
    expect(await readJournal(paths)).toMatchObject({ last: C, isWhole: true })
  })

  it.each<[string, (theirs: string) => void]>([
    ['a hard link', (theirs) => linkSync(theirs, paths.journal)],
    ['a symbolic link', (theirs) => symlinkSync(theirs, paths.journal)],
  ])('is written through no link that somebody planted: %s', async (_, plant) => {
    const theirs = join(temporaryFolder(), 'theirs')
    writeFileSync(theirs, text())
    const before = readFileSync(theirs, 'utf8')
    rmSync(paths.journal)
    plant(theirs)
    await publish(C, B)
    expect(readFileSync(theirs, 'utf8')).toBe(before)
    expect([statSync(paths.journal).nlink, (await readJournal(paths)).last]).toEqual([1, C])
  })

  it('that can neither be added nor written anew is an error, and the others stay', async () => {
    const before = text()
    linkSync(paths.journal, join(paths.root, 'theirs'))
    // As on a full disk, no new file can be made.
    mkdirSync(`${paths.journal}.next`)
    await expect(noteRelease(paths, C, B)).rejects.toMatchObject({
      code: 'write',
      message: expect.stringMatching(/^cannot write .*\.journal: /) as string,
    })
    expect([text(), (await readJournal(paths)).last]).toEqual([before, B])
  })

  it('is all there or not at all for who reads meanwhile', async () => {
    const state = { isWritten: false }
    const writer = async (): Promise<void> => {
      for (let i = 0; i < 200; i += 1)
        await note(paths, await readJournal(paths), i % 20 === 0 ? { id: B, days: [day(A)] } : { id: B })
      state.isWritten = true
    }
    const reader = async (): Promise<void> => {
      while (!state.isWritten) expect((await readJournal(paths)).last).toBe(B)
    }
    await Promise.all([writer(), reader()])
    expect((await readJournal(paths)).days).toHaveLength(10)
  })
})

describe('a journal', () => {
  it('that is damaged is an error that names the line, and what to do', async () => {
    writeFileSync(paths.journal, text().replace('{', '['))
    for (const read of [readJournal, readPin])
      await expect(read(paths)).rejects.toMatchObject({
        code: 'unreadable',
        message: expect.stringMatching(
          /\.journal: line 1 is damaged: \["id".*; put it back from a backup; or, .*, move it away and build once with --accept-revision/,
        ) as string,
      })
  })

  it('of another folder is an error that says so; its pin is read all the same', async () => {
    writeFileSync(
      paths.journal,
      `${JSON.stringify({ id: C, from: null, pin: PIN })}\n${JSON.stringify({ pin: PIN })}\n`,
    )
    await expect(readJournal(paths)).rejects.toThrow(
      /\.journal does not name .*, which is current: it is that of another/,
    )
    expect(await readPin(paths)).toEqual(PIN)
  })

  it.each<[string, (text: string) => string]>([
    ['damaged', (line) => line.replace('{', '[')],
    ['cut', (line) => line.slice(0, -2)],
  ])(
    'whose rollback is %s keeps its pin: the release that is current says that the line counted',
    async (_, change) => {
      const before = text()
      await note(paths, await readJournal(paths), { id: A, pin: PIN })
      current(A)
      expect((await readJournal(paths)).pin).toEqual(PIN)
      writeFileSync(paths.journal, before + change(text().slice(before.length)))
      await expect(readJournal(paths)).rejects.toThrow(
        /, which is current: .*, or its last line is damaged; put it back/,
      )
    },
  )

  it('that lost a line which counted is an error: a line is on the disk before its release is current', async () => {
    truncateSync(paths.journal, statSync(paths.journal).size - 1)
    await expect(readJournal(paths)).rejects.toThrow(
      `does not name ${B}, which is current: it is that of another folder, or older`,
    )
  })

  it('that is gone, or empty, says nothing', async () => {
    for (const lose of [() => truncateSync(paths.journal), () => rmSync(paths.journal)]) {
      lose()
      expect(await readJournal(paths)).toMatchObject({ last: null, pin: null, isWhole: false })
    }
    expect(existsSync(paths.journal)).toBe(false)
  })

  it('that cannot be read may say something', async () => {
    rmSync(paths.journal)
    mkdirSync(paths.journal)
    for (const read of [readJournal, readPin])
      await expect(read(paths)).rejects.toThrow(/^cannot read .*\.journal: EISDIR/)
  })
})
