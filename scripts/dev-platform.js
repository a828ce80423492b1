// Owns the database of the demo while `npm run dev` runs; sends its URL. A process of its own: it fills its event loop for seconds.
import { exit } from 'node:process'
import { startEmbeddedPostgres } from '../dist/demo/embedded-postgres.js'
import { demoPlatform } from '../dist/demo/platform.js'

const postgres = await startEmbeddedPostgres()
await postgres.seed(demoPlatform(Date.now()))
process.on('disconnect', () => exit())
process.send(postgres.url)
