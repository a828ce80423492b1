// Owns running a compiled program, and the messages when there is none or Node.js is too old. An old one must be able to read
// this file, so it has the syntax and imports of Node.js 12.
import { existsSync, readFileSync } from 'fs'

const inPackage = (path) => new URL(`../${path}`, import.meta.url)

/** Of a program that ends without saying how: Node's own for an await that nothing answers. */
const UNSETTLED = 13

/** Runs a program; `ended` gets its exit code. */
export function load(path, ended) {
  try {
    process.cwd()
  } catch {
    end(
      'public-analytics: the folder in which it is started is not there any more, or may not be entered; cd to another one.',
    )
  }
  const { engines } = JSON.parse(readFileSync(inPackage('package.json'), 'utf8'))
  const needed = engines.node.replace('>=', '')
  if (isOlder(process.versions.node, needed))
    end(
      `public-analytics needs Node.js ${needed} or newer; this is ${process.versions.node} (${process.execPath}). https://nodejs.org has it.`,
    )
  const url = inPackage(`dist/${path}`)
  if (!existsSync(url))
    end(
      'public-analytics is not compiled: there is no dist/. Run npm ci in its folder (npm ci --ignore-scripts does not compile).',
    )
  process.exitCode = UNSETTLED
  void import(url.href).then(({ main }) => main(process.argv.slice(2))).then(ended)
}

function isOlder(version, needed) {
  const [own, other] = [version, needed].map((one) => one.split('.').map(Number))
  const at = own.findIndex((number, i) => number !== other[i])
  return at >= 0 && own[at] < other[at]
}

function end(why) {
  process.stderr.write(`${why}\n`)
  process.exit(2)
}
