// deploy/pages: the script that builds on a machine that forgets, run with a real PostgreSQL: a folder is where things are kept, another one where
// they are published, and GitHub's program is played. What each run leaves in both places, also where it fails.
// depends on: deploy/pages/, docs/pages.md, bin/, src/builder/main.ts, src/source/mapping/built-in/native/
// real test: PostgreSQL, rsync and the programs
// long test: a build for each thing that can happen to a run
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { parse } from 'yaml'
import { OPTIONS } from '../../src/builder/options/build-options.ts'
import { packagePath } from '../../src/process/package-root.ts'
import { MONTH, type Manifest } from '../../src/release/format/manifest.ts'
import { run } from '../builder/build-program.ts'
import { createSmallPlatform } from '../builder/small-platform.ts'
import { buildAt } from '../support/library-build.ts'
import { Origin } from '../support/origin.ts'
import { describeWithPostgres } from '../support/postgres.ts'
import { describeWithComponent, findProgram } from '../support/real-component.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const PAGES = packagePath('deploy', 'pages')
const KEY = 'a secret of thirty-two characters or more'
const DAY_MS = 86_400_000
/** Of a test with several runs, each of which starts three programs. */
const SEVERAL = { timeout: 240_000 }

interface Ended {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

function sh(args: readonly string[], env: Readonly<Record<string, string>>): Promise<Ended> {
  const { PATH = '', HOME = '' } = process.env
  return new Promise((resolve) => {
    execFile('/bin/sh', [...args], { env: { PATH, HOME, ...env }, timeout: 55_000 }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code ?? 137), stdout, stderr }),
    )
  })
}

/** Every file below a folder, by its path. */
function filesOf(folder: string): Map<string, Buffer> {
  if (!existsSync(folder)) return new Map()
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const paths = entries.map(({ parentPath, name }) => join(parentPath, name)).sort()
  return new Map(paths.map((path) => [path.slice(folder.length + 1), readFileSync(path)]))
}

function hashOf(folder: string): string {
  const hash = createHash('sha256')
  for (const [path, bytes] of filesOf(folder)) hash.update(`${path}\t${bytes.length}\n`).update(bytes)
  return hash.digest('hex')
}

const linesOf = (path: string): number => readFileSync(path, 'utf8').trim().split('\n').length

const bytesOf = (folder: string): number => [...filesOf(folder).values()].reduce((sum, { length }) => sum + length, 0)

