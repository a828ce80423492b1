// Fastify with @fastify/rate-limit and @fastify/compress, as their manuals put them together.
import compress from '@fastify/compress'
import rateLimit from '@fastify/rate-limit'
import fastify from 'fastify'
import { cut, HEADERS, loadTrending, PERIODS, RATE_LIMIT, RATE_WINDOW_MS } from './snapshots.mjs'

const trending = loadTrending(process.argv[2])
const app = fastify()
await app.register(rateLimit, { max: RATE_LIMIT, timeWindow: RATE_WINDOW_MS })
await app.register(compress)
const querystring = {
  type: 'object',
  properties: {
    period: { type: 'string', enum: PERIODS, default: '7d' },
    limit: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
  },
}
app.get('/api/analytics/trending', { schema: { querystring } }, (request, reply) => {
  reply.headers(HEADERS)
  return cut(trending.get(request.query.period), request.query.limit)
})
console.log(await app.listen({ port: 0, host: '127.0.0.1' }))
