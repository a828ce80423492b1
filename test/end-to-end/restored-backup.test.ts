// The commands of docs/deployment.md, "Backups", as they stand there: what they copy is whole, is served, and is carried on.
import { execFile } from 'node:child_process'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'
import { releasePaths } from '../../src/release/format/paths.ts'
import { readPin } from '../../src/release/past/past.ts'
import { runBuild } from '../../src/builder/run/run-build.ts'
import { begin, PROGRAM } from '../builder/build-program.ts'
import { createSmallPlatform } from '../builder/small-platform.ts'
import { document } from '../docs/documents.ts'
import { wholeCurrent } from '../release/sample-release.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { effectsAt, requestOf } from '../support/library-build.ts'
import { asUser } from '../support/as-root.ts'
import { describeWithPostgres } from '../support/postgres.ts'
import { ask, startProxy } from '../support/proxy.ts'

const DAY_MS = 86_400_000
const [, SECTION = ''] = /^## Backups\n(.*?)^## /ms.exec(document('docs/deployment.md').text) ?? []
const [BACK_UP = '', RESTORE = ''] = [...SECTION.matchAll(/```sh\n(.*?)```/gs)].map(([, block = '']) => block)

/** Who builds: where root runs this, another user. */
const isRoot = process.getuid?.() === 0
const BUILDER = 12_345
const AS_BUILDER = isRoot ? asUser(BUILDER, BUILDER) : []

describeWithPostgres('a backup', (postgres) => {
  /** What was published `daysAgo`, with the options that the program has by itself. */
  async function publish(snapshots: string, url: string, daysAgo: number): Promise<string> {
    const asOfMs = Date.now() - daysAgo * DAY_MS
    await runBuild(
      requestOf(url, snapshots, { asOfMs }),
      effectsAt(() => asOfMs + 1000),
    )
    return wholeCurrent(snapshots)
  }

  /** By an operator's shell, with the folders and the program of this test. */
  async function inShell(commands: string, snapshots: string, backups: string): Promise<string> {
    const bin = temporaryFolder()
    const asBuilder = [...AS_BUILDER, process.execPath, PROGRAM].map((word) => `'${word}'`).join(' ')
    writeFileSync(join(bin, 'analytics-build'), `#!/bin/sh\nexec ${asBuilder} "$@"\n`, { mode: 0o755 })
    const here = commands
      .replaceAll('/var/lib/analytics/snapshots', snapshots)
      .replaceAll('/var/lib/analytics', dirname(snapshots))
      .replaceAll('/var/backups', backups)
      .replaceAll(
        ' analytics-build: ',
        isRoot ? ` ${BUILDER}:${BUILDER} ` : ` ${process.getuid?.()}:${process.getgid?.()} `,
      )
    expect(here).not.toContain('/var/')
    const env = { PATH: `${bin}:${process.env['PATH']}`, ANALYTICS_SNAPSHOTS: snapshots }
    return (await promisify(execFile)('bash', ['-ec', here], { env })).stdout
  }

  const historyOf = (snapshots: string): string[] =>
    readFileSync(join(snapshots, 'current/analytics/export/history/all.csv'), 'utf8')
      .split('\r\n')
      .filter((line) => line !== '')

  it('is restored after the disk was lost: verified, served, and the next build carries on its history and its past', async () => {
    const url = await createSmallPlatform(postgres(), 'backed_up', new Date(Date.now() - 3 * DAY_MS).toISOString())
    const [snapshots, backups] = [join(temporaryFolder(), 'snapshots'), temporaryFolder()]
    await publish(snapshots, url, 2)
    const id = await publish(snapshots, url, 1)
    const history = historyOf(snapshots)
    expect(history.length).toBe(3)
    await inShell(BACK_UP, snapshots, backups)
    expect(readdirSync(backups)).toEqual(['analytics.tar.gz'])

    // As on a new machine: nothing is there, and root types the lines.
    rmSync(snapshots, { recursive: true })
    const said = await inShell(RESTORE, snapshots, backups)
    expect(said).toContain(id)
    expect(await wholeCurrent(snapshots)).toBe(id)
    expect(await readPin(releasePaths(snapshots)), 'builds publish').toBe(null)

    const proxy = await startProxy({ snapshots, nowMs: Date.now })
    onTestFinished(() => proxy.stop())
    const answer = await ask(proxy.port, '/api/analytics/export?type=history&period=all&format=csv')
    expect([answer.status, answer.headers['x-snapshot-id']]).toEqual([200, id])

    const built = await begin(['--json', '--snapshots', snapshots], { DATABASE_URL: url }, {}, AS_BUILDER).done
    expect([built.code, built.stderr]).toEqual([0, built.stderr])
    expect(JSON.parse(built.stdout)).toMatchObject({ kind: 'published', withoutPast: null })
    expect(await wholeCurrent(snapshots)).not.toBe(id)
    expect(historyOf(snapshots).length, 'a row for today').toBe(4)
    expect(historyOf(snapshots).slice(1, 3)).toEqual(history.slice(1))
  })
})
