// A check estimates what a build costs the database; cost.ts and plan-cost.ts.
import { describe, expect, test } from 'vitest'
import { describeWithPostgres } from '../../support/postgres.ts'
import { NATIVE, SCHEMA, ROWS, PAST, type Sections, native, check, errorsOf, about, usePlatform } from './checking.ts'

describeWithPostgres('a check of costs', (postgres) => {
  const { sql, database } = usePlatform(postgres, () => {})

  describe('what reading costs', () => {
    /** Votes dated by a log: for each vote the log is read from end to end, unless it has an index. */
    const dated = (log: string): Sections => ({
      votes: `SELECT v.idea_id, v.user_id, v.value, (SELECT min(l.at) FROM ${log} l WHERE l.vote_idea = v.idea_id) AS created_at FROM votes v`,
    })
    const LOG = `CREATE TABLE TABLE_NAME (vote_idea bigint, at timestamptz);
                 INSERT INTO TABLE_NAME SELECT n, ${PAST} FROM generate_series(1, 5000) n;`
    const many = `INSERT INTO ideas SELECT n, 'Idea', ${PAST} FROM generate_series(1, 500) n;
                  INSERT INTO votes SELECT n, n, 1, ${PAST} FROM generate_series(1, 500) n;`

    test.each(['vote_log', '"voteLog"'])(
      'is said with the index that %s lacks; with it nothing is said',
      async (log) => {
        const { name, to } = await database(`${SCHEMA}; ${many} ${LOG.replaceAll('TABLE_NAME', log)} ANALYZE`)
        const report = await check(to, native(dated(log)))
        const line = `CREATE INDEX CONCURRENTLY ON ${log} (vote_idea);`
        expect(about(report, 'index')).toEqual([
          {
            level: 'warning',
            about: 'index',
            problem: expect.stringMatching(
              /^the mapping reads (?:vote_log|"voteLog") from end to end about [\d,]+ times$/i,
            ) as string,
            fix: line,
          },
        ])
        await sql(`${line} ANALYZE`, name)
        expect(about(await check(to, native(dated(log))), 'index')).toEqual([])
      },
    )

    test('is a guess without statistics; the printed ANALYZE fixes that', async () => {
      const { name, to } = await database(`${SCHEMA}; ${ROWS.replace('ANALYZE', '')}`)
      const report = await check(to, NATIVE)
      const [finding, ...more] = about(report, 'statistics')
      expect(more).toEqual([])
      expect(finding?.problem).toMatch(/^the planner has no statistics of \w+(, \w+)*: it guesses/)
      await sql(finding?.fix ?? '', name)
      expect(about(await check(to, NATIVE), 'statistics')).toEqual([])
    })

    const BYTES = 200_000
    const big = `CREATE TABLE TABLE_NAME (idea_id bigint, user_id bigint, value int, created_at timestamptz)`
    const filled = `INSERT INTO TABLE_NAME SELECT 1, n, 1, ${PAST} FROM generate_series(1, 5000) n; ANALYZE`

    test.each([
      [
        'a partitioned table',
        `DROP TABLE votes; ${big.replace('TABLE_NAME', 'votes')} PARTITION BY LIST (idea_id);
         CREATE TABLE votes_1 PARTITION OF votes FOR VALUES IN (1); ${filled.replace('TABLE_NAME', 'votes')}`,
      ],
      [
        'a view',
        `DROP TABLE votes; ${big.replace('TABLE_NAME', 'ballots')}; ${filled.replace('TABLE_NAME', 'ballots')};
         CREATE VIEW votes AS SELECT * FROM ballots`,
      ],
      [
        'a table that another schema has, too, and empty',
        `CREATE SCHEMA archive; ${big.replace('TABLE_NAME', 'archive.votes')}; ${filled.replace('TABLE_NAME', 'votes')}`,
      ],
    ])('counts the bytes of %s', async (_, made) => {
      const { to } = await database(`${SCHEMA}; ${made}`)
      const report = await check(to, native())
      expect(errorsOf(report)).toEqual([])
      expect(report.cost?.bytes).toBeGreaterThan(BYTES)
      expect(about(report, 'statistics')).toEqual([])
    })
  })
})
