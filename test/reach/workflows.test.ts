// The workflows of .github/: that GitHub's own parser takes them, what they may do, and that each of their commands is one that runs here.
// Tests .github/workflows/, .ci/run, scripts/release-notes.js. real test: it runs their commands.
import { execFileSync, spawnSync } from 'node:child_process'
import { appendFileSync, chmodSync, cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { parse } from 'yaml'
import { packagePath } from '../../src/process/package-root.ts'
import { codeLines, DOCUMENTS, FILES, inlineCode } from '../docs/documents.ts'
import { parseDockerfile } from '../support/dockerfile.ts'
import { MAJOR_VERSIONS } from '../support/postgres-versions.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { PARTS } from '../torture/parts.ts'
import { changeIn } from './base.ts'
import { commandsOf, githubsParser, workflowOf, type FaultsOf, type Job, type Permissions } from './github-workflow.ts'

const textOf = (path: string): string => readFileSync(packagePath(path), 'utf8')
const PATHS = [...FILES].filter((path) => path.startsWith('.github/workflows/')).sort()
const WORKFLOWS = PATHS.map((path) => {
  const name = path.replace(/^.*\/(.*)\.yml$/, '$1')
  return { name, path, text: textOf(path), workflow: workflowOf(textOf(path)) }
})
const JOBS = WORKFLOWS.flatMap(({ name, workflow }) =>
  Object.entries(workflow.jobs).map(([id, job]) => [`${name}/${id}`, job] as const),
)
const jobOf = (name: string): Job => {
  const job = JOBS.find(([one]) => one === name)?.[1]
  if (job === undefined) throw new Error(`there is no ${name}`)
  return job
}
const PACKAGE = JSON.parse(textOf('package.json')) as {
  readonly engines: { readonly node: string }
  readonly scripts: Readonly<Record<string, string>>
}

/** What needs GitHub, a registry or a container engine. Everything else that a workflow runs is run by these tests, or by .ci/run. */
const NOT_RUN_HERE = [
  'npm publish --tag "$CHANNEL" ./public-analytics-*.tgz',
  'gh release create "$GITHUB_REF_NAME" --verify-tag --title "$GITHUB_REF_NAME" --notes-file release-notes.txt --prerelease="$PRERELEASE" --latest="$LATEST" ./public-analytics-*.tgz',
  'docker login "${IMAGE%%/*}" --username "$IMAGE_USER" --password-stdin <<<"$IMAGE_TOKEN"',
  'actions/checkout',
  'actions/upload-artifact',
  'actions/download-artifact',
  'docker/setup-qemu-action',
  'docker/setup-buildx-action',
  'docker/build-push-action',
]

const forParser = temporaryFolder(afterAll)
let faultsOf: FaultsOf
beforeAll(async () => {
  faultsOf = await githubsParser(forParser)
})

describe.each(WORKFLOWS)('$path', ({ name, text, workflow }) => {
  test('is what GitHub takes, and a slip in it is not', async () => {
    expect(await faultsOf(name, text)).toEqual([])
    for (const [right, slip] of [
      ['runs-on:', 'run-on:'],
      ['contents: read', 'contents: rea'],
      ['${{ matrix.', '${{ matrx.'],
      ['needs: ', 'needs: no'],
    ] as const)
      if (text.includes(right)) expect(await faultsOf(name, text.replace(right, slip)), slip).not.toEqual([])
  })

  test('takes actions of others by their commit only, and says beside it which version that is', () => {
    const used = text.match(/\buses: .*/g) ?? []
    expect(used.length).toBeGreaterThan(0)
    expect(used.filter((line) => !/^uses: [a-z-]+\/[a-z-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line))).toEqual([])
  })

  test('reads, unless a job says what it writes; each job ends by itself, and keeps no token in its clone unless it writes', () => {
    expect(workflow.permissions).toEqual({ contents: 'read' })
    for (const [id, { 'timeout-minutes': minutes, permissions, steps }] of Object.entries(workflow.jobs)) {
      expect(minutes, id).toBeLessThanOrEqual(360)
      const clones = steps.filter(({ uses }) => uses?.startsWith('actions/checkout@'))
      const isKept = (step: object): boolean => !/"persist-credentials":false/.test(JSON.stringify(step))
      expect([id, clones.some(isKept)]).toEqual([id, clones.length > 0 && permissions?.['contents'] === 'write'])
    }
  })

  test("puts nothing of an event's text into a script", () => {
    for (const [id, { steps }] of Object.entries(workflow.jobs))
      for (const { run = '' } of steps)
        expect([id, run.replaceAll(/\$\{\{ matrix\.\w+ \}\}/g, '')]).not.toEqual([id, expect.stringContaining('${{')])
  })
})

test('one action has one version in all of them', () => {
  const used = new Set(WORKFLOWS.flatMap(({ text }) => text.match(/\buses: .*/g) ?? []))
  const names = [...used].map((line) => line.replace(/@.*/, ''))
  expect(new Set(names).size).toBe(used.size)
})

test('what may be written is a tag, a release, a package and an image, each by one job', () => {
  const writing = JOBS.flatMap(([name, { permissions = {} }]) => {
    const written = Object.entries(permissions).flatMap(([what, how]) => (how === 'write' ? [what] : []))
    return written.length > 0 ? [[name, written]] : []
  })
  expect(writing).toEqual([
    ['ci/passed', ['contents']],
    ['release/publish', ['id-token']],
    ['release/release', ['contents']],
    ['release/image', ['packages']],
  ] satisfies [string, (keyof Permissions)[]][])
})

describe('the lanes', () => {
  const nodesOf = (name: string): number[] => {
    const { container, strategy } = jobOf(name)
    const image = typeof container === 'string' ? container : (container?.image ?? '')
    const versions = strategy?.matrix['node'] ?? []
    return image.includes('matrix.node') ? versions.map(Number) : [Number(/^node:(\d+)-/.exec(image)?.[1])]
  }

  it('begin with the oldest Node.js that is supported, and end with that of the image', () => {
    const oldest = Number(/\d+/.exec(PACKAGE.engines.node)?.[0])
    const newest = Number(/node:(\d+)/.exec(parseDockerfile(textOf('Dockerfile')).args['NODE_IMAGE'] ?? '')?.[1])
    for (const name of ['ci/check-and-unit', 'ci/real'])
      expect([nodesOf(name)[0], nodesOf(name).at(-1)]).toEqual([oldest, newest])
    expect(nodesOf('ci/check-and-unit')).toEqual([20, 22, 24, 26])
    for (const [, { container }] of JOBS) expect(JSON.stringify(container ?? 'node:20-bookworm')).toMatch(/-bookworm"/)
  })

  it('have every part of the long tests once', () => {
    const parts = commandsOf(jobOf('ci/long')).flatMap((one) => /^\.ci\/run long (.*)$/.exec(one)?.[1] ?? [])
    expect(parts.length).toBeGreaterThan(1)
    expect(parts).toEqual(parts.map((_, i) => `${i + 1}/${parts.length}`))
  })

  it('are those of main, and of a branch on which an older minor version is repaired, and nothing else is', () => {
    const { on } = parse(textOf('.github/workflows/ci.yml')) as { readonly on: Readonly<Record<string, unknown>> }
    expect(on).toEqual({ push: { branches: ['main', '[0-9]+.[0-9]+'] }, pull_request: null })
  })

  it('have every PostgreSQL', () => {
    expect(jobOf('ci/postgres').name).toBe(`PostgreSQL ${MAJOR_VERSIONS[0]} to ${MAJOR_VERSIONS.at(-1)}`)
  })

  it('must all pass before a commit is said to have passed', () => {
    const lanes = JOBS.flatMap(([name]) => (name.startsWith('ci/') ? [name.replace('ci/', '')] : []))
    expect([jobOf('ci/passed').needs, 'passed'].flat()).toEqual(lanes)
  })
})

/** As GitHub runs a step of a container that has bash. */
function ran(script: string, cwd: string, env: Readonly<Record<string, string>> = {}) {
  const { status, stdout, stderr } = spawnSync('bash', ['-e', '-c', script], {
    cwd,
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], HOME: cwd, ...NOBODY, ...env },
  })
  return { code: status, out: stdout, err: stderr }
}

