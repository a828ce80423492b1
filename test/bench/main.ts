// Owns `npm run bench`: the builder's benchmark and the proxy's, one after the other, whole or in a tenth of the work,
// and one JSON file of both.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

const PROGRAMS = ['build', 'proxy']

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    json: { type: 'string' },
    /** `build`, `proxy`, or some parts of one: `build:floor,build:site,proxy`. */
    only: { type: 'string', default: PROGRAMS.join(',') },
  },
})
const wanted = new Map<string, string[]>()
for (const one of options.only.split(',')) {
  const [program = '', part] = one.split(':')
  if (!PROGRAMS.includes(program))
    throw new Error(
      `--only: no program "${program}"; there are: ${PROGRAMS.join(', ')}, and their parts as build:floor`,
    )
  wanted.set(program, [...(wanted.get(program) ?? []), ...(part === undefined ? [] : [part])])
}

const folder = mkdtempSync(join(tmpdir(), 'bench-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
const startMs = performance.now()
const results: Record<string, unknown> = {}
for (const [program, parts] of wanted) {
  const json = join(folder, `${program}.json`)
  const args = [join(import.meta.dirname, program, 'main.js'), '--json', json]
  if (options.quick) args.push('--quick')
  if (parts.length > 0) args.push('--only', parts.join(','))
  console.log(
    `\n# analytics-${program}${options.quick ? ': a tenth of the work, beside the goals of the full size' : ''}\n`,
  )
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
  results[program] = JSON.parse(readFileSync(json, 'utf8'))
}
const seconds = (performance.now() - startMs) / 1000
console.log(`\n${seconds.toFixed(0)} s in all`)
if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify({ seconds, ...results }, null, 2)}\n`)
