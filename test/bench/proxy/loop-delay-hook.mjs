// Loaded into the proxy by --import: tells over the IPC channel how long the event loop stood still since last asked.
import { monitorEventLoopDelay } from 'node:perf_hooks'

const histogram = monitorEventLoopDelay({ resolution: 1 })
histogram.enable()
process.on('message', () => {
  process.send({ longestMs: histogram.max / 1e6 })
  histogram.reset()
})
// Nothing of this keeps a stopping proxy alive.
process.channel.unref()
