// Owns which long tests a change can break, and runs them. By folders, because vitest knows neither SQL, nginx.conf nor what a
// program that a test starts has loaded. CHANGED_SINCE names the commit before the change; without it the change is all of the
// last day before HEAD.
import { execFileSync, spawnSync } from 'node:child_process'

const DAY_SECONDS = 86_400

/** Where a long test is, and what else it depends on: everything where a change is of none of these. */
const PARTS = {
  analytics: /^src\/(?:analytics|contract|model|source)\//,
  builder: /^(?:bin|src\/(?!proxy\/))/,
  contract: /^src\/contract\//,
  deploy: /^(?:deploy|bin|nginx\.conf|Dockerfile|docs\/|src\/(?:builder|process|proxy)\/)/,
  docs: /^(?:docs|README|CONTRIBUTING|SECURITY|deploy|src)/,
  'end-to-end': /^(?:bin|src|nginx\.conf|deploy|test\/oracle)/,
  package: /^(?:bin|src|scripts|docs|deploy|README)/,
  platforms: /^src\/(?:contract|model|source)\//,
  'postgres-versions': /^src\/(?:contract|model|process|source)\//,
  process: /^(?:bin|scripts|src\/process\/)/,
  proxy: /^(?:bin|src\/(?:contract|process|proxy|release)\/)/,
  release: /^src\/(?:analytics|contract|model|process|release|site)\//,
  site: /^src\/(?:analytics|builder|contract|demo|model|process|release|site)\//,
  source: /^src\/(?:contract|model|process|source)\//,
  torture: /^(?:bin|src\/(?!site\/))/,
}

/** What no long test reads. */
const APART = /^(?:CHANGELOG\.md|LICENSE|\.editorconfig|test\/bench\/)/

const git = (...args) => execFileSync('git', args, { encoding: 'utf8' }).trim()

function commitBefore() {
  const given = process.env.CHANGED_SINCE
  if (given) return given
  const dayBefore = Number(git('log', '-1', '--format=%ct')) - DAY_SECONDS
  return git('rev-list', '-1', `--before=${dayBefore}`, 'HEAD')
}

function foldersFor(files) {
  const all = Object.keys(PARTS)
  const folders = new Set()
  for (const file of files.filter((one) => !APART.test(one))) {
    const reached = all.filter((part) => file.startsWith(`test/${part}/`) || PARTS[part].test(file))
    for (const part of reached.length > 0 ? reached : all) folders.add(part)
  }
  return all.filter((part) => folders.has(part))
}

const base = commitBefore()
// A clone without its history has no base: then everything may have changed.
const files = base === '' ? ['.'] : git('diff', '--name-only', base, 'HEAD').split('\n').filter(Boolean)
const folders = foldersFor(files)
process.stdout.write(
  `long tests: ${files.length} files changed since ${base === '' ? 'an unknown commit' : base.slice(0, 7)}: ${folders.length === 0 ? 'none' : folders.join(', ')}\n`,
)
if (folders.length > 0) {
  const paths = folders.map((part) => `test/${part}/`)
  const { status } = spawnSync('npx', ['vitest', 'run', '--project', 'long', '--passWithNoTests', ...paths], {
    stdio: 'inherit',
  })
  process.exitCode = status ?? 1
}
