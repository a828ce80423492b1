// Owns `npm run release -- NEW`: from a clean clone to a tagged commit, and the commit after it, with which the next version begins.
// Pushes nothing: what was made is looked at, and the last lines say how it goes out.
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chapterOf } from './changelog.js'
import { isNewer } from './versions.js'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const VERSION = /^(\d+)\.(\d+)\.(\d+)(?:-(?:rc|beta)\.\d+)?$/
/** Where operators copy a version from: these lines are of the next release, or of the one after it, also before it is out. */
const COPIED = /(?<=VERSION=|newTag: |public-analytics[-:])\d+\.\d+\.\d+/g

const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()
const works = (...args) => spawnSync('git', args, { cwd: root }).status === 0
const read = (name) => readFileSync(join(root, name), 'utf8')
const run = (...[command, ...args]) => execFileSync(command, args, { cwd: root, stdio: 'inherit' })

/** What keeps `version` from being released now; none = nothing. */
function obstacles(version) {
  const { version: own, repository } = JSON.parse(read('package.json'))
  const chapter = chapterOf(version, read('CHANGELOG.md'))
  const isVersion = VERSION.test(version)
  return [
    !isVersion && `"${version}" is no version; allowed: 1.2.3, 1.2.3-rc.1`,
    isVersion &&
      isNewer(numbersOf(own), numbersOf(version)) &&
      `${version} is not newer than ${own}, which package.json has`,
    repository === undefined && 'package.json has no repository: where the package comes from could not be proved',
    ...obstaclesInGit(version),
    !chapter?.date && `CHANGELOG.md has no line "## ${version} - DATE", as 2026-11-29`,
    chapter?.text === '' && `CHANGELOG.md has nothing below "## ${version}"`,
  ].filter(Boolean)
}

/** Those of which the tests, or the pushes after them, would say it an hour later. */
function obstaclesInGit(version) {
  const hasOrigin = git('remote').split('\n').includes('origin')
  const isFetched = !hasOrigin || works('fetch', '--quiet', 'origin')
  const isBehind = git('branch', '--remotes', '--list', `origin/${branch}`, '--no-merged') !== ''
  const tags = git('tag', '--list', `v${numbersOf(version)}*`).split('\n')
  const later = tags.find((tag) => isNewer(tag.slice(1), version))
  const series = numbersOf(version).replace(/\.\d+$/, '')
  return [
    git('status', '--porcelain') !== '' && 'the clone is not clean: commit, or take away, what git status shows',
    // No commit of others gets the tag ci-passed/…
    !['main', series].includes(branch) &&
      `the branch is ${branch}: CI looks at main, and for an older ${series} at ${series}`,
    !isFetched && 'git fetch origin fails',
    isBehind && `origin/${branch} has commits that are not here: git pull`,
    !works('commit-tree', 'HEAD^{tree}', '-m', 'try') && 'git cannot commit: git config user.name and user.email',
    tags.includes(`v${version}`) && `the tag v${version} is there`,
    later && `the tag ${later} is there, and ${version} is older`,
  ]
}

function numbersOf(version) {
  return version.split('-')[0]
}

/** Of package.json, its lock, and of each line that operators copy. */
function writeVersion(version) {
  const names = [JSON.parse(read('package.json')).version, version].map(numbersOf)
  const [[before, upgradeBefore], [base, upgrade]] = names.map((one) => [one, afterMinor(one)])
  run('npm', 'version', version, '--no-git-tag-version', '--ignore-scripts', '--allow-same-version')
  const changedTo = new Map([
    [upgradeBefore, upgrade],
    [before, base],
  ])
  for (const path of git('ls-files', '*.md', 'deploy')
    .split('\n')
    .filter((one) => one !== 'CHANGELOG.md')) {
    const text = read(path)
    const changed = text.replaceAll(COPIED, (one) => changedTo.get(one) ?? one)
    if (changed !== text) writeFileSync(join(root, path), changed)
  }
}

function afterMinor(version) {
  const [major, minor] = version.split('.')
  return `${major}.${Number(minor) + 1}.0`
}

/** Runs all that must hold. @returns null = it holds, of what is committed now */
async function whyNot() {
  const child = spawn(join(root, '.ci', 'run'), { cwd: root, stdio: 'inherit' })
  let stopped = null
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(signal, () => {
      stopped = `${signal} has stopped it`
      child.kill(signal)
    })
  const [code] = await once(child, 'exit')
  if (stopped !== null || code !== 0) return stopped ?? '.ci/run failed'
  return state() === tested ? null : 'while .ci/run ran, something was changed or committed'
}

const [version = ''] = process.argv.slice(2)
const branch = git('rev-parse', '--abbrev-ref', 'HEAD')
const found = obstacles(version)
if (found.length > 0) {
  process.stderr.write(`npm run release -- NEW: nothing was changed\n${found.map((one) => `  ${one}\n`).join('')}`)
  process.exit(2)
}
const start = git('rev-parse', 'HEAD')
/** All that a commit could hold. */
const state = () => [git('rev-parse', 'HEAD'), git('status', '--porcelain'), git('diff', 'HEAD')].join('\n')
writeVersion(version)
const tested = state()
// Nothing where it was written before, as by a release that was killed after its commit.
const written = execFileSync('git', ['diff-index', '--unified=0', 'HEAD'], { cwd: root })
const why = await whyNot()
if (why !== null) {
  // As a patch: what somebody else wrote meanwhile stays.
  if (written.length > 0) execFileSync('git', ['apply', '--reverse', '--unidiff-zero'], { cwd: root, input: written })
  process.stderr.write(`${why}, so nothing is released, and the version is what it was\n`)
  process.exit(1)
}
if (written.length > 0) git('commit', '--quiet', '--all', '--message', `Release ${version}`)
git('tag', '--annotate', `v${version}`, '--message', version)
const [, major, minor, patch] = VERSION.exec(version)
const next = version.includes('-') ? `${major}.${minor}.${patch}` : `${major}.${minor}.${Number(patch) + 1}`
writeVersion(`${next}-dev.0`)
git('commit', '--quiet', '--all', '--message', `Begin ${next}`)
process.stdout.write(`v${version} is tagged, and this clone is at ${next}-dev.0. To let it out:
  git push origin v${version}^0:${branch}     # CI puts its tag ci-passed/… onto this commit
  git push --atomic origin ${branch} v${version}     # then: the workflow of the tag makes the package and the image
To take it back, as long as it is not pushed:
  git tag --delete v${version} && git reset --hard ${start}
`)
