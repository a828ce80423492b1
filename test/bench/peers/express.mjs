// Express with express-rate-limit and compression, as their manuals put them together.
import compression from 'compression'
import express from 'express'
import { rateLimit } from 'express-rate-limit'
import { cut, HEADERS, limitOf, loadTrending, RATE_LIMIT, RATE_WINDOW_MS } from './snapshots.mjs'

const trending = loadTrending(process.argv[2])
const app = express()
app.disable('x-powered-by')
app.use(rateLimit({ windowMs: RATE_WINDOW_MS, limit: RATE_LIMIT, legacyHeaders: true, standardHeaders: false }))
app.use(compression())
app.get('/api/analytics/trending', (request, response) => {
  const document = trending.get(request.query.period ?? '7d')
  const limit = limitOf(request.query.limit)
  if (document === undefined || limit === null) return response.status(400).json({ error: 'Bad Request' })
  response.set(HEADERS).json(cut(document, limit))
})
const server = app.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`))
