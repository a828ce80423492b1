// "Are we faster than last year?", as builds of a real database publish it, against SQL: 21 sites in zones east and west of
// Greenwich, at the ends of days, months, quarters and leap years; young sites, young categories, launches without a date.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Client } from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { categoryKey } from '../../src/contract/category-name.ts'
import { createNativeTables } from '../oracle/random-database.ts'
import { buildAt } from '../support/library-build.ts'
import { describeWithPostgres } from '../support/postgres.ts'
import { siteOf } from '../support/site.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const ZONES = ['UTC', 'America/New_York', 'Pacific/Kiritimati']
/** An instant, and how many days the site is old. */
const TIMES = [
  ['2026-12-01T02:00:00Z', 1200],
  ['2026-04-01T00:00:00Z', 900],
  ['2026-03-31T23:59:59Z', 900],
  // Last year has 29 February, and this year has not.
  ['2025-05-15T13:00:00Z', 800],
  ['2024-02-29T12:00:00Z', 1500],
  // Last year is not whole.
  ['2026-11-03T04:30:00Z', 640],
  // Of last year only its very end.
  ['2026-09-30T22:30:00Z', 280],
] as const

interface Row {
  readonly label: string
  readonly now: number
  readonly ago: number
  readonly undated: number
  readonly is_whole: boolean
}

/** How many there are, by kind, in both windows. $1 dataAsOf, $2 time zone, $3 category or null. */
const COUNTS = `
  WITH at AS (SELECT date_trunc('day', $1::timestamptz AT TIME ZONE $2) AS midnight),
  edge AS (SELECT CASE WHEN extract(month FROM midnight) <= 3 THEN date_trunc('month', midnight) ELSE midnight END AS until,
                  CASE WHEN extract(month FROM midnight) <= 3 THEN date_trunc('month', midnight) - interval '1 year'
                       ELSE date_trunc('year', midnight) END AS since FROM at),
  idea AS (SELECT i.* FROM ideas i WHERE $3::text IS NULL OR EXISTS (SELECT FROM idea_categories c WHERE c.idea_id = i.id AND c.category = $3)),
  dated (n, label, at) AS (
    SELECT 1, 'Ideas', created_at FROM idea UNION ALL
    SELECT 2, 'Votes', v.created_at FROM votes v JOIN idea ON idea.id = v.idea_id UNION ALL
    SELECT 3, 'Comments', c.created_at FROM comments c JOIN idea ON idea.id = c.idea_id UNION ALL
    SELECT 4, 'Launched ideas', launched_at FROM idea WHERE launched)
  SELECT label,
         count(*) FILTER (WHERE at >= since AT TIME ZONE $2 AND at < until AT TIME ZONE $2)::int AS now,
         count(*) FILTER (WHERE at >= (since - interval '1 year') AT TIME ZONE $2
                            AND at < (until - interval '1 year') AT TIME ZONE $2)::int AS ago,
         count(*) FILTER (WHERE at IS NULL)::int AS undated,
         (SELECT min(created_at) FROM idea) < min((since - interval '1 year') AT TIME ZONE $2) AS is_whole
    FROM dated, edge GROUP BY n, label ORDER BY n`

/** Of each month of this year that is 90 days over, and of the same month of last year. The parameters are the same. */
const SPEED = `
  WITH at AS (SELECT date_trunc('year', $1::timestamptz AT TIME ZONE $2) AS year),
  month AS (SELECT year + n * interval '1 month' AS since FROM at, generate_series(0, 11) n
             WHERE (year + (n + 1) * interval '1 month') AT TIME ZONE $2 + interval '24 hours' * 90 <= $1::timestamptz),
  window_ (ago, since) AS (SELECT 0, since FROM month UNION ALL SELECT 1, since - interval '1 year' FROM month),
  idea AS (SELECT i.* FROM ideas i WHERE $3::text IS NULL OR EXISTS (SELECT FROM idea_categories c WHERE c.idea_id = i.id AND c.category = $3))
  SELECT ago, count(*)::int AS ideas, count(*) FILTER (WHERE launched AND launched_at - created_at <= interval '24 hours' * 90)::int AS known,
         count(*) FILTER (WHERE launched AND launched_at IS NULL)::int AS undated,
         -- The first idea is of the first of these months, or older.
         (SELECT min(created_at) FROM idea) < min((year - interval '11 months') AT TIME ZONE $2) AS is_whole
    FROM at, window_ JOIN idea ON created_at >= since AT TIME ZONE $2 AND created_at < (since + interval '1 month') AT TIME ZONE $2
   GROUP BY ago ORDER BY ago`

const number = (n: number): string => n.toLocaleString('en-GB')
const percent = (part: number, whole: number, rounded = Math.round): string =>
  `${number(rounded((1000 * part) / whole) / 10)}%`

function countFacts(rows: readonly Row[]): string[] {
  return rows
    .filter(({ now, ago, is_whole, undated }) => {
      const isSure = undated === 0 || now > ago + undated || ago > now + undated
      return is_whole && now >= 30 && ago >= 30 && isSure
    })
    .map(({ label, now, ago, undated }) => {
      const sign = now === ago ? '' : now > ago ? '+' : '\u2212'
      const without = undated === 0 ? '' : `. Without a date: ${number(undated)}`
      return `${label}|${number(now)}|${sign}${percent(Math.abs(now - ago), ago)}|${number(ago)} a year earlier${without}`
    })
}