const NOBODY = { GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null', GIT_CONFIG_NOSYSTEM: '0' }

/** Programs that say how they were called and do nothing. */
function standIns(...names: readonly string[]): { PATH: string; calls: () => string[] } {
  const folder = temporaryFolder()
  const log = join(folder, 'calls')
  writeFileSync(log, '')
  for (const name of names) {
    writeFileSync(join(folder, name), `#!/bin/sh\necho "${name} $*" >>'${log}'\n`)
    chmodSync(join(folder, name), 0o755)
  }
  const calls = (): string[] => readFileSync(log, 'utf8').split('\n').slice(0, -1)
  return { PATH: `${folder}${delimiter}${process.env['PATH'] ?? ''}`, calls }
}

const commands = [...new Set(JOBS.flatMap(([, job]) => commandsOf(job)))]
const parts = commands.filter((command) => command.startsWith('.ci/run '))

describe('the commands', () => {
  it('are parts of .ci/run, scripts, what the tests below run, or what nothing here can run', () => {
    const used = JOBS.flatMap(([, { steps }]) => steps.flatMap(({ uses = '' }) => uses.replace(/@.*/, '') || []))
    const others = [...commands, ...new Set(used)].filter((command) => !parts.includes(command))
    const below = [...RUN_BELOW, 'npm ci', 'npm run package']
    expect(others.toSorted()).toEqual([...NOT_RUN_HERE, ...below].toSorted())
    expect(PACKAGE.scripts).toHaveProperty('package')
  })

  const named = DOCUMENTS.flatMap((doc) =>
    [...inlineCode(doc), ...codeLines(doc)].flatMap((code) => code.match(/^\.ci\/run [a-z-]+(?: \d\/\d)?/) ?? []),
  )
  it.each([...new Set([...parts, ...named])])(
    '%s is a part of .ci/run, and starts what package.json has',
    (command) => {
      const { PATH, calls } = standIns('npm', 'apt-get')
      expect(ran(command, packagePath(), { PATH })).toMatchObject({ code: 0, err: '' })
      const [install, ...scripts] = calls().filter((call) => call.startsWith('npm '))
      expect(install).toBe('npm ci')
      expect(scripts.length).toBeGreaterThan(0)
      for (const call of scripts) {
        expect(call).toMatch(/^npm run [a-z:]+/)
        expect(PACKAGE.scripts).toHaveProperty([/^npm run ([a-z:]+)/.exec(call)?.[1] ?? ''])
      }
    },
  )

  it('have every part of the torture once, as one job would not end in the time that there is', () => {
    const tortured = parts.flatMap((command) => /^\.ci\/run torture (.*)$/.exec(command)?.[1]?.split(',') ?? [])
    expect(tortured.toSorted()).toEqual(Object.keys(PARTS).toSorted())
  })

  it('.ci/run alone is everything that must hold; a part that it does not have is an error', () => {
    const { PATH, calls } = standIns('npm', 'apt-get')
    expect(ran('.ci/run', packagePath(), { PATH }).code).toBe(0)
    const expected = ['npm ci', 'npm run check', 'npm run test:changed', 'npm test']
    expect(calls().filter((call) => call.startsWith('npm '))).toEqual(expected)
    for (const slip of [
      '.ci/run rael',
      '.ci/run long',
      '.ci/run long 5',
      '.ci/run real 1/2',
      '.ci/run torture --quick',
    ])
      expect([slip, ran(slip, packagePath(), { PATH }).code]).toEqual([slip, 2])
  })
})

const SAFE = 'git config --system --add safe.directory "$GITHUB_WORKSPACE"'
const [PUSH_TAG = ''] = commandsOf(jobOf('ci/passed'))
const [, CI_HAS_PASSED = '', NOTES = '', FACTS = '', , , NOTICES = ''] = commandsOf(jobOf('release/package'))
const RUN_BELOW = [SAFE, PUSH_TAG, CI_HAS_PASSED, NOTES, FACTS, NOTICES]

test("git works in a clone that is another user's", () => {
  const folder = temporaryFolder()
  const config = join(folder, 'config')
  expect(ran(SAFE, folder, { GIT_CONFIG_SYSTEM: config, GITHUB_WORKSPACE: '/srv/clone' }).code).toBe(0)
  expect(readFileSync(config, 'utf8')).toContain('directory = /srv/clone')
})

/** A clone of a repository that somebody else has, too. */
function cloned() {
  const folder = temporaryFolder()
  const [origin, clone] = [join(folder, 'origin'), join(folder, 'clone')]
  const git = (cwd: string, ...args: readonly string[]): string => {
    const who = ['-c', 'user.name=Nobody', '-c', 'user.email=nobody@example.org']
    const env = { PATH: process.env['PATH'], ...NOBODY }
    return execFileSync('git', [...who, ...args], { cwd, encoding: 'utf8', env, stdio: 'pipe' }).trim()
  }
  execFileSync('git', ['init', '-q', '--bare', '-b', 'main', origin])
  git(folder, 'clone', '-q', origin, clone)
  mkdirSync(join(clone, 'scripts'))
  for (const name of ['release-notes.js', 'changelog.js', 'versions.js'])
    cpSync(packagePath('scripts', name), join(clone, 'scripts', name))
  const commit = (path: string, text: string): string => {
    writeFileSync(join(clone, path), text)
    git(clone, 'add', '-A')
    git(clone, 'commit', '-q', '-m', path)
    git(clone, 'push', '-q', 'origin', 'HEAD:main')
    return git(clone, 'rev-parse', 'HEAD')
  }
  return { clone, commit, git: (...args: readonly string[]) => git(clone, ...args) }
}

test('from the commit that the last job marks, the next change is counted; to mark it again changes nothing', () => {
  const { clone, commit, git } = cloned()
  commit('first', '')
  const sha = commit('second', '')
  for (const _ of ['once', 'again'])
    expect(ran(PUSH_TAG, clone, { GITHUB_SHA: sha, GITHUB_RUN_NUMBER: '7' })).toMatchObject({ code: 0 })
  commit('third', '')
  git('fetch', '-q', '--tags')
  const { since, files } = changeIn(clone, '')
  expect([since, files]).toEqual([`ci-passed/7-${sha}`, ['third']])
})

describe('a release', () => {
  const CHANGELOG = [
    '# Changelog\n\n## Unreleased\n\n## 1.2.0-rc.1\n\n- First.\n',
    '## 1.2.0 - 2027-01-31\n\nOf 1.2.0.\n\n### Fixed\n\n- Second.\n\n## 1.1.0\n\n- Third.\n',
  ].join('\n')
  /** In a clone whose package.json and changelog say that. */
  function released(
    tag: string,
    version: string,
    { changelog = CHANGELOG, repository = {}, passed = true, tags = [] as readonly string[] } = {},
  ) {
    const { clone, commit, git } = cloned()
    commit('CHANGELOG.md', changelog)
    const sha = commit('package.json', JSON.stringify({ type: 'module', version, ...repository }))
    if (passed) ran(PUSH_TAG, clone, { GITHUB_SHA: sha, GITHUB_RUN_NUMBER: '7' })
    git('fetch', '-q', '--tags')
    for (const one of tags) git('tag', one)
    const output = join(clone, 'output')
    appendFileSync(output, '')
    const env = { GITHUB_REF_NAME: tag, GITHUB_OUTPUT: output }
    for (const step of [CI_HAS_PASSED, NOTES, FACTS]) {
      const { code, err } = ran(step, clone, env)
      if (code !== 0) return { step, err }
    }
    return { notes: readFileSync(join(clone, 'release-notes.txt'), 'utf8'), facts: readFileSync(output, 'utf8') }
  }

  it('has the words of the changelog, and can be published where package.json has a repository', () => {
    expect(released('v1.2.0', '1.2.0')).toEqual({
      notes: 'Of 1.2.0.\n\n### Fixed\n\n- Second.\n',
      facts: 'version=1.2.0\nchannel=latest\npublishable=false\n',
    })
    const repository = { repository: { type: 'git', url: 'git+https://example.org/owner/name.git' } }
    expect(released('v1.2.0-rc.1', '1.2.0-rc.1', { repository })).toEqual({
      notes: '- First.\n',
      facts: 'version=1.2.0-rc.1\nchannel=next\npublishable=true\n',
    })
  })

  it.each([
    ['latest', ['v1.0.9', 'v1.1.0', 'v1.3.0-rc.1', 'v1.10', 'vote']],
    ['latest', ['v1.2.0']],
    ['latest-1.2', ['v1.2.0', 'v1.10.0', 'v1.3.0-rc.1']],
  ] as const)('is %s beside the tags %j', (channel, tags) => {
    expect(released('v1.2.0', '1.2.0', { tags })).toMatchObject({
      facts: expect.stringContaining(`channel=${channel}\n`),
    })
  })

  it.each([
    ['that CI has not passed', CI_HAS_PASSED, released.bind(null, 'v1.2.0', '1.2.0', { passed: false }), /^$/],
    [
      'that is not the version',
      NOTES,
      () => released('v1.2.1', '1.2.0'),
      /^the tag is v1\.2\.1, .*its tag is v1\.2\.0\n$/,
    ],
    [
      'of a version in development',
      NOTES,
      () => released('v1.2.1-dev.0', '1.2.1-dev.0'),
      /^1\.2\.1-dev\.0 is in development/,
    ],
    ['of a version of which there are no words', NOTES, () => released('v1.3.0', '1.3.0'), /no text below "## 1\.3\.0/],
    [
      'of a version that has a heading only',
      NOTES,
      () => released('v1.2.0', '1.2.0', { changelog: '## 1.2.0 - 2027-01-31\n\n## 1.1.0\n\nOld.\n' }),
      /no text below "## 1\.2\.0/,
    ],
  ])('is not made of a tag %s', (_, step, refused, said) => {
    expect(refused()).toEqual({ step, err: expect.stringMatching(said) as string })
  })

  it('says what it leaves out, and why', () => {
    const folder = temporaryFolder()
    const all = ran(NOTICES, folder, { PUBLISHABLE: 'true', IMAGE: 'registry.example.org/owner/name' })
    expect(all).toEqual({ code: 0, out: '', err: '' })
    const none = ran(NOTICES, folder, { PUBLISHABLE: 'false', IMAGE: '' })
    expect(none).toMatchObject({ code: 0, err: '' })
    expect(none.out.match(/^::notice::.*$/gm)).toHaveLength(2)
  })

  it('this repository has the words of its version, unless that is in development', () => {
    const { version } = JSON.parse(textOf('package.json')) as { version: string }
    const isReleased = !version.includes('-dev.')
    const { code, out } = ran(`node scripts/release-notes.js v${version}`, packagePath())
    expect([code, out.length > 100]).toEqual(isReleased ? [0, true] : [1, false])
  })
})

test('no file names the host of a registry of packages', () => {
  const host = /\b(?:registry\.(?:npmjs|yarnpkg)|npm\.pkg\.github|npm\.jsr)\b/
  const texts = [...FILES].filter((path) => !/\.(?:png|br|gz|woff2?)$/.test(path))
  expect(texts.length).toBeGreaterThan(500)
  expect(texts.filter((path) => existsSync(packagePath(path)) && host.test(textOf(path)))).toEqual([])
})
