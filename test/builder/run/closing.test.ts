// A site that closes to visitors: the next build takes everything that was public out of the folder, whatever else is in
// its way, and says so everywhere but in public; when the site opens again, it publishes as if for the first time.
// long test: a build for each thing that may be in the way
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs'
import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { packagePath } from '../../../src/process/package-root.ts'
import { readManifest } from '../../../src/release/reading/folder-reader.ts'
import { readPin } from '../../../src/release/past/past.ts'
import { wholeCurrent } from '../../release/sample-release.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { asRoot } from '../../support/as-root.ts'
import { describeWithPostgres } from '../../support/postgres.ts'
import { until } from '../../support/proxy.ts'
import { begin, failureOf, logOf, run, type Ran } from '../build-program.ts'
import { createSmallPlatform } from '../small-platform.ts'
import { releasePaths } from '../../../src/release/format/paths.ts'

const NATIVE = readFileSync(packagePath('src', 'source', 'mapping', 'built-in', 'native', 'mapping.sql'), 'utf8')
/** What root is denied by the modes of files, as everybody else. */
const BY_MODES = process.getuid?.() === 0 ? ['setpriv', '--bounding-set=-dac_override,-dac_read_search'] : []
const REASON = 'the board wants it so'
/** Of every title of the small platform. */
const TITLE = /Idea \d/
const CLOSED = /The site is closed to visitors/