interface Speed {
  readonly is_whole: boolean
  readonly ideas: number
  readonly known: number
  readonly undated: number
}

/** The two shares; null = one is not said. */
function speedShares(rows: readonly Speed[]): string[] | null {
  if (rows.length < 2 || rows.some(({ ideas, is_whole }) => ideas < 30 || !is_whole)) return null
  return rows.map(({ ideas, known, undated }) => {
    if (undated === 0) return percent(known, ideas)
    return `${percent(known, ideas, Math.floor)} – ${percent(known + undated, ideas, Math.ceil)}`
  })
}

/** Label, number, what is said, change. */
function factsOf(page: string): string[] {
  const [section = ''] = /<section id="lastYear"[^]*?<\/section>/.exec(page) ?? []
  return [...section.matchAll(/<li>([^]*?)<\/li>/g)].map(([, fact = '']) =>
    [...fact.matchAll(/>([^<]+)</g)].map(([, text]) => text).join('|'),
  )
}

describeWithPostgres('this year beside last year', (postgres) => {
  const cases = ZONES.flatMap((zone, z) => TIMES.map(([time, age], i) => ({ zone, time, age, seed: 10 * z + i })))
  test.each(cases)('is what SQL counts, at $time in $zone', async ({ zone, time, age, seed }) => {
    const url = await postgres().createDatabase(`last_year_${seed}`)
    const client = new Client({ connectionString: url })
    await client.connect()
    onTestFinished(() => client.end())
    await createNativeTables(client)
    const at = `timestamptz '${time}'`
    // Some days end at midnight of the zone: a row is just before one, another just at it.
    await client.query(`
      SELECT setseed(${(seed + 1) / 100});
      INSERT INTO users SELECT i, ${at} - interval '${age} days' FROM generate_series(1, 30) i;
      INSERT INTO categories VALUES ('Old'), ('Young'), ('Small');
      INSERT INTO ideas (id, title, created_at, launched, launched_at)
      SELECT i, 'Idea ' || i, created, kind < 0.4, CASE WHEN kind < 0.38 THEN created + random() * interval '140 days' END
        FROM (SELECT i, random() AS kind,
                     CASE i % 5 WHEN 0 THEN date_trunc('day', moment AT TIME ZONE '${zone}') AT TIME ZONE '${zone}'
                                WHEN 1 THEN date_trunc('day', moment AT TIME ZONE '${zone}') AT TIME ZONE '${zone}' - interval '1 millisecond'
                                ELSE moment END AS created
                FROM (SELECT i, ${at} - random() * interval '${age} days' AS moment FROM generate_series(1, 1500) i) m) c;
      UPDATE ideas SET launched_at = NULL WHERE launched_at >= ${at};
      DELETE FROM ideas WHERE created_at >= ${at};
      INSERT INTO idea_categories SELECT id, 'Old' FROM ideas WHERE id::int % 2 = 0;
      INSERT INTO idea_categories SELECT id, 'Young' FROM ideas WHERE created_at > ${at} - interval '500 days';
      INSERT INTO idea_categories SELECT id, 'Small' FROM ideas WHERE id::int % 40 = 0;
      INSERT INTO votes SELECT i.id, u, 1, CASE WHEN u = 1 THEN NULL ELSE i.created_at + random() * (${at} - i.created_at) END
        FROM ideas i, generate_series(1, 3) u WHERE ${seed % 2} = 1 OR u > 1;
      INSERT INTO comments SELECT row_number() OVER (), i.id, 1, i.created_at FROM ideas i WHERE id::int % 3 = 0`)
    const snapshots = join(temporaryFolder(onTestFinished), 'snapshots')
    const outcome = await buildAt(Date.parse(time), url, snapshots, { site: siteOf({}), timeZone: zone })
    expect(outcome, JSON.stringify(outcome).slice(0, 500)).toMatchObject({ kind: 'published' })
    const said: string[] = []
    for (const category of [null, 'Old', 'Young', 'Small']) {
      const path = category === null ? 'index.html' : `category/${categoryKey(category)}/index.html`
      const shown = factsOf(await readFile(join(snapshots, 'current', path), 'utf8'))
      const parameters = [time, zone, category]
      const counts = countFacts((await client.query<Row>(COUNTS, parameters)).rows)
      const speed = speedShares((await client.query<Speed>(SPEED, parameters)).rows)
      expect(shown.slice(0, counts.length), path).toEqual(counts)
      expect(shown, path).toHaveLength(counts.length + Number(speed !== null))
      if (speed !== null) {
        const [now = '', ago = ''] = speed
        expect(shown.at(-1), path).toMatch(
          new RegExp(`^Launched within 90 days\\|${now}\\|.* a year earlier ${ago}(\\|.*)?$`),
        )
      }
      said.push(...shown)
    }
    if (age >= 800) expect(said.length).toBeGreaterThan(3)
  })
})
