// Owns what a release says of itself: the chapter of CHANGELOG.md that its tag names. It refuses a tag that is not the version of
// package.json, a version in development, and one of which the changelog has nothing to say, so that none of these is published.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { chapterOf } from './changelog.js'

const USAGE = `node scripts/release-notes.js [--facts] TAG

Prints the chapter of CHANGELOG.md on the version of package.json, if TAG is this version with a v before it.
  --facts  prints instead, as NAME=VALUE, what a workflow decides by: version; channel, which is latest, or next for one as 1.1.0-rc.1;
           publishable, whether package.json has the repository that a provenance statement names
`

// Where somebody stands: a test puts a package and a changelog of its own there.
const read = (name) => readFileSync(join(process.cwd(), name), 'utf8')

function refuse(text) {
  process.stderr.write(`${text}\n`)
  process.exit(1)
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
  channel: version.includes('-') ? 'next' : 'latest',
  publishable: repository !== undefined,
}
const lines = Object.entries(facts).map(([name, value]) => `${name}=${value}\n`)
process.stdout.write(values.facts ? lines.join('') : `${chapter.text}\n`)
