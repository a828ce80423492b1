// Runs in a folder where another user may write, and under umask 0: what the builder writes there goes through nothing that
// was planted, waits for nothing, and is nobody else's to change. Tests src/release/writing/ and src/builder/commands/setup.ts.
// long test: builds and serves for each case
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { begin, runIn, type Ran } from '../builder/build-program.ts'
import { createSmallPlatform } from '../builder/small-platform.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { asUser } from '../support/as-root.ts'
import { describeWithPostgres } from '../support/postgres.ts'

/** One for each folder: setup changes no role that is there. */
const roleOf = (folder: string): string => `reader_${basename(folder).replaceAll(/\W/g, '_').toLowerCase()}`
/** What is written beside releases/ by a set-up, builds, a rollback and a resume. */
const WRITTEN = ['.journal', '.last-build', '.after-publish', '.lock', 'analytics.prom', 'analytics.env'] as const
/** Whatever the umask is, nobody else's to read. */
const PRIVATE = /^(?:\.state(?:\/.*)?|\.last-build|\.after-publish|analytics\.env)$/
const isFolder = (path: string): boolean => statSync(path).isDirectory()
const STAGED = ['.journal.next', '.last-build.next', '.after-publish.next', '.lock-planted', 'analytics.env.next']

/** What hangs longer than a test does is killed. */
const runThere = (folder: string, args: readonly string[], umask?: number): Promise<Ran> =>
  runIn(folder, args, { ANALYTICS_METRICS_FILE: join(folder, 'analytics.prom') }, { umask })

describeWithPostgres('a folder where another user may write', (postgres) => {
  let url = ''
  beforeAll(async () => void (url = await createSmallPlatform(postgres(), 'shared')))

  async function everything(folder: string, umask?: number): Promise<[command: string, ran: Ran][]> {
    const at = ['--snapshots', folder, '--database-url', url]
    const ran: [string, Ran][] = []
    for (const [command, ...args] of [
      ['setup', '--yes', '--database-url', url, '--make-role', '--role', roleOf(folder), '--snapshots', folder],
      ['build', ...at, '--after-publish', `umask > '${folder}/umask' && chmod 644 '${folder}/umask'`],
      ['rollback', '--snapshots', folder],
      ['resume', '--snapshots', folder],
      ['build', ...at, '--after-publish', 'true'],
      ['prune', '--snapshots', folder],
      ['init', 'my-platform', '--output', 'my-platform.sql'],
    ] as const)
      ran.push([command, await runThere(folder, command === 'build' ? args : [command, ...args], umask)])
    return ran
  }

  /** What has another mode than it is to have, and what it has. */
  function otherModes(folder: string, folders: number): string[] {
    const modeOf = (path: string): number =>
      PRIVATE.test(path) ? (path === '.state' ? 0o700 : 0o600) : isFolder(join(folder, path)) ? folders : 0o644
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => !entry.isSymbolicLink())
      .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
      .flatMap((path) => {
        const mode = statSync(join(folder, path)).mode & 0o777
        return mode === modeOf(path) ? [] : [`${path} ${mode.toString(8)}`]
      })
  }

  test.each([
    ['0', '755', 0o755, '0022'],
    ['077', '755', 0o755, '0077'],
    ['027', '700', 0o755, '0027'],
    ['0777', '755', 0o755, '0777'],
    ['077', '775', 0o775, '0077'],
    ['022', '2770', 0o775, '0022'],
  ])(
    'umask %s in a folder of mode %s: everybody reads what is published, and writes no more than there',
    async (umask, mode, folders, ofCommand) => {
      const folder = temporaryFolder()
      chmodSync(folder, Number.parseInt(mode, 8))
      const ran = await everything(folder, Number.parseInt(umask, 8))
      for (const [command, { code, stderr }] of ran) expect([command, code, stderr]).toEqual([command, 0, stderr])
      expect(otherModes(folder, folders)).toEqual([])
      // What the command writes is as private as its user wants it.
      expect(readFileSync(join(folder, 'umask'), 'utf8').trim()).toBe(ofCommand)
    },
    120_000,
  )

  const isRoot = process.getuid?.() === 0
  test.runIf(isRoot)(
    'any user of group 0, whom no file names, builds where the group may write, again and again',
    async () => {
      const folder = join(temporaryFolder(), 'snapshots')
      mkdirSync(folder)
      chmodSync(folder, 0o2770)
      chmodSync(dirname(folder), 0o755)
      const at = ['--snapshots', folder, '--database-url', url]
      for (const uid of [1_000_650_000, 1_000_650_000]) {
        const { code, stderr } = await begin(at, {}, { cwd: folder }, asUser(uid, 0)).done
        expect([code, stderr]).toEqual([0, stderr])
      }
      expect(otherModes(folder, 0o775)).toEqual([])
    },
    120_000,
  )

  test.each<[string, (theirs: string, path: string) => void]>([
    ['a symbolic link', symlinkSync],
    ['a link to nothing', (theirs, path) => symlinkSync(`${theirs}-nowhere`, path)],
    ['a link to a device', (_, path) => symlinkSync('/dev/zero', path)],
    ['a named pipe', (_, path) => void execFileSync('mkfifo', [path])],
  ])(
    '%s at every name: no command waits, and nothing is written elsewhere',
    async (_, plant) => {
      const folder = temporaryFolder()
      const elsewhere = temporaryFolder()
      const theirs = join(elsewhere, 'theirs')
      writeFileSync(theirs, 'theirs', { mode: 0o644 })
      const before = lstatSync(theirs)
      expect((await runThere(folder, ['--snapshots', folder, '--database-url', url])).code).toBe(0)
      const again = await runThere(folder, ['--snapshots', folder, '--database-url', url])
      expect(again.code, again.stderr).toBe(0)
      for (const name of [...WRITTEN, ...STAGED]) {
        rmSync(join(folder, name), { force: true })
        plant(theirs, join(folder, name))
      }
      const all = await everything(folder)
      for (const [command, ran] of all) {
        // 137: it was killed, because it waited.
        expect([command, ran.code, ran.stderr]).not.toEqual([command, 137, ran.stderr])
      }
      // What is at .journal says nothing: somebody has to accept that, or to begin another one by a rollback.
      expect(all.filter(([command]) => command === 'build').map(([, { code }]) => code)).toEqual([4, 0])
      expect(readdirSync(elsewhere)).toEqual(['theirs'])
      expect(readFileSync(theirs, 'utf8')).toBe('theirs')
      expect([lstatSync(theirs).mode, lstatSync(theirs).mtimeMs]).toEqual([before.mode, before.mtimeMs])
    },
    180_000,
  )

  test('a link in place of .state: nothing is listed, removed, written or changed where it leads', async () => {
    const folder = temporaryFolder()
    const elsewhere = join(temporaryFolder(), 'elsewhere')
    mkdirSync(elsewhere)
    chmodSync(elsewhere, 0o755)
    writeFileSync(join(elsewhere, 'precious.json'), 'theirs')
    symlinkSync(elsewhere, join(folder, '.state'))
    const ran = await runThere(folder, ['--snapshots', folder, '--database-url', url])
    expect(ran.code, ran.stderr).toBe(0)
    expect(readdirSync(elsewhere)).toEqual(['precious.json'])
    expect(statSync(elsewhere).mode & 0o777).toBe(0o755)
    expect(lstatSync(join(folder, '.state')).isDirectory()).toBe(true)
  })
})
