// Owns the form of what a folder remembers of each address of --publish. Pure.
import { SERVED_FOLDER } from './manifest.ts'
import * as is from './shape.ts'

const OF_ADDRESS = {
  /** What was put there and may still be there: the sha256 of each manifest, by the name of its folder below releases/. */
  releases: is.record((name) => SERVED_FOLDER.test(name), is.matching(/^[0-9a-f]{64}$/)),
  /** The site has closed since: the log of days there ended with it. */
  logIsOver: is.flag,
}

/** Of one address. */
export type Published = is.ObjectOf<typeof OF_ADDRESS>

/** What was published, by address. */
export const isPublishedByAddress: is.Check<Readonly<Record<string, Published>>> = is.record(
  (address) => address.startsWith('http'),
  is.object(OF_ADDRESS),
)
