// Owns `npm run bench`: the builder's bench and the proxy's, one after the other, whole or in a tenth of the work.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string', default: 'build,proxy' },
  },
})
const parts: Readonly<Record<string, readonly string[]>> = {
  build: ['build-scale.js', '--runs', values.quick ? '3' : '5', '--scale', values.quick ? '0.1' : '1'],
  proxy: [join('proxy', 'main.js'), ...(values.quick ? ['--quick'] : [])],
}
for (const name of values.only.split(',')) {
  const part = parts[name]
  if (part === undefined) throw new Error(`--only: no part "${name}"; there are: ${Object.keys(parts).join(', ')}`)
  const [file = '', ...args] = part
  const { status } = spawnSync(process.execPath, [join(import.meta.dirname, file), ...args], { stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}
