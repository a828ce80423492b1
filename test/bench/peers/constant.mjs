// The runtime's floor: node:http writing one captured answer, all its header bytes and its body, and doing nothing else.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'

const { status, headers, body } = JSON.parse(readFileSync(process.argv[2], 'utf8'))
const bytes = Buffer.from(body, 'base64')

const server = createServer((_request, response) => {
  response.writeHead(status, headers)
  if (bytes.length === 0) response.end()
  else response.end(bytes)
})
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`))
