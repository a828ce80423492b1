// Owns `npm run bench:micro [-- NAME…]`: each file in tricks/ compares tricks for speed with their plain forms. A trick that
// saves less than 5 % of a whole request is not worth its lines.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { compare, spreadOf, type Comparison, type Spread } from './compare.ts'
import { BODY, HEADERS, measureHandlers } from './whole-request.ts'

const wanted = process.argv.slice(2)
const WORTH = 0.05

const text = BODY.toString('latin1')
const objectHeaders = Object.fromEntries(
  HEADERS.flatMap((name, i) => (i % 2 === 0 ? [[name, HEADERS[i + 1] ?? '']] : [])),
)
const whole = await measureHandlers({
  plain: (_, response) => response.writeHead(200, objectHeaders).end(BODY),
  'header array': (_, response) => response.writeHead(200, [...HEADERS]).end(BODY),
  'header array, latin1 text': (_, response) => response.writeHead(200, [...HEADERS]).end(text, 'latin1'),
  'header array, corked latin1 text': (_, response) => {
    response.writeHead(200, [...HEADERS])
    response.cork()
    response.write(text, 'latin1')
    response.uncork()
    response.end()
  },
})
const requestUs = spreadOf(whole.plain).median
console.log(
  `100 % = a whole request through node:http, ${shown(spreadOf(whole.plain))} µs of processor time (node ${process.version}); what saves ${WORTH * 100} % stays`,
)
for (const [name, values] of Object.entries(whole)) {
  const ratio = spreadOf(values.map((value, round) => value / (whole.plain[round] ?? Number.NaN)))
  console.log(`${name}: ${shown(spreadOf(values))} µs, ratio to plain in the same round ${shown(ratio)}`)
}
const folder = join(import.meta.dirname, 'tricks')
for (const file of readdirSync(folder).filter((name) => name.endsWith('.js'))) {
  if (wanted.length > 0 && !wanted.includes(file.slice(0, -'.js'.length))) continue
  const { COMPARISONS } = (await import(join(folder, file))) as { COMPARISONS: readonly Comparison[] }
  for (const comparison of COMPARISONS) {
    const { trickNs, plainNs, ratio } = compare(comparison)
    const saved = ((plainNs.median - trickNs.median) * comparison.times) / 1000 / requestUs
    console.log(
      `${comparison.name}: trick ${shown(trickNs)} ns, plain ${shown(plainNs)} ns, ratio ${shown(ratio)}; saves ${(saved * 100).toFixed(1)} % ${saved >= WORTH ? 'KEEP' : 'too little'}`,
    )
  }
}

/** The median, and between which two the middle half is. */
function shown({ median, low, high }: Spread): string {
  const digits = median < 10 ? 2 : median < 100 ? 1 : 0
  return `${median.toFixed(digits)} [${low.toFixed(digits)} … ${high.toFixed(digits)}]`
}
