// Owns `npm run torture`: every part in turn, a line each, exit 1 on any loss. Injects nothing itself.
import { parseArgs } from 'node:util'
import { randomStream } from '../../src/demo/random.ts'
import { startPostgres } from '../support/postgres.ts'
import { PARTS } from './parts.ts'
import { lossKinds, type Tally } from './tally.ts'
import { openWorkshop } from './workshop.ts'

const QUICK = 0.1

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string', default: Object.keys(PARTS).join(',') },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
  },
})
const names = values.only.split(',')
for (const name of names)
  if (!(name in PARTS)) throw new Error(`--only: no part "${name}"; there are: ${Object.keys(PARTS).join(', ')}`)
const stop = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => stop.abort())

console.log(
  `seed ${values.seed}: npm run torture -- --seed ${values.seed}${values.quick ? ' --quick' : ''} --only ${values.only}`,
)
const postgres = await startPostgres()
let losses = 0
try {
  const workshop = await openWorkshop(postgres)
  try {
    for (const name of names) {
      const part = PARTS[name]
      if (part === undefined || stop.signal.aborted) continue
      const startMs = performance.now()
      const random = randomStream(Number(values.seed), name)
      const tally = await part.run({
        workshop,
        random,
        part: values.quick ? QUICK : 1,
        signal: stop.signal,
      })
      const seconds = ((performance.now() - startMs) / 1000).toFixed(0)
      console.log(`${name}: ${part.guarantee} (${part.injected}): ${summaryOf(tally)}; ${seconds} s`)
      for (const line of tally.table ?? []) console.log(line)
      for (const [loss, alike] of lossKinds(tally.losses))
        console.log(`  LOST ${loss}${alike > 1 ? ` (${alike} alike)` : ''}`)
      losses += tally.losses.length
    }
  } finally {
    workshop.close()
  }
} finally {
  await postgres.stop()
}
process.exitCode = stop.signal.aborted ? 130 : losses === 0 ? 0 : 1

function summaryOf({ tried, losses: lost, words }: Tally): string {
  const said = [...words].sort(([a], [b]) => (a < b ? -1 : 1)).map(([word, n]) => `${n} ${word}`)
  return `tried ${tried}, survived ${tried - lost.length} (${said.join(', ')})`
}
