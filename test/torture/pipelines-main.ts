// Owns those clients as a process of their own, so that their work is not in anybody's measurement. Arguments: port,
// connections, requests on each, kind.
import { KINDS, openPipelines } from './pipelines.ts'

const [port, connections, requests, kind] = process.argv.slice(2)
const given = KINDS.find((one) => one === kind)
if (given === undefined) throw new Error(`kind "${kind}"; there are: ${KINDS.join(', ')}`)
await openPipelines(Number(port), Number(connections), Number(requests), given)
console.log('all there')
