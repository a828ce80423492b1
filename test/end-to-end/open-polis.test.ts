// The example docs/examples/open-polis.sql: real people's votes, read through a mapping that an operator would write, and every
// document of the release compared with the oracle's, on rows that SQL written by hand takes of the platform's own tables.
// long test: builds and serves for each case
// depends on: docs/examples/open-polis.sql
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readManifest } from '../../src/release/reading/folder-reader.ts'
import { releasePaths } from '../../src/release/format/paths.ts'
import { run } from '../builder/build-program.ts'
import { expectAsOracle } from '../oracle/compared.ts'
import { installOracle, keepCounted, oracleAnswer } from '../oracle/documents.ts'
import { wholeCurrent } from '../release/sample-release.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { exampleMapping } from '../support/documented-mapping.ts'
import { describeWithPostgres } from '../support/postgres.ts'
import { describeWithComponent, type RealComponent } from '../support/real-component.ts'

// CC BY 4.0, 2 MB, not part of this repository: the files of github.com/compdemocracy/openData and a load.sql for psql.
const DATA = resolve(import.meta.dirname, '../..', process.env['OPEN_POLIS_DATA'] ?? '../shared/data/open-polis')
const COMPONENT: RealComponent = existsSync(join(DATA, 'load.sql'))
  ? { ok: true, bin: DATA }
  : { ok: false, how: `${DATA} has no load.sql: OPEN_POLIS_DATA=FOLDER names the folder of the data` }

// Of a statement and a person the last vote holds, whenever it was given.
const ROWS = `
  CREATE FUNCTION at(ms bigint) RETURNS timestamptz IMMUTABLE LANGUAGE sql AS $$
    SELECT timestamptz 'epoch' + ms * interval '1 millisecond' $$;
  CREATE TABLE users AS SELECT zid || '-' || pid AS id, at(least(min(v.created), min(c.created))) AS created_at
    FROM polis.votes v FULL JOIN polis.comments c USING (zid, pid) GROUP BY zid, pid;
  CREATE TABLE ideas AS
    SELECT zid || '-' || tid AS id, txt AS title, at(created) AS created_at, false AS launched, NULL::timestamptz AS launched_at,
           NULL AS url, zid || '-' || pid AS author_id, CASE WHEN mod = 1 THEN 'accepted' ELSE 'unmoderated' END AS status
      FROM polis.comments WHERE mod IN (0, 1);
  CREATE TABLE categories AS SELECT topic AS name FROM polis.conversations;
  CREATE TABLE idea_categories AS
    SELECT zid || '-' || tid AS idea_id, topic AS category FROM polis.comments JOIN polis.conversations USING (zid);
  CREATE TABLE votes AS
    SELECT zid || '-' || tid AS idea_id, zid || '-' || pid AS user_id, last_vote[2] AS value, at(last_vote[1]) AS created_at
      FROM (SELECT zid, tid, pid, max(ARRAY[created, vote]) AS last_vote FROM polis.votes GROUP BY zid, tid, pid) AS held;
  CREATE TABLE comments (id text, idea_id text, user_id text, created_at timestamptz)`

// Skipped in CI, too: no package brings this data.
describeWithComponent('the open Polis data through the documented mapping', COMPONENT, openPolis, false)

function openPolis(): void {
  describeWithPostgres('on a real server', (postgres) => {
    const snapshots = temporaryFolder(afterAll)
    let client: Client
    beforeAll(async () => {
      client = new Client({ connectionString: await postgres().createDatabase('polis') })
      await client.connect()
      await postgres().psql(`\\cd '${DATA}'\n\\i load.sql\n`, 'polis')
    })
    afterAll(() => client?.end())

    it(
      'gives 7,677 people, 1,819 visible statements, and the documents of the oracle',
      { timeout: 900_000 },
      async () => {
        const source = ['--source', exampleMapping('open-polis'), '--database-url', postgres().url('polis')]
        expect(await run([...source, '--snapshots', snapshots])).toMatchObject({ code: 0 })
        const { dataAsOf, mapping } = await readManifest(releasePaths(snapshots), await wholeCurrent(snapshots))
        await client.query(ROWS)
        await installOracle(client)
        const weights = { voteWeight: 5, commentWeight: 3 }
        const ask = {
          asOf: dataAsOf,
          siteUrl: null,
          mapping: mapping.sha256,
          people: 'exact',
          timeZone: 'UTC',
          ...weights,
        } as const
        await keepCounted(client, ask)
        // Known from the data set itself: they guard the expectation, not the release.
        const { stats } = await oracleAnswer(client, ask, 'stats')
        expect(stats).toMatchObject({ totalUsers: 7677, totalIdeas: 1819, totalComments: 0, activeCategories: 14 })
        await expectAsOracle(client, ask, snapshots)
      },
    )
  })
}
