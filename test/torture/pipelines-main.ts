// Owns those clients as a process of their own, so that their work is not in anybody's measurement. Arguments: port,
// kind, the attack as JSON.
import { KINDS, openPipelines, type Attack } from './pipelines.ts'

const [port, kind, attack = ''] = process.argv.slice(2)
const given = KINDS.find((one) => one === kind)
if (given === undefined) throw new Error(`kind "${kind}"; there are: ${KINDS.join(', ')}`)
await openPipelines(Number(port), JSON.parse(attack) as Attack, given)
console.log('all there')
