// Owns loading a compiled program, and the message when there is none.
import { existsSync } from 'node:fs'

export async function load(path) {
  const url = new URL(`../dist/${path}`, import.meta.url)
  if (existsSync(url)) return import(url.href)
  process.stderr.write(
    'public-analytics is not compiled: there is no dist/. Run npm ci in its folder (npm ci --ignore-scripts does not compile).\n',
  )
  process.exit(2)
}
