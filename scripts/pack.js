// Owns `npm run package`: makes the package that is installed without compiling, with the versions and hashes of
// package-lock.json. It is put together in a folder of its own, so that nothing that runs here meanwhile finds another
// package.json or dist/.
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { commitOf } from './commit.js'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
// What is installed as root is read by other users.
process.umask(0o022)
const folder = mkdtempSync(join(tmpdir(), 'analytics-package-'))
const removeFolder = () => rmSync(folder, { recursive: true, force: true })
process.once('SIGINT', () => {
  removeFolder()
  process.exit(130)
})

const read = (name) => JSON.parse(readFileSync(join(root, name), 'utf8'))
const write = (name, content) => writeFileSync(join(folder, name), `${JSON.stringify(content, null, 2)}\n`)
const git = (...args) =>
  // Also where the clone is another user's, as in a container.
  execFileSync('git', ['-c', `safe.directory=${root}`, 'ls-files', '-z', ...args], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: Infinity,
  })
    .split('\0')
    .slice(0, -1)

/** What git knows: a password that somebody put beside it is in no package. Where git is not, as in an image, what is there. */
function sources() {
  if (existsSync(join(root, '.git'))) {
    const others = git('--others', '--exclude-standard', '--directory')
    if (others.length > 0) process.stderr.write(`left out, because git does not know them: ${others.join(', ')}\n`)
    // Without those that somebody has removed.
    return git().filter((path) => existsSync(join(root, path)))
  }
  const made = new Set(['node_modules', 'dist', '.compiled'])
  return readdirSync(root, { withFileTypes: true })
    .filter(({ name }) => !made.has(name))
    .map(({ name }) => name)
}

try {
  for (const path of sources()) cpSync(join(root, path), join(folder, path), { recursive: true })
  execFileSync('chmod', ['-R', 'a+rX', folder])
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  const options = process.argv.slice(2)
  const compile = [join(folder, 'scripts', 'compile.js'), '--package', '--commit', commitOf(root, options)]
  execFileSync(process.execPath, compile, { stdio: ['ignore', 2, 2] })
  const { scripts, devDependencies: _ours, ...published } = read('package.json')
  const { packages, ...lock } = read('package-lock.json')
  const { devDependencies: _theirs, ...own } = packages['']
  // npm ci compares the two: what is not in one must not be in the other.
  write('package.json', { ...published, scripts: { start: scripts.start } })
  const needed = Object.entries(packages).filter(([path, { dev }]) => path !== '' && dev !== true)
  write('npm-shrinkwrap.json', { ...lock, packages: { '': own, ...Object.fromEntries(needed) } })
  const args = ['pack', '--pack-destination', process.cwd(), ...options]
  execFileSync('npm', args, { cwd: folder, stdio: ['ignore', 'inherit', 'inherit'] })
} finally {
  removeFolder()
}
