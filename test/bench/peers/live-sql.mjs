// Express with pg, asking the database at every request: what an API without snapshots does.
import compression from 'compression'
import express from 'express'
import { rateLimit } from 'express-rate-limit'
import pg from 'pg'
import { HEADERS, limitOf, RATE_LIMIT, RATE_WINDOW_MS } from './snapshots.mjs'

const DAYS = { '24h': 1, '7d': 7, '30d': 30, '90d': 90 }

// The window's votes and comments by idea, the best of them, and for those only what else the answer shows.
const TRENDING = `
  WITH v AS (SELECT idea_id, count(*) AS n FROM votes
              WHERE value > 0 AND created_at >= now() - $1 * interval '24 hours' AND created_at < now()
              GROUP BY idea_id),
       c AS (SELECT idea_id, count(*) AS n FROM comments
              WHERE created_at >= now() - $1 * interval '24 hours' AND created_at < now()
              GROUP BY idea_id),
       best AS (SELECT i.*, coalesce(v.n, 0) AS votes, coalesce(c.n, 0) AS comments,
                       5 * coalesce(v.n, 0) + 3 * coalesce(c.n, 0) AS score
                  FROM v FULL JOIN c USING (idea_id) JOIN ideas i ON i.id = idea_id
                 ORDER BY score DESC, votes DESC, i.created_at DESC, i.id LIMIT $2),
       vs AS (SELECT idea_id, count(*) AS n FROM votes
               WHERE value > 0 AND idea_id IN (SELECT id FROM best) GROUP BY idea_id),
       cs AS (SELECT idea_id, count(*) AS n FROM comments WHERE idea_id IN (SELECT id FROM best) GROUP BY idea_id)
  SELECT row_number() OVER (ORDER BY score DESC, votes DESC, created_at DESC, id) AS rank,
         id::text, title, status, url, score, votes, comments,
         created_at AS "createdAt", launched_at AS "launchedAt",
         (SELECT array_agg(category ORDER BY category) FROM idea_categories WHERE idea_id = best.id) AS categories,
         coalesce(vs.n, 0) AS "totalVotes", coalesce(cs.n, 0) AS "totalComments"
    FROM best LEFT JOIN vs ON vs.idea_id = best.id LEFT JOIN cs ON cs.idea_id = best.id ORDER BY rank`

// Counts are bigint to PostgreSQL, which pg gives as text.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)
const pool = new pg.Pool({ connectionString: process.argv[2], max: 10 })
const app = express()
app.disable('x-powered-by')
app.use(rateLimit({ windowMs: RATE_WINDOW_MS, limit: RATE_LIMIT, legacyHeaders: true, standardHeaders: false }))
app.use(compression())
// Express 5 hands on what an async handler throws.
// oxlint-disable-next-line oxc/no-async-endpoint-handlers
app.get('/api/analytics/trending', async (request, response) => {
  const period = request.query.period ?? '7d'
  const limit = limitOf(request.query.limit)
  if (DAYS[period] === undefined || limit === null) return response.status(400).json({ error: 'Bad Request' })
  const { rows: ideas } = await pool.query(TRENDING, [DAYS[period], limit])
  response.set(HEADERS).json({ period, limit, count: ideas.length, ideas, generatedAt: new Date().toISOString() })
})
const server = app.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`))
