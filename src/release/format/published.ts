// Owns the form of what a folder remembers of each address of --publish. Pure.
import { MONTH, RELEASE_ID } from './manifest.ts'
import { fieldsAre, matches, type Check } from './shape.ts'

/** Of one address. */
export interface Published {
  /** What was put there and may still be there: the sha256 of each manifest, by the name of its folder below releases/. */
  readonly releases: Readonly<Record<string, string>>
  /** The site has closed since: the log of days there ended with it. */
  readonly logIsOver: boolean
}

const entriesAre =
  (isKey: (key: string) => boolean, isValue: Check): Check =>
  (value) =>
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    Object.entries(value).every(([key, one]) => isKey(key) && isValue(one))

/** What was published, by address. */
export const isPublishedByAddress: Check = entriesAre(
  (address) => address.startsWith('http'),
  fieldsAre({
    releases: entriesAre((name) => RELEASE_ID.test(name) || MONTH.test(name), matches(/^[0-9a-f]{64}$/)),
    logIsOver: (value) => typeof value === 'boolean',
  }),
)
