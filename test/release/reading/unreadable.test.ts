// What could not be read is not known to be damaged: each error at each way of reading, by the library and by the programs.
// long test: writes or reads whole releases for each case
import { execFile } from 'node:child_process'
import { cp, mkdir, rm, symlink, writeFile } from 'node:fs/promises'
import { constants } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { folderReader, readManifest } from '../../../src/release/reading/folder-reader.ts'
import { reading, readingOfRelease, ReleaseError } from '../../../src/release/format/release-error.ts'
import { failureOf, run } from '../../builder/build-program.ts'
import { describeWithComponent } from '../../support/real-component.ts'
import { callsIn, compileFaults, compilerAvailable, type FaultKind, type Faults } from '../../torture/faults.ts'
import { promoteSample, AS_OF_MS, publishSamples, verifyAt } from '../sample-release.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { releasePaths } from '../../../src/release/format/paths.ts'

async function errorOf(promise: Promise<unknown>): Promise<ReleaseError> {
  const error = await promise.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(ReleaseError)
  return error as ReleaseError
}

describe('an error of reading', () => {
  const failing = (code: string) => () => Promise.reject(Object.assign(new Error(`${code}: of the system`), { code }))
  const ADVISED = new Set(['EACCES', 'EPERM', 'EIO', 'EMFILE', 'ENFILE', 'ENOMEM', 'ESTALE', 'ETIMEDOUT'])
  const MISSING: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR', 'EISDIR', 'ELOOP', 'ENXIO', 'ENODEV'])

  it.each(Object.keys(constants.errno))(
    '%s is of the disk or of the machine, but for a file that is none',
    async (code) => {
      const ofRelease = await errorOf(readingOfRelease('open', '/x', failing(code)))
      expect(ofRelease.code).toBe(MISSING.has(code) ? 'damaged' : 'unreadable')
      const ofOther = await errorOf(reading('list', '/x', failing(code)))
      expect(ofOther.code).toBe('unreadable')
      for (const { message } of [ofRelease, ofOther])
        expect(message).toMatch(new RegExp(`^cannot (open|list) /x: ${code}[:,] `))
      if (ADVISED.has(code)) expect(ofRelease.message).toMatch(/; [a-z ]*(?:try|raise|let|check|free)/)
    },
  )

  it.each<[what: string, put: (path: string) => Promise<unknown>]>([
    ['nothing', async () => {}],
    ['a folder', (path) => mkdir(path)],
    ['a link to itself', (path) => symlink(path, path)],
    ['a named pipe without a writer', (path) => promisify(execFile)('mkfifo', [path])],
    ['a device', (path) => symlink('/dev/zero', path)],
    ['a file of another length', (path) => writeFile(path, 'x')],
  ])('is damage where there is %s in place of a file', async (_, put) => {
    const snapshots = temporaryFolder()
    const { id, files } = await promoteSample(snapshots)
    const file = files[0]!
    for (const path of [file.path, 'manifest.json']) {
      await rm(join(snapshots, 'releases', id, path))
      await put(join(snapshots, 'releases', id, path))
    }
    expect((await errorOf(folderReader(releasePaths(snapshots)).read(id, file))).code).toBe('damaged')
    expect((await errorOf(readManifest(releasePaths(snapshots), id))).code).toBe('damaged')
  })
})

describeWithComponent('a disk that cannot read at one moment', compilerAvailable(), () => {
  const home = temporaryFolder(afterAll)
  let published: string
  let id: string
  let faults: Faults
  beforeAll(async () => {
    published = join(home, 'published')
    ;[, id = ''] = await publishSamples(published, AS_OF_MS, AS_OF_MS + 1)
    faults = compileFaults(home)
  })

  const COMMANDS: readonly (readonly string[])[] = [
    ['verify'],
    ['diff', 'current', 'current'],
    ['status'],
    ['prune', '--keep', '1'],
    ['rollback'],
    ['resume'],
  ]
  const ERRORS: Readonly<Partial<Record<FaultKind, readonly ('EIO' | 'EMFILE')[]>>> = {
    open: ['EMFILE', 'EIO'],
    read: ['EIO'],
    stat: ['EIO'],
    list: ['EMFILE'],
    readlink: ['EIO'],
    close: ['EIO'],
  }

  it.each(COMMANDS.map((command) => [command[0] ?? '', command] as const))(
    '%s says so, exits 7, calls nothing damaged, and changes nothing',
    async (name, command) => {
      const met: string[] = []
      // Of a release of May status says that it is late.
      const usual = name === 'status' ? 1 : 0
      const tryOnce = async (kind: FaultKind, error: 'EIO' | 'EMFILE', nth: number): Promise<boolean> => {
        const snapshots = join(home, `${name}-${kind}-${error}-${nth}`)
        const log = `${snapshots}.log`
        await cp(published, snapshots, { recursive: true, verbatimSymlinks: true })
        if (name === 'resume') await writeFile(join(snapshots, 'hold'), '{}')
        const fault = { kind, nth, action: constants.errno[error] } as const
        const ran = await run([...command, '--snapshots', snapshots], faults.environment(snapshots, log, fault))
        const [hit] = callsIn(log)
        if (hit === undefined) return false
        const about = `${kind} ${nth} of ${hit.path}: exit ${ran.code}\n${ran.stdout}\n${ran.stderr}`
        expect(`${ran.stdout}${ran.stderr}`, about).not.toMatch(/is damaged/)
        // What is looked at before something is made there, and what is only cleared away, may say so otherwise, or not.
        expect([usual, 6, 7], about).toContain(ran.code)
        if (ran.code === 7) {
          met.push(kind)
          // What these two were asked is what cannot be read.
          const said = ['verify', 'status'].includes(name) && ran.stdout !== '' ? ran.stdout : failureOf(ran)
          expect(said, about).toContain(error)
          // A whole tree is listed by one call of Node's.
          expect(said, about).toContain(kind === 'list' ? dirname(hit.path) : hit.path)
          expect(said, about).toMatch(/; (?:raise ulimit|check it)/)
        } else if (ran.code === usual && name === 'status' && ran.stdout.includes('cannot')) met.push(kind)
        expect((await verifyAt(snapshots, id)).faults, about).toEqual([])
        await rm(snapshots, { recursive: true })
        return true
      }
      // Each error in turn: that one is as good as the other, the table above says.
      for (const [kind, errors] of Object.entries(ERRORS) as [FaultKind, readonly ('EIO' | 'EMFILE')[]][])
        for (const [i, nth] of (name === 'verify' ? [1, 2, 40] : [1, 3]).entries())
          if (!(await tryOnce(kind, errors[i % errors.length]!, nth))) break
      expect(met.length).toBeGreaterThan(0)
    },
    240_000,
  )
})
