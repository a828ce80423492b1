// When a schedule builds at once: the current release was made with other settings. Tests commands/build-request.ts and
// commands/build-commands.ts of src/builder.
// long test: a schedule for each setting that changes
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { loadMapping } from '../../../src/source/mapping/mapping.ts'
import { publishSamples, temporaryFolder } from '../../release/sample-release.ts'
import { until } from '../../support/proxy.ts'
import { begin, type LogLine } from '../build-program.ts'

const NOBODY = 'postgresql://nobody@127.0.0.1:1/nothing'

/** A release of this moment, as the native mapping makes it. */
async function freshRelease(change: (manifest: string) => string = (text) => text): Promise<string> {
  const snapshots = temporaryFolder()
  const [id = ''] = await publishSamples(snapshots, Date.now())
  const path = join(snapshots, 'releases', id, 'manifest.json')
  const { sha256 } = loadMapping('native', {})
  writeFileSync(path, change(readFileSync(path, 'utf8').replace('a'.repeat(64), sha256)))
  return snapshots
}

/** The sample has no website, so none is asked for unless it is said. */
async function buildsAtOnce(snapshots: string, ...args: string[]): Promise<unknown> {
  return schedules(snapshots, '--no-site', ...args)
}

async function schedules(snapshots: string, ...args: string[]): Promise<unknown> {
  const { child, done } = begin(['schedule', '--cron', '0 0 1 1 *', '--snapshots', snapshots, ...args], {
    DATABASE_URL: NOBODY,
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  let log = ''
  child.stderr?.on('data', (text: Buffer) => (log += text.toString()))
  await until(() => log.includes('schedule begins'), 20_000, 'the schedule begins')
  child.kill('SIGKILL')
  await done
  return (JSON.parse(log.slice(0, log.indexOf('\n'))) as LogLine)['atOnce']
}

it('does not when it has just built this', async () => {
  expect(await buildsAtOnce(await freshRelease())).toBe(false)
})

it('does when the release has no website yet', async () => {
  expect(await schedules(await freshRelease())).toBe(true)
})

const withSiteUrl = (text: string): string =>
  text.replace('"options":{', '"options":{"siteUrl":"https://ideas.example.org",')

it('does not when it has just built this with the same --site-url', async () => {
  expect(await buildsAtOnce(await freshRelease(withSiteUrl), '--site-url', 'https://ideas.example.org/')).toBe(false)
})

it('does not when it has just built this with exact people, in a version that knew no others', async () => {
  expect(await buildsAtOnce(await freshRelease((text) => text), '--people', 'exact')).toBe(false)
})

it.each<[string, (manifest: string) => string, string[]]>([
  ['the demo is there', (text) => text.replace('"name":"native"', '"name":"demo"'), []],
  ['another mapping was asked', (text) => text, ['--source', 'fider', '--param', 'tenant=1']],
  [
    'other parameters were given',
    (text) => text.replace(/"sha256":"[0-9a-f]{64}"}/, `"sha256":"${'b'.repeat(64)}"}`),
    [],
  ],
  ['a vote weighs more', (text) => text, ['--vote-weight', '9']],
  ['urls begin with another site', (text) => text, ['--site-url', 'https://ideas.example.org']],
  ['people are to be rounded', (text) => text, ['--people', 'rounded']],
  ['people are no longer off', (text) => text.replace('"options":{', '"options":{"people":"off",'), []],
  ['urls no longer begin with a site', withSiteUrl, []],
  ['row-level security is applied', (text) => text, ['--row-security', 'apply']],
])('does when %s', async (_, change, args) => {
  expect(await buildsAtOnce(await freshRelease(change), ...args)).toBe(true)
})
