// Owns what a release says of itself: the chapter of CHANGELOG.md that its tag names. It refuses a tag that is not the version of
// package.json, a version in development, and one of which the changelog has nothing to say, so that none of these is published.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { chapterOf } from './changelog.js'
import { isNewer } from './versions.js'

const USAGE = `node scripts/release-notes.js [--facts] TAG

Prints the chapter of CHANGELOG.md on the version of package.json, if TAG is this version with a v before it.
  --facts  prints instead, as NAME=VALUE, what a workflow decides by: version; channel, which is latest, next for one as 1.1.0-rc.1,
           or latest-1.0 for a repair of 1.0 where git has the tag of a newer version, whose place it must not take;
           publishable, whether package.json has the repository that a provenance statement names
`

// Where somebody stands: a test puts a package and a changelog of its own there.
const read = (name) => readFileSync(join(process.cwd(), name), 'utf8')

function refuse(text) {
  process.stderr.write(`${text}\n`)
  process.exit(1)
}

/** A newer one is out, which is no pre-release. */
function isSuperseded() {
  const tags = execFileSync('git', ['tag', '--list', 'v*.*.*'], { encoding: 'utf8' }).split('\n')
  return tags.some((one) => /^v[\d.]+$/.test(one) && isNewer(one.slice(1), version))
}

const { values, positionals } = parseArgs({ allowPositionals: true, options: { facts: { type: 'boolean' } } })
const [tag] = positionals
if (tag === undefined || positionals.length > 1) refuse(USAGE)
const { version, repository } = JSON.parse(read('package.json'))
if (tag !== `v${version}`) refuse(`the tag is ${tag}, but package.json has ${version}: its tag is v${version}`)
if (version.includes('-dev.')) refuse(`${version} is in development: release what it becomes`)
const chapter = chapterOf(version, read('CHANGELOG.md'))
if (!chapter?.text) refuse(`CHANGELOG.md has no text below "## ${version} - DATE": write what an operator notices`)
const facts = {
  version,
  channel: version.includes('-') ? 'next' : isSuperseded() ? `latest-${version.replace(/\.\d+$/, '')}` : 'latest',
  publishable: repository !== undefined,
}
const lines = Object.entries(facts).map(([name, value]) => `${name}=${value}\n`)
process.stdout.write(values.facts ? lines.join('') : `${chapter.text}\n`)
