// Owns the crowd as a separate process, so that no measurement contains its work. Arguments: port, heads, readers.
import { openCrowd } from './slow-crowd.ts'

const [port = 0, heads = 0, readers = 0] = process.argv.slice(2).map(Number)
const crowd = await openCrowd(port, heads, readers)
console.log('all there')
process.once('SIGTERM', () => {
  console.log(`${crowd.size} ${Math.round(crowd.longestHeadMs)}`)
  crowd.close()
  process.exitCode = 0
  setTimeout(() => process.exit(), 500).unref()
})