describeWithComponent('rsync', findProgram('rsync', 'rsync'), () => {
  describeWithPostgres('deploy/pages/publish', (postgres) => {
    let url: string
    const root = temporaryFolder(afterAll)
    const [kept, site] = [join(root, 'kept'), join(root, 'site')]
    const sizes: { readonly kept: number; readonly published: number; readonly files: number; readonly ms: number }[] =
      []

    const publish = (more: Readonly<Record<string, string>> = {}, ...args: readonly string[]): Promise<Ended> =>
      sh([join(PAGES, 'publish'), ...args], {
        KEPT: join(PAGES, 'kept-in-folder'),
        KEPT_FOLDER: kept,
        KEPT_KEY: KEY,
        TO: site,
        DATABASE_URL: url,
        ...more,
      })
    const sql = (text: string): Promise<string> => postgres().psql(text, 'pages')
    const shown = (): Manifest => JSON.parse(readFileSync(join(site, 'manifest.json'), 'utf8')) as Manifest
    const newestKept = (): string => readdirSync(kept).sort().at(-1) ?? ''
    const where = (text: string): string[] =>
      [...filesOf(site)].filter(([, bytes]) => bytes.includes(text)).map(([path]) => path)

    /** What the newest sealed file holds. */
    async function unsealed(): Promise<string> {
      const folder = temporaryFolder()
      const [tar, name] = [join(folder, 'kept.tar.gz'), newestKept()]
      const opening = [
        '-c',
        `node ${PAGES}/seal.mjs open ${name} ${kept}/${name} ${tar} && tar -xzf ${tar} -C ${folder}`,
      ]
      expect(await sh(opening, { KEPT_KEY: KEY })).toMatchObject({ code: 0 })
      return folder
    }

    /** A run that publishes; notes how large both places are after it. */
    async function published(more: Readonly<Record<string, string>> = {}, ...args: readonly string[]): Promise<string> {
      const startMs = performance.now()
      const ended = await publish(more, ...args)
      expect(ended).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\S+ is whole: [^]*\npublished /) })
      const ms = Math.round(performance.now() - startMs)
      sizes.push({ kept: bytesOf(kept), published: bytesOf(site), files: filesOf(site).size, ms })
      expect(readdirSync(kept), 'of all that was kept the newest is left').toHaveLength(1)
      return shown().id
    }

    /** A run that fails, and changes nothing that is kept or published. */
    async function refused(code: number, why: string | RegExp, ...given: Parameters<typeof publish>): Promise<void> {
      const before = [hashOf(kept), hashOf(site)]
      const ended = await publish(...given)
      expect(ended).toMatchObject({ code, stderr: expect.stringMatching(why) })
      expect([hashOf(kept), hashOf(site)], 'what is kept, and the page').toEqual(before)
    }

    beforeAll(async () => {
      url = await createSmallPlatform(postgres(), 'pages')
      mkdirSync(kept)
    })

    it('does not begin anew by itself, nor without where to keep, a key, and a folder for the site alone', async () => {
      await refused(1, /nothing is kept of a run before this one.*by hand that this is the first/)
      await refused(1, /nothing is kept/, { FIRST: 'no' })
      for (const name of ['KEPT', 'KEPT_KEY', 'TO']) await refused(2, new RegExp(`${name}: is to`), { [name]: '' })
      await refused(1, /has other files than a whole website/, { FIRST: 'yes', TO: PAGES })
      const [app, server] = [temporaryFolder(), temporaryFolder()]
      writeFileSync(join(app, 'manifest.json'), '{ "name": "The app of the town", "start_url": "/" }')
      await refused(1, /has other files than a whole website/, { FIRST: 'yes', TO: app })
      expect(readdirSync(app)).toEqual(['manifest.json'])
      mkdirSync(join(server, 'snapshots'))
      await refused(1, new RegExp(`${server} has no current release`), { FIRST: 'yes', FROM: server })
      await refused(2, /No such file/, { FIRST: 'yes', KEPT_FOLDER: join(root, 'none') })
      await refused(1, /32 characters or more/, { FIRST: 'yes', KEPT_KEY: 'short' })
      expect(existsSync(site)).toBe(false)
    })

    it('publishes a first run that was started by hand', async () => {
      const [ownKept, to] = [temporaryFolder(), join(temporaryFolder(), 'statistics')]
      const ended = await publish({ FIRST: 'yes', KEPT_FOLDER: ownKept, TO: to })
      expect(ended).toMatchObject({
        code: 0,
        stdout: expect.stringMatching(/\npublished \S+, and kept kept-000001: \d+ KiB\n/),
      })
      expect(readdirSync(ownKept)).toEqual(['kept-000001'])
      expect(filesOf(to).has('index.html')).toBe(true)
    })

    it('begins with the folder of a server, whose history and archives go on', SEVERAL, async () => {
      const server = temporaryFolder()
      for (const days of [40, 39, 2, 1])
        expect(
          await buildAt(Date.now() - days * DAY_MS, url, server, { siblings: false, acceptRevision: true }),
        ).toMatchObject({
          kind: 'published',
        })
      await published({ FIRST: 'yes', FROM: server })
      expect(linesOf(join(site, 'analytics/export/history/all.csv'))).toBe(1 + 5)
      expect(linesOf(join(site, 'snapshots/log.csv'))).toBe(1 + 4)
      expect(readdirSync(join(site, 'snapshots/releases')).filter((name) => MONTH.test(name)).length).toBeGreaterThan(0)
    })

    it('is never the first run where something is kept', () =>
      refused(1, /started as the first one, but kept-000001 is kept, and its history would be lost/, { FIRST: 'yes' }))

    it('goes on from run to run, and neither place grows', SEVERAL, async () => {
      const ids = [shown().id]
      for (const title of ['A hall for all', 'Trees along the canal', 'A plan that must stay secret']) {
        await sql(`INSERT INTO ideas (id, title, created_at) SELECT max(id) + 1, '${title}', now() - interval '1 s' FROM ideas;
          INSERT INTO idea_categories SELECT max(id), 'Design' FROM ideas`)
        ids.push(await published())
        expect(shown().previous?.id).toBe(ids.at(-2))
        expect(where(title)).toContain('analytics/export/ideas/all.json')
      }
      expect(new Set(ids).size).toBe(4)
      const [first, ...later] = sizes
      for (const one of later)
        for (const key of ['kept', 'published', 'files'] as const)
          expect(one[key] / (first?.[key] ?? 0), `${key}: ${JSON.stringify(sizes)}`).toBeLessThan(1.05)
    })

    it('publishes the website and the files of the API, whole for verify at their address, and nothing private', async () => {
      const { id, files, months = [] } = shown()
      const all = filesOf(site)
      const links = readdirSync(site, { recursive: true, withFileTypes: true }).filter((entry) =>
        entry.isSymbolicLink(),
      )
      expect(links).toEqual([])
      const below = [id, ...months].map((name) => `snapshots/releases/${name}`)
      const isRelease = (path: string): boolean => path === 'manifest.json' || files.some((file) => file.path === path)
      const known = (path: string): boolean =>
        ['snapshots/log.csv', 'snapshots/current/manifest.json'].includes(path) ||
        below.some((folder) => path.startsWith(`${folder}/`)) ||
        isRelease(path)
      expect(
        [...all.keys()].filter((path) => !known(path) || path.split('/').some((name) => name.startsWith('.'))),
      ).toEqual([])
      for (const { path, sha256 } of files)
        for (const copy of [path, `snapshots/releases/${id}/${path}`])
          expect(
            createHash('sha256')
              .update(all.get(copy) ?? '')
              .digest('hex'),
            copy,
          ).toBe(sha256)
      expect([...all.keys()].filter((path) => /\.(gz|br)$/.test(path))).toEqual([])
      for (const path of ['', 'index.html', 'snapshots', 'snapshots/releases'])
        expect((statSync(join(site, path)).mode & 0o004) > 0, `others read ${path}`).toBe(true)
      const origin = new Origin(site)
      await origin.start()
      try {
        for (const address of [origin.base, `${origin.base}/snapshots`]) {
          const verified = await run(['verify', address, '--log', join(site, 'snapshots/log.csv')])
          expect(verified).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining(`${id} is whole`) })
        }
      } finally {
        await origin.stop()
      }
    })

    it('keeps one release with archives, log and state, sealed', async () => {
      const folder = await unsealed()
      const { id, months = [] } = shown()
      expect(readdirSync(join(folder, 'releases')).sort()).toEqual([...months, id].sort())
      expect(readdirSync(join(folder, '.state'))).toEqual([`${id}.json`])
      expect(existsSync(join(folder, 'log.csv'))).toBe(true)
      const sealed = readFileSync(join(kept, newestKept()))
      for (const text of [id, 'manifest.json', 'plan that must stay secret', KEY])
        expect(sealed.includes(text)).toBe(false)
    })

    it('publishes nothing of an idea that was hidden, and keeps nothing of it', async () => {
      expect(where('must stay secret').length).toBeGreaterThan(3)
      await sql(`DELETE FROM ideas WHERE title = 'A plan that must stay secret'`)
      await published()
      expect(where('must stay secret')).toEqual([])
      const folder = await unsealed()
      const texts = [...filesOf(folder)].filter(([path]) => path !== 'kept.tar.gz')
      expect(texts.filter(([, bytes]) => bytes.includes('must stay secret'))).toEqual([])
    })

    it(
      'leaves page and kept state as they are where the gate refuses, until somebody accepts it by hand',
      SEVERAL,
      async () => {
        await sql('CREATE TABLE single AS TABLE votes; INSERT INTO votes SELECT * FROM single')
        await refused(4, /the past changed/)
        await published({}, '--accept-revision')
        await sql('DROP TABLE single')
      },
    )

    it('leaves them, too, where the database cannot be reached', () =>
      refused(3, /nobody/, { DATABASE_URL: 'postgresql://nobody@127.0.0.1:1/pages' }))

    it('refuses to go on without what was kept, and goes on when it is put back', SEVERAL, async () => {
      const name = newestKept()
      renameSync(join(kept, name), join(root, name))
      await refused(1, /nothing is kept of a run before this one/)
      renameSync(join(root, name), join(kept, name))
      await published()
    })

    it(
      'refuses what was kept if somebody changed it, cut it off, renamed it, or sealed it with another key',
      SEVERAL,
      async () => {
        const name = newestKept()
        const path = join(kept, name)
        const whole = readFileSync(path)
        const wasChanged = new RegExp(`${name} was changed, is cut off`)
        for (const at of [0, 20, 30, 44, 1_000, whole.length - 1]) {
          writeFileSync(
            path,
            whole.map((byte, i) => (i === at ? byte ^ 1 : byte)),
          )
          await refused(1, wasChanged)
        }
        for (const bytes of [0, 10, 43, 44, whole.length - 1]) {
          writeFileSync(path, whole)
          truncateSync(path, bytes)
          await refused(1, wasChanged)
        }
        writeFileSync(path, whole)
        await refused(1, wasChanged, { KEPT_KEY: `${KEY}.` })
        renameSync(path, join(kept, 'kept-000999'))
        await refused(1, /kept-000999 was changed.*of another name/)
        renameSync(join(kept, 'kept-000999'), path)
      },
    )

    it('is sealed with another key by the lines of the documentation', SEVERAL, async () => {
      const text = readFileSync(packagePath('docs', 'pages.md'), 'utf8')
      const [lines = ''] = /(?<=OLD_KEY=… NEW_KEY=…\n).*?(?=```)/s.exec(text) ?? []
      const folder = temporaryFolder()
      const other = `another ${KEY}`
      const changeKey = (OLD_KEY: string, NEW_KEY: string): Promise<Ended> =>
        sh(['-c', `set -e; cd ${folder}; ${lines.replaceAll('program/deploy/pages', PAGES)}`], {
          KEPT: join(PAGES, 'kept-in-folder'),
          KEPT_FOLDER: kept,
          OLD_KEY,
          NEW_KEY,
        })
      expect(await changeKey(KEY, other)).toEqual({ code: 0, stdout: '', stderr: '' })
      await refused(1, /sealed with another KEPT_KEY/)
      await published({ KEPT_KEY: other })
      expect((await changeKey(KEY, other)).code).not.toBe(0)
      expect((await changeKey(other, KEY)).code).toBe(0)
      expect([readdirSync(folder), readdirSync(kept).length]).toEqual([[], 1])
      await published()
    })

    it('keeps and publishes nothing where another run has kept something since it began', async () => {
      const next = `kept-${String(Number(newestKept().slice(-6)) + 1).padStart(6, '0')}`
      const slow = join(temporaryFolder(), 'kept-meanwhile')
      writeFileSync(slow, `set -eu\n[ "$1" != put ] || touch "$KEPT_FOLDER/${next}"\n. ${PAGES}/kept-in-folder\n`)
      const before = [readFileSync(join(kept, newestKept())), hashOf(site)] as const
      const name = newestKept()
      const ended = await publish({ KEPT: slow })
      expect(ended).toMatchObject({ code: 1, stderr: expect.stringContaining('File exists') })
      expect(readdirSync(kept)).toEqual([name, next])
      expect([readFileSync(join(kept, name)), hashOf(site)]).toEqual(before)
      renameSync(join(kept, next), join(root, 'other'))
    })

    it('nor where two others have, so that its number is free again', async () => {
      const [name, slow] = [newestKept(), join(temporaryFolder(), 'kept-meanwhile')]
      const later = join(kept, `kept-${String(Number(name.slice(-6)) + 2).padStart(6, '0')}`)
      writeFileSync(slow, `set -eu\n. ${PAGES}/kept-in-folder\n[ "$1" != get ] || mv "$KEPT_FOLDER/$2" ${later}\n`)
      const before = hashOf(site)
      const ended = await publish({ KEPT: slow })
      expect(ended).toMatchObject({ code: 1, stderr: expect.stringContaining('another run has kept something since') })
      expect([readdirSync(kept), hashOf(site)]).toEqual([[basename(later)], before])
      renameSync(later, join(kept, name))
    })

    it('has kept what it could not publish, so that the next run publishes what follows', SEVERAL, async () => {
      const before = newestKept()
      const ended = await publish({ TO: join(kept, before, 'site') })
      expect(ended.code).not.toBe(0)
      expect(readdirSync(kept)).toHaveLength(2)
      await published()
    })

    it(
      'goes on with what is public where what was kept is lost, by the lines of the documentation',
      SEVERAL,
      async () => {
        const [lines = ''] =
          /(?<=```sh\n)PAGE=.*?(?=```)/s.exec(readFileSync(packagePath('docs', 'pages.md'), 'utf8')) ?? []
        const [ownKept, to, from] = [temporaryFolder(), join(temporaryFolder(), 'site'), temporaryFolder()]
        const origin = new Origin(site)
        await origin.start()
        try {
          const copying = lines.replace(/^PAGE=.*/, `set -e; cd ${from}; PAGE=${origin.base}/snapshots`)
          expect(await sh(['-c', copying], {})).toMatchObject({ code: 0, stderr: '' })
        } finally {
          await origin.stop()
        }
        const { id, months = [] } = shown()
        expect(readdirSync(join(from, 'releases')).sort()).toEqual([...months, id].sort())
        const again = { FIRST: 'yes', FROM: from, KEPT_FOLDER: ownKept, TO: to }
        await refused(4, /nothing is known of the past of/, again)
        expect(readdirSync(ownKept)).toEqual([])
        expect(await publish(again, '--accept-revision')).toMatchObject({ code: 0 })
        for (const path of ['analytics/export/history/all.csv', 'snapshots/log.csv'])
          expect(linesOf(join(to, path)), path).toBe(linesOf(join(site, path)))
      },
    )

    it('shows nothing of a site that has closed, nor of the time before', SEVERAL, async () => {
      const own = join(root, 'own.sql')
      const native = readFileSync(packagePath('src', 'source', 'mapping', 'built-in', 'native', 'mapping.sql'), 'utf8')
      const build = (closed: boolean): Promise<string> => {
        writeFileSync(own, `${native}\n-- section closed\nSELECT ${closed} AS closed\n`)
        return published({ ANALYTICS_SOURCE: own })
      }
      expect(where('Trees along').length).toBeGreaterThan(0)
      await build(true)
      expect(shown()).toMatchObject({ closed: true })
      expect([where('Trees along'), existsSync(join(site, 'snapshots/log.csv'))]).toEqual([[], false])
      expect(readdirSync(join(site, 'snapshots/releases'))).toEqual([shown().id])
      expect(readdirSync(join(await unsealed(), 'releases'))).toEqual([shown().id])
      await build(false)
      expect(where('Trees along').length).toBeGreaterThan(0)
      process.stdout.write(`deploy/pages: after each run: ${JSON.stringify(sizes)}\n`)
    })
  })
})

/** GitHub's program, as far as kept-at-github needs it: drafts are folders, and what an upload left half done ends in `.cut`. */
const GH = `#!/bin/sh
set -eu
echo "$*" >>"$ASSETS/../calls"
case "$1 $2" in
'api --paginate')
  [ -d "$ASSETS" ] || exit 0
  case $5 in
  *'| .id') [ ! -f "$ASSETS/.made" ] || echo 7 ;;
  *'state == "uploaded"'*) ls "$ASSETS" | grep -v '\\.cut$' || : ;;
  *'state != "uploaded"'*) ls "$ASSETS" | sed -n 's/\\.cut$//p' ;;
  esac ;;
