// Owns those clients as a process of their own, so that their work is not in anybody's measurement. Arguments: port,
// kind, the attack as JSON.
import { openPipelines, type Attack, type Kind } from './pipelines.ts'

const [port, kind, attack = ''] = process.argv.slice(2)
await openPipelines(Number(port), JSON.parse(attack) as Attack, kind as Kind)
console.log('all there')
// A socket that is not read and has nothing to write keeps no process alive.
setInterval(() => undefined, 60_000)
