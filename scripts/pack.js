// Owns what `npm pack` makes of this repository: a package that is installed without compiling, with the versions and hashes
// of package-lock.json. `prepack` puts its package.json and npm-shrinkwrap.json here, `postpack` (--undo) takes them away.
import { copyFileSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const manifest = join(root, 'package.json')
const shrinkwrap = join(root, 'npm-shrinkwrap.json')
/** package.json as it was: if packing was killed, the next one begins here. */
const kept = join(root, '.package.json.kept')

const read = (file) => JSON.parse(readFileSync(file, 'utf8'))
const write = (file, content) => writeFileSync(file, `${JSON.stringify(content, null, 2)}\n`)

if (existsSync(kept)) renameSync(kept, manifest)
rmSync(shrinkwrap, { force: true })
if (!process.argv.includes('--undo')) {
  const { private: _guard, scripts, devDependencies: _ours, ...published } = read(manifest)
  const { packages, ...lock } = read(join(root, 'package-lock.json'))
  const { devDependencies: _theirs, ...own } = packages['']
  copyFileSync(manifest, kept)
  // npm ci compares the two: what is not in one must not be in the other.
  write(manifest, { ...published, scripts: { start: scripts.start } })
  const needed = Object.entries(packages).filter(([path, { dev }]) => path !== '' && dev !== true)
  write(shrinkwrap, { ...lock, packages: { '': own, ...Object.fromEntries(needed) } })
}
