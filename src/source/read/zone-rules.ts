// Owns comparing the rules of a time zone in Node.js, by which days are counted, with those of the database. Counts nothing.
import { escapeLiteral } from 'pg'
import type pg from 'pg'
import { TIME_ZONE_DATABASE, UTC } from '../../contract/time-zone.ts'
import { DAY_MS, formatTimestamp } from '../../contract/timestamp.ts'
import type { DaySlices } from '../../model/day-slices.ts'
import { attempt } from '../database/attempt.ts'
import { fillTemplate, timeLiteral } from '../sql/template.ts'

/** When both differ first, and the offsets then, in hours. */
type Difference = Readonly<Record<'atMs' | 'ours' | 'theirs', number>>

/**
 * Returns a sentence where offsets since the first month differ or cannot be compared (if the connection is gone, the
 * end of the read says so); null = they are the same. 35 years take 10 to 20 ms.
 */
export async function zoneFault(client: pg.Client, slices: DaySlices, firstMs: number | null): Promise<string | null> {
  const { zone, asOfMs } = slices
  if (zone === UTC) return null
  const rules = zone.rulesWithin(Math.floor((firstMs ?? asOfMs) / DAY_MS) * DAY_MS, asOfMs + 1)
  const values = rules.map((rule) => `(${timeLiteral(rule.fromMs)}, ${rule.offsetMs})`).join(', ')
  const query = fillTemplate('read/zone-offsets', { values: { rules: values, to: timeLiteral(asOfMs + 1) } })
  const ask = async (): Promise<Difference | null> => {
    await client.query(`SET LOCAL timezone = ${escapeLiteral(zone.name)}`)
    const { rows } = await client.query<Difference>(query)
    await client.query("SET LOCAL timezone = 'UTC'")
    return rows[0] ?? null
  }
  const asked = await attempt(client, ask).catch((error: unknown) => ({ ok: false as const, error }))
  const ofNode = `those of Node.js (${TIME_ZONE_DATABASE ?? 'of an unknown version'})`
  if (!asked.ok)
    return `the database's rules of the time zone ${zone.name} could not be compared with ${ofNode}: ${(asked.error as Error).message}; if the server does not know the name, update its tzdata, or give --time-zone a name that both know`
  if (asked.value === null) return null
  const { atMs, ours, theirs } = asked.value
  return `the time zone ${zone.name} is ${ours} h from UTC at ${formatTimestamp(atMs)} by ${ofNode}, by which days are counted, but ${theirs} h by the database's: one of the two is out of date; update Node.js, or tzdata on the database's server`
}
