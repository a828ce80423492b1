// The runtime's floor: node:http writing one captured answer, all its header bytes and its body, and doing nothing else.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'

const { status, headers, body } = JSON.parse(readFileSync(process.argv[2], 'utf8'))
// As a string, which node:http joins with the head into one write: a Buffer would be a second part.
const text = Buffer.from(body, 'base64').toString('latin1')

const server = createServer((_request, response) => {
  response.writeHead(status, headers)
  if (text === '') response.end()
  else response.end(text, 'latin1')
})
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`))
