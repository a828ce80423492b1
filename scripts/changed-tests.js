// Owns starting test/reach/main.ts, which is TypeScript, with what the test runner loads its own files with.
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createViteServer } from 'vitest/node'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const server = await createViteServer({
  root,
  configFile: false,
  logLevel: 'error',
  server: { middlewareMode: true, ws: false, watch: null },
  optimizeDeps: { noDiscovery: true },
})
// Who reads the list may leave it, as head does.
process.stdout.on('error', () => {})
const { main } = await server.ssrLoadModule('/test/reach/main.ts')
await server.close()
process.exitCode = main(root, process.argv.slice(2))