'release create') touch "$ASSETS/.made" ;;
'release download') cp "$ASSETS/$7" "$9" ;;
'release upload') [ ! -e "$ASSETS/$(basename "$4")" ] && [ ! -e "$ASSETS/$(basename "$4").cut" ] && [ -f "$ASSETS/.made" ] && cp "$4" "$ASSETS" ;;
'release delete-asset') rm -f "$ASSETS/$4" "$ASSETS/$4.cut" ;;
*) exit 9 ;;
esac
`

describe('deploy/pages/kept-at-github', () => {
  test('keeps files as assets of one draft, never in place of another, also after an upload that was cut off', async () => {
    const [bin, folder] = [temporaryFolder(), temporaryFolder()]
    const assets = join(folder, 'assets')
    mkdirSync(assets)
    writeFileSync(join(bin, 'gh'), GH)
    chmodSync(join(bin, 'gh'), 0o755)
    const at = (...args: string[]): Promise<Ended> =>
      sh([join(PAGES, 'kept-at-github'), ...args], {
        PATH: `${bin}:${process.env['PATH']}`,
        ASSETS: assets,
        GH_REPO: 'town/ideas',
      })
    const put = (name: string, text: string): Promise<Ended> => {
      writeFileSync(join(folder, name), text)
      return at('put', join(folder, name))
    }
    expect(await at('list')).toEqual({ code: 0, stdout: '', stderr: '' })
    expect(await put('kept-000001', 'one')).toMatchObject({ code: 0 })
    expect(await put('kept-000001', 'other')).toMatchObject({ code: 1 })
    writeFileSync(join(assets, 'kept-000002.cut'), 'tw')
    expect((await at('list')).stdout).toBe('kept-000001\n')
    expect(await put('kept-000002', 'two')).toMatchObject({ code: 0 })
    expect(await at('get', 'kept-000002', join(folder, 'got'))).toMatchObject({ code: 0 })
    expect(readFileSync(join(folder, 'got'), 'utf8')).toBe('two')
    expect(await at('drop', 'kept-000001')).toMatchObject({ code: 0 })
    expect((await at('list')).stdout).toBe('kept-000002\n')
    const calls = readFileSync(join(folder, 'calls'), 'utf8').split('\n')
    expect(calls.filter((call) => call.startsWith('release create'))).toHaveLength(1)
    expect(calls.filter((call) => call.startsWith('release')).every((call) => call.includes('--repo town/ideas'))).toBe(
      true,
    )
    expect(calls.join('\n')).toContain('releases?per_page=100')
  })
})

interface Workflow {
  readonly on: {
    readonly schedule: readonly { readonly cron: string }[]
    readonly workflow_dispatch: { readonly inputs: Readonly<Record<string, { readonly type: string }>> }
  }
  readonly permissions: Readonly<Record<string, string>>
  readonly concurrency: Readonly<Record<string, unknown>>
  readonly jobs: Readonly<Record<string, { readonly steps: readonly Step[] }>>
}
interface Step {
  readonly uses?: string
  readonly run?: string
  readonly env?: Readonly<Record<string, string>>
  readonly with?: Readonly<Record<string, unknown>>
}

describe('deploy/pages/statistics.yml', () => {
  const text = readFileSync(join(PAGES, 'statistics.yml'), 'utf8')
  const workflow = parse(text) as Workflow
  const steps = Object.values(workflow.jobs).flatMap((job) => job.steps)

  test('runs every hour, one run at a time, and by hand, where it may be the first', () => {
    expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(40)
    expect(workflow.on.schedule).toEqual([{ cron: expect.stringMatching(/^[1-9]\d? \* \* \* \*$/) }])
    expect(workflow.on.workflow_dispatch.inputs).toMatchObject({
      first: { type: 'boolean' },
      accept: { type: 'boolean' },
    })
    expect(workflow.concurrency).toEqual({ group: 'statistics', 'cancel-in-progress': false })
    expect(workflow.permissions).toEqual({ contents: 'write', pages: 'write', 'id-token': 'write' })
  })

  test('runs the script, with what that and the builder know, and deploys what it has published', () => {
    const ran = steps.findIndex((step) => step.run?.includes('deploy/pages/publish'))
    const { run: command = '', env = {} } = steps[ran] ?? {}
    expect(command).toMatch(/^sh program\/deploy\/pages\/publish /)
    expect(basename(env['KEPT'] ?? '')).toBe('kept-at-github')
    expect(existsSync(join(PAGES, basename(env['KEPT'] ?? '')))).toBe(true)
    const script = readFileSync(join(PAGES, 'publish'), 'utf8') + readFileSync(join(PAGES, 'kept-at-github'), 'utf8')
    const known = Object.values(OPTIONS.build).map(({ envVar }) => envVar)
    for (const name of Object.keys(env)) expect(known.includes(name) || script.includes(name), name).toBe(true)
    for (const name of ['KEPT_KEY', 'DATABASE_URL']) expect(env[name]).toBe(`\${{ secrets.${name} }}`)
    expect(env['FIRST']).toBe(`\${{ inputs.first && 'yes' || 'no' }}`)
    const [upload, deploy] = steps.slice(ran + 1)
    expect(upload).toMatchObject({
      uses: expect.stringMatching(/^actions\/upload-pages-artifact@v\d+$/),
      with: { path: env['TO'] },
    })
    expect(deploy).toMatchObject({ uses: expect.stringMatching(/^actions\/deploy-pages@v\d+$/) })
    // What the first attempt has uploaded is there in the second one, and of two that have one name none is deployed.
    const name = upload?.with?.['name']
    expect([name, deploy?.with?.['artifact_name']]).toEqual([expect.stringContaining('github.run_attempt'), name])
  })

  test('gives no secret to a step that fetches packages', () => {
    const fetching = steps.filter((step) => step.run?.includes('npm ci'))
    expect(fetching).toHaveLength(1)
    expect(fetching[0]?.env).toBeUndefined()
    expect(fetching[0]?.run).toContain('--ignore-scripts')
  })
})

test('deploy/pages/publish is short', () => {
  expect(readFileSync(join(PAGES, 'publish'), 'utf8').trimEnd().split('\n').length).toBeLessThanOrEqual(80)
})