describeWithPostgres('a site that closes', (postgres) => {
  const home = temporaryFolder(afterAll)
  let url: string
  let source: string
  /** Two releases of the open site and a candidate that the gate rejected, copied for each test. */
  let published: string
  let before: readonly string[]
  let snapshots: string
  const program = (...args: string[]): Promise<Ran> =>
    run([...args, '--snapshots', snapshots], { DATABASE_URL: url, ANALYTICS_SOURCE: source })
  const sql = (text: string): Promise<string> => postgres().psql(text, 'closing')
  const open = (): Promise<string> => sql(`UPDATE site SET private = false, why = NULL`)
  const close = (): Promise<string> => sql(`UPDATE site SET private = true, why = '${REASON}'`)
  const names = (): string[] => readdirSync(join(snapshots, 'releases')).sort()
  const mapping = (name: string, section: string): string => {
    const file = join(home, `${name}.sql`)
    writeFileSync(file, `${NATIVE}\n-- section closed\n${section}\n`)
    return file
  }

  /** The text of every file in the folder, whatever its name. */
  function everything(): string {
    const files = readdirSync(snapshots, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    const texts = files.map(({ parentPath, name }) => {
      const bytes = readFileSync(join(parentPath, name))
      return (name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8')
    })
    return [...files.map(({ name }) => name), ...texts].join('\n')
  }

  async function expectClosed(): Promise<string> {
    const id = await wholeCurrent(snapshots)
    expect(names()).toEqual([id])
    const { closed, rows, categories } = await readManifest(releasePaths(snapshots), id)
    expect({ closed, rows, categories }).toEqual({
      closed: true,
      rows: { users: 0, ideas: 0, votes: 0, comments: 0, launchedIdeas: 0, categories: 0 },
      categories: [],
    })
    const all = everything()
    expect(all).not.toMatch(TITLE)
    for (const secret of ['Product', 'Design', REASON]) expect(all).not.toContain(secret)
    return id
  }

  beforeAll(async () => {
    url = await createSmallPlatform(postgres(), 'closing')
    await sql('CREATE TABLE site (private boolean, why text); INSERT INTO site VALUES (false, NULL)')
    source = mapping('closing', 'SELECT private AS closed, why AS reason FROM site')
    published = snapshots = join(home, 'published')
    for (let i = 0; i < 2; i++) expect(await program()).toMatchObject({ code: 0 })
    await sql('UPDATE votes SET value = -value')
    expect(await program()).toMatchObject({ code: 4 })
    await sql('UPDATE votes SET value = -value')
    before = names()
    expect(before).toHaveLength(3)
    expect(everything()).toMatch(TITLE)
  })
  beforeEach(async () => {
    snapshots = join(temporaryFolder(), 'snapshots')
    await cp(published, snapshots, { recursive: true, verbatimSymlinks: true })
    await open()
  })

  it('leaves nothing of before in the folder: no older release, no rejected candidate, no name, no reason', async () => {
    await close()
    const metrics = join(snapshots, '..', 'build.prom')
    const ran = await program('build', '--metrics-file', metrics)
    expect(ran).toMatchObject({ code: 0 })
    const id = await expectClosed()
    const { closedSince: closedAt, dataAsOf } = await readManifest(releasePaths(snapshots), id)
    expect(closedAt).toBe(dataAsOf)
    expect(ran.stdout).toContain(
      `published ${id}: the site is closed to visitors (${REASON}); it is empty, and every other`,
    )
    expect(logOf(ran)).toContainEqual(
      expect.objectContaining({
        level: 'warn',
        reason: REASON,
        message: expect.stringContaining('closed to visitors'),
      }),
    )
    const said = readFileSync(metrics, 'utf8')
    expect(said).toContain('\nanalytics_build_closed 1\n')
    expect(said).toContain('\nanalytics_build_last_run_result{result="published"} 1\n')
    expect(said).not.toContain(REASON)
    const status = (await program('status')).stdout
    expect(status).toMatch(new RegExp(`^\\* ${id} .*, closed to visitors: empty\\b`, 'm'))
    expect(status).toContain('the site is closed to visitors; when it is open again, the next build publishes it\n')
    expect(status).not.toContain(REASON)
    expect(await program('verify')).toMatchObject({ code: 0 })
    const json = JSON.parse((await program('build', '--json')).stdout) as object
    expect(json).toMatchObject({ kind: 'published', closed: true, reason: REASON, pruned: [id] })
    const again = await readManifest(releasePaths(snapshots), await expectClosed())
    expect(again).toMatchObject({ closedSince: closedAt, dataAsOf: expect.not.stringMatching(closedAt ?? 'none') })
  })

  it('closes over a pin, which applies again when it opens again', async () => {
    expect(await program('rollback')).toMatchObject({ code: 0 })
    expect(await program()).toMatchObject({ code: 4 })
    await close()
    expect(await program()).toMatchObject({ code: 0 })
    const id = await expectClosed()
    await open()
    const held = await program()
    expect(held.code).toBe(4)
    expect(failureOf(held)).toContain('pinned since')
    expect(await wholeCurrent(snapshots)).toBe(id)
    expect(await program('resume')).toMatchObject({ code: 0 })
    expect(await program()).toMatchObject({ code: 0 })
    expect(everything()).toMatch(TITLE)
  })

  it('closes whatever is wrong with the rest of the mapping and its tables', async () => {
    await close()
    await sql('ALTER TABLE comments RENAME TO gone')
    try {
      expect(await program()).toMatchObject({ code: 0 })
    } finally {
      await sql('ALTER TABLE gone RENAME TO comments')
    }
    await expectClosed()
  })

  it('closes in a folder that another mapping filled', async () => {
    await close()
    source = mapping('another', 'SELECT true AS closed')
    try {
      const ran = await program()
      expect(ran).toMatchObject({ code: 0 })
      expect(ran.stdout).toContain('the site is closed to visitors; it is empty')
    } finally {
      source = join(home, 'closing.sql')
    }
    await expectClosed()
  })

  it('is published when it opens again as a first release is: compared with nothing', async () => {
    await close()
    expect(await program()).toMatchObject({ code: 0 })
    const closed = await expectClosed()
    await open()
    const ran = await program()
    expect(ran).toMatchObject({ code: 0 })
    expect(logOf(ran)).toContainEqual(expect.objectContaining({ message: expect.stringContaining('open again') }))
    const id = await wholeCurrent(snapshots)
    const { closed: isClosed, closedSince, rows } = await readManifest(releasePaths(snapshots), id)
    expect([isClosed, closedSince, rows.ideas]).toEqual([undefined, undefined, 150])
    // The page says so of a closed site (docs/ explains it in every release).
    const pageOf = (release: string): string => readFileSync(join(snapshots, 'releases', release, 'index.html'), 'utf8')
    expect([closed, id].map((release) => CLOSED.test(pageOf(release)))).toEqual([true, false])
    // And then again.
    await close()
    expect(await program()).toMatchObject({ code: 0 })
    expect(await expectClosed()).not.toBe(closed)
  })

  it('closes also where what a killed build left cannot be removed', async () => {
    const left = join(snapshots, 'releases', '.tmp-1-00000000')
    mkdirSync(left)
    asRoot('mount', '-t', 'tmpfs', 'tmpfs', left)
    try {
      await close()
      const toldFile = join(snapshots, '..', 'told')
      const ran = await program('--after-publish', `echo "$ANALYTICS_RELEASE_ID" > ${toldFile}`)
      expect(everything()).not.toMatch(TITLE)
      expect(ran).toMatchObject({ code: 6 })
      // A copy elsewhere still shows the site: its command must run though the build failed.
      expect(readFileSync(toldFile, 'utf8')).toBe(`${await wholeCurrent(snapshots)}\n`)
    } finally {
      asRoot('umount', left)
    }
    expect(await program()).toMatchObject({ code: 0 })
    await expectClosed()
  })

  it('closes on a disk that is full, which what has to go makes room on', async () => {
    const disk = join(snapshots, '..', 'disk')
    mkdirSync(disk)
    asRoot('mount', '-t', 'tmpfs', '-o', `size=24m,mode=0777`, 'tmpfs', disk)
    try {
      await cp(published, join(disk, 'snapshots'), { recursive: true, verbatimSymlinks: true })
      snapshots = join(disk, 'snapshots')
      const { bavail, bsize } = statfsSync(disk)
      writeFileSync(join(disk, 'full'), Buffer.alloc(bavail * bsize - 32_768))
      await close()
      expect(await program()).toMatchObject({ code: 0 })
      await expectClosed()
    } finally {
      asRoot('umount', disk)
    }
  })

  it('closes also where what is current or pinned cannot be read, as after a command of root', async () => {
    for (const path of ['.journal', 'current/manifest.json']) chmodSync(join(snapshots, path), 0)
    const env = { DATABASE_URL: url, ANALYTICS_SOURCE: source }
    const build = (): Promise<Ran> => begin(['--snapshots', snapshots], env, {}, BY_MODES).done
    const opened = await build()
    expect([opened.code, failureOf(opened)]).toEqual([7, expect.stringContaining('.journal: EACCES')])
    await close()
    // It is closed; what the journal pins, the next command has to know before it begins anew.
    const closed = await build()
    expect([closed.code, failureOf(closed)]).toEqual([7, expect.stringContaining('.journal: EACCES')])
    chmodSync(join(snapshots, '.journal'), 0o644)
    await expectClosed()
    expect(await build()).toMatchObject({ code: 0 })
    await expectClosed()
  })

  it('may be closed from the first build on', async () => {
    rmSync(snapshots, { recursive: true })
    await close()
    expect(await program()).toMatchObject({ code: 0 })
    await expectClosed()
  })

  describe('and is closed', () => {
    const OLDEST = 0
    const closed = join(home, 'closed')
    let id: string
    beforeAll(async () => {
      snapshots = closed
      await cp(published, snapshots, { recursive: true, verbatimSymlinks: true })
      await close()
      expect(await program()).toMatchObject({ code: 0 })
      id = await expectClosed()
    })
    beforeEach(async () => {
      await close()
      rmSync(snapshots, { recursive: true })
      await cp(closed, snapshots, { recursive: true, verbatimSymlinks: true })
    })
    /** As from a backup. */
    const restore = async (): Promise<string> => {
      const name = before.filter((one) => !one.startsWith('.'))[OLDEST] ?? ''
      await cp(join(published, 'releases', name), join(snapshots, 'releases', name), { recursive: true })
      await cp(join(published, 'releases', before[0] ?? ''), join(snapshots, 'releases', before[0] ?? ''), {
        recursive: true,
      })
      expect(everything()).toMatch(TITLE)
      return name
    }

    it('cannot be rolled back: not without a name, not by the name of what was restored', async () => {
      const none = await program('rollback')
      expect(none).toMatchObject({ code: 2, stdout: '' })
      expect(failureOf(none)).toContain(`the current release ${id} says that the site is closed to visitors`)
      for (const name of [await restore(), id]) {
        const ran = await program('rollback', name)
        expect(ran).toMatchObject({ code: 2, stdout: '' })
        expect(failureOf(ran)).toContain('closed to visitors')
        await expectClosed()
      }
      expect(await readPin(releasePaths(snapshots))).toBe(null)
    })

    it.each([['prune'], ['rollback'], ['build']])('%s removes what was put back', async (command) => {
      await restore()
      const shown = (await program('status')).stdout
      expect(shown).toContain('2 more than its empty release are there; remove them: analytics-build prune\n')
      await program(command)
      await expectClosed()
    })

    it('schedule builds at once when it begins, so that nothing waits for a tick that a killed build left', async () => {
      await restore()
      const env = { DATABASE_URL: url, ANALYTICS_SOURCE: source, ANALYTICS_SNAPSHOTS: snapshots }
      const { child, done } = begin(['schedule', '--cron', '0 0 1 1 *'], env)
      onTestFinished(() => void child.kill('SIGKILL'))
      // Not sooner: a program that is stopped while it removes a release leaves the rest to the next build.
      const isClosed = (): boolean => names().length === 1 && !names().includes(id)
      await until(isClosed, 20_000, 'another build has closed the site')
      child.kill('SIGTERM')
      await done
      await expectClosed()
    })

    it('is warned of once: with --quiet cron mails nothing while it stays closed, pinned or not', async () => {
      expect(await program('build', '--quiet')).toMatchObject({ code: 0, stdout: '', stderr: '' })
      appendFileSync(
        join(snapshots, '.journal'),
        `${JSON.stringify({ pin: { since: '2026-01-01T00:00:00.000Z', id } })}\n`,
      )
      expect(await program('build', '--quiet')).toMatchObject({ code: 0, stdout: '', stderr: '' })
    })

    it('goes on when a source fails, and says which section has no answer', async () => {
      source = mapping('faulty', 'SELECT private AS closed FROM site WHERE false')
      try {
        const ran = await program()
        expect(ran.code).toBe(3)
        expect(failureOf(ran)).toMatch(
          /^mapping native, section closed: no row, must be exactly one: is a parameter wrong/,
        )
        source = mapping('faulty', 'SELECT is_private AS closed FROM site')
        expect(failureOf(await program())).toMatch(
          /^mapping native, section closed.*: column "is_private" does not exist/,
        )
      } finally {
        source = join(home, 'closing.sql')
      }
      expect(await wholeCurrent(snapshots)).toBe(id)
    })
  })
})
