// Owns the form of the journal: what a line says, and what all of them together say of the past. Pure.
import { short } from '../../process/printable.ts'
import { LOGGED_DAY, type LoggedDay } from '../format/day-log.ts'
import { RELEASE_ID } from '../format/manifest.ts'
import { ReleaseError } from '../format/release-error.ts'
import * as json from '../format/json-check.ts'
import { releaseBefore } from '../reading/release-list.ts'

const isId = json.matching(RELEASE_ID)
const PIN = { since: json.isText, id: json.isText }
const TAKEN = {
  id: isId,
  /** The rows of what had changed in past numbers, as they were published; not checked. */
  revisions: json.arrayOf((_row): _row is unknown => true),
}
const LINE = {
  /** When it was written, by the clock of the builder; absent in a line that stands for others. */
  at: json.orAbsent(json.isText),
  /** The release that becomes current with it. */
  id: json.orAbsent(isId),
  /** The one whose history that release carries on; null = its history begins with it. */
  from: json.orAbsent(json.nullOr(isId)),
  /** The days that ended, or on which a rollback was done. */
  days: json.orAbsent(json.arrayOf(json.fields(LOGGED_DAY))),
  /** Null = builds publish again. */
  pin: json.orAbsent(json.nullOr(json.fields(PIN))),
  taken: json.orAbsent(json.fields(TAKEN)),
}
const isLine = json.fields(LINE)

export type Line = Partial<json.ObjectOf<typeof LINE>>
/** What a rollback leaves until it is resumed. */
export type Pin = json.ObjectOf<typeof PIN>
/** The last release that a rollback took back, with its rows of `revisions`: they were public. */
export type Taken = json.ObjectOf<typeof TAKEN>
/** For each release the one whose history it carries on; null = its history begins with it. */
export type Lineage = ReadonlyMap<string, string | null>

export interface JournalState {
  /** The release that became current last. */
  readonly last: string | null
  readonly lineage: Lineage
  readonly days: readonly LoggedDay[]
  readonly pin: Pin | null
  readonly taken: Taken | null
}

export const EMPTY_JOURNAL: JournalState = { last: null, lineage: new Map(), days: [], pin: null, taken: null }

export function textOf(lines: readonly Line[]): string {
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('')
}

/**
 * @returns also whether a last line is torn, which then says nothing: by a killed process, a full disk or a power cut
 * @throws ReleaseError (unreadable) that names any other line that is none
 */
export function linesIn(text: string, path: string): { readonly lines: readonly Line[]; readonly isTorn: boolean } {
  const texts = text.split('\n')
  const isCut = texts.pop() !== ''
  const lines = texts.map((one) => {
    const value = one.startsWith('{') ? json.jsonOf(one) : undefined
    return value !== undefined && isLine(value) ? value : null
  })
  const isTorn = isCut || lines.at(-1) === null
  const damaged = lines.indexOf(null)
  // Only the last one is torn by itself.
  const isOnlyLast = !isCut && damaged === lines.length - 1
  if (damaged < 0 || isOnlyLast) return { lines: lines.flatMap((line) => line ?? []), isTorn }
  const line = `line ${damaged + 1} is damaged: ${short(texts[damaged] ?? '', 60)}`
  throw new ReleaseError('unreadable', `${path}: ${line}; ${INSTEAD}`)
}

export const INSTEAD =
  'put it back from a backup; or, if that cannot be, move it away and build once with --accept-revision: builds are not pinned then'

/**
 * What lines say together.
 * @param counts whether the release of the last one became current. If not, as after a kill just before the switch, what it says of
 *   that release is true all the same, and so is its pin: a rollback that was cut short pins
 */
export function stateOf(lines: readonly Line[], counts = true): JournalState {
  const lineage = new Map<string, string | null>()
  const days: LoggedDay[] = []
  let { last, pin, taken } = EMPTY_JOURNAL
  for (const [i, line] of lines.entries()) {
    if (line.id !== undefined && line.from !== undefined) lineage.set(line.id, line.from)
    if (line.pin !== undefined) pin = line.pin
    if (i === lines.length - 1 && !counts) break
    last = line.id ?? last
    taken = line.taken ?? taken
    for (const day of line.days ?? []) days.push(day)
  }
  return { last, lineage, days, pin, taken }
}

/**
 * As few lines as say the same: one for each day, and one for each release that is there.
 * @param releases that are there
 */
export function linesOf({ last, lineage, days, pin, taken }: JournalState, releases: readonly string[]): Line[] {
  const there = new Set(releases)
  /** The nearest one that was not removed, as far as that is known. */
  const nearest = (id: string | null): string | null =>
    id === null ? null : ([...lineageOf(id, [], lineage)].find((one) => there.has(one) || !lineage.has(one)) ?? null)
  const kept = [...lineage].filter(([id]) => there.has(id))
  return [
    ...days.map((day) => ({ days: [day] })),
    ...kept.map(([id, from]) => ({ id, from: nearest(from) })),
    ...(taken !== null && last !== null && taken.id > last ? [{ taken }] : []),
    ...(pin === null ? [] : [{ pin }]),
    ...(last === null ? [] : [{ id: last }]),
  ]
}

/**
 * A release and those whose history it carries on, newest first. What a rollback took back, and what a killed build left
 * without making it current, is in no lineage of a later release. Where none is noted, as in a copy, it is the release
 * before in time.
 * @param start need not exist any more
 */
export function* lineageOf(start: string, releases: readonly string[], lineage: Lineage): Generator<string> {
  const seen = new Set<string>()
  for (let id: string | null = start; id !== null && !seen.has(id);) {
    seen.add(id)
    yield id
    const noted = lineage.get(id)
    id = noted === undefined ? releaseBefore(id, releases) : noted
  }
}
