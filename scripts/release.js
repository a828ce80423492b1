// Owns `npm run release -- NEW`: from a clean clone to a tagged commit, and the commit after it, with which the next version begins.
// Pushes nothing: what was made is looked at, and the last lines say how it goes out.
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chapterOf } from './changelog.js'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const VERSION = /^(\d+)\.(\d+)\.(\d+)(?:-(?:rc|beta)\.\d+)?$/
/** Where operators copy a version from: these lines are of the next release, or of the one after it, also before it is out. */
const COPIED = /(?<=VERSION=|newTag: |public-analytics[-:])\d+\.\d+\.\d+/g

const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()
const read = (name) => readFileSync(join(root, name), 'utf8')
const run = (...[command, ...args]) => execFileSync(command, args, { cwd: root, stdio: 'inherit' })

/** What keeps `version` from being released now; none = nothing. */
function obstacles(version) {
  const { version: own, repository } = JSON.parse(read('package.json'))
  const [base] = own.split('-')
  const isNext = version === base || version.startsWith(`${base}-`) || isNewer(version, base)
  const chapter = chapterOf(version, read('CHANGELOG.md'))
  return [
    !VERSION.test(version) && `"${version}" is no version; allowed: 1.2.3, 1.2.3-rc.1`,
    VERSION.test(version) && !isNext && `${version} is not newer than ${own}, which package.json has`,
    repository === undefined && 'package.json has no repository: where the package comes from could not be proved',
    git('status', '--porcelain') !== '' && 'the clone is not clean: commit, or take away, what git status shows',
    git('tag', '--list', `v${version}`) !== '' && `the tag v${version} is there`,
    !chapter?.date && `CHANGELOG.md has no line "## ${version} - DATE", as 2026-11-29`,
    chapter?.text === '' && `CHANGELOG.md has nothing below "## ${version}"`,
  ].filter((one) => one !== false)
}

function isNewer(version, base) {
  const [a, b] = [version, base].map((one) => one.split(/[.-]/).slice(0, 3).map(Number))
  const at = a.findIndex((number, i) => number !== b[i])
  return at >= 0 && a[at] > b[at]
}

/** Of package.json, its lock, and of each line that operators copy. */
function writeVersion(version) {
  const names = [JSON.parse(read('package.json')).version, version].map((one) => one.split('-')[0])
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

const [version = ''] = process.argv.slice(2)
const found = obstacles(version)
if (found.length > 0) {
  process.stderr.write(`npm run release -- NEW: nothing was changed\n${found.map((one) => `  ${one}\n`).join('')}`)
  process.exit(2)
}
writeVersion(version)
try {
  run(join(root, '.ci', 'run'))
} catch {
  git('checkout', '--quiet', '.')
  process.stderr.write('.ci/run failed, so nothing is released, and the version is what it was\n')
  process.exit(1)
}
git('commit', '--quiet', '--all', '--message', `Release ${version}`)
git('tag', '--annotate', `v${version}`, '--message', version)
const branch = git('rev-parse', '--abbrev-ref', 'HEAD')
const [, major, minor, patch] = VERSION.exec(version)
const next = version.includes('-') ? `${major}.${minor}.${patch}` : `${major}.${minor}.${Number(patch) + 1}`
writeVersion(`${next}-dev.0`)
git('commit', '--quiet', '--all', '--message', `Begin ${next}`)
process.stdout.write(`v${version} is tagged, and this clone is at ${next}-dev.0. To let it out:
  git push origin v${version}^0:${branch}     # CI puts its tag ci-passed/… onto this commit
  git push --atomic origin ${branch} v${version}     # then: the workflow of the tag makes the package and the image
To take it back, as long as it is not pushed:
  git tag --delete v${version} && git reset --hard HEAD~2
`)
