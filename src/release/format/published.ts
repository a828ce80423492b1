// Owns the form of what a folder remembers of each address of --publish. Pure.
import { SERVED_FOLDER } from './manifest.ts'
import * as json from './json-check.ts'

const OF_ADDRESS = {
  /** What was put there and may still be there: the sha256 of each manifest, by the name of its folder below releases/. */
  releases: json.record((name) => SERVED_FOLDER.test(name), json.matching(/^[0-9a-f]{64}$/)),
  /** The site has closed since: the log of days there ended with it. */
  logIsOver: json.isFlag,
}

/** What is remembered of one address. */
export type Published = json.ObjectOf<typeof OF_ADDRESS>

/** What was published, by address. */
export const isPublishedByAddress: json.Check<Readonly<Record<string, Published>>> = json.record(
  (address) => address.startsWith('http'),
  json.fields(OF_ADDRESS),
)
