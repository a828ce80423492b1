// Owns what binds a release to all else that its site publishes of the past: the releases before it, the log of days, the
// archives of months. What two of them say of one release must be the same. Reads what is there, changes nothing.
import type { HistoryRow } from '../../contract/kinds/history.ts'
import { snapshotPath } from '../../contract/snapshot-paths.ts'
import { some } from '../../process/printable.ts'
import { historyRowsOf } from '../checks/kinds/history.ts'
import { LOG_NAME, loggedDay, logLines, type LoggedDay } from '../format/day-log.ts'
import { isDemo, fileBytesOf, MANIFEST_NAME, manifestText, readAt, type Manifest } from '../format/manifest.ts'
import { onReleaseError } from '../format/release-error.ts'
import { jsonOf } from '../format/json-check.ts'
import type { FoundRelease } from '../reading/release-reader.ts'
import type { FoundFaults } from './file-reading.ts'
import { lineFault, orderFaults, savedLogFaults } from './verify-log.ts'

const HISTORY = snapshotPath({ endpoint: 'export', type: 'history', period: 'all', format: 'json' })
/** A hundred years of days. */
const MAX_HISTORY_BYTES = 8 << 20
/** Who serves them must not decide how many other manifests are read. */
const MAX_OTHERS = 1_000
/** After so many releases of the log that are not there, no older one is asked for. */
const MAX_GONE = 10

/** Empty = the release has no history that could be read. */
type Rows = readonly HistoryRow[]

export class SaidOfPast {
  readonly faults: string[] = []
  readonly #release: FoundRelease
  readonly #found: FoundFaults
  /** What was first said of the release of an instant, and where; the key has the instant and the thing that is said. */
  readonly #said = new Map<string, Readonly<Record<'value' | 'where', string>>>()
  readonly #known = new Set<string>()

  constructor(release: FoundRelease, found: FoundFaults) {
    this.#release = release
    this.#found = found
  }

  /** @param saved a copy of the log, or lines of it; null = there is none */
  async verify(saved: string | null): Promise<void> {
    const { reader, name, manifest } = this.#release
    const odd: string[] = []
    await this.#ask(() => reader.read(name, fileBytesOf(MANIFEST_NAME, manifestText(manifest))), odd)
    this.faults.push(...odd.map((fault) => `${fault}: not as it is written, such as with a key twice`))
    this.#sayManifest(manifest, MANIFEST_NAME)
    const rows = await this.#historyOf(name, manifest)
    for (const { dataAsOf, totalIdeas, totalVotes, totalComments } of rows)
      this.#say(dataAsOf, HISTORY, { ideas: totalIdeas, votes: totalVotes, comments: totalComments })
    await this.#before(rows)
    const days = await this.#log(saved)
    if (days === null) return
    await this.#others(days)
    for (const { date, id, sha256, rows: totals } of days)
      this.#say(readAt(id), `${LOG_NAME} of ${date}`, { id, manifest: sha256, ...totals })
    const isCurrent = (await reader.current(null).catch(() => null))?.manifest.id === manifest.id
    this.#compareDays(days, rows, isCurrent)
  }

  /** Each release before, until one that is not there: as the next one names it, its history the beginning of that one's. */
  async #before(own: Rows): Promise<void> {
    let [newer, rows] = [this.#release.manifest, own]
    if (newer.previous === undefined && own.length > 1)
      this.#found.notProved.push('releases before it: it names none, though its history has earlier days')
    while (newer.previous !== undefined && newer.previous.id < newer.id) {
      const { id, sha256 } = newer.previous
      this.#say(readAt(id), `previous of ${newer.id}`, { id, manifest: sha256 })
      const last = rows.at(-2)
      if (last !== undefined && last.dataAsOf > readAt(id))
        this.faults.push(`previous: ${id}, but the history has the release of ${last.dataAsOf} after it`)
      const older = await this.#other(id)
      if (older === null)
        return void this.#found.notProved.push(
          `${id} and what was before it: that is not there any more, or was not read`,
        )
      const before = await this.#historyOf(id, older)
      const other = isDemo(older) === isDemo(newer) ? firstOther(rows, before, older, newer) : undefined
      if (other !== undefined) this.faults.push(`${HISTORY} of ${newer.id}: its row of ${other} is not as ${id} has it`)
      ;[newer, rows] = [older, before]
    }
  }

  /** null = it is not there, or worthless by itself. */
  async #log(saved: string | null): Promise<readonly LoggedDay[] | null> {
    const { notProved, unread } = this.#found
    const text = await this.#ask(() => this.#release.reader.log(), this.faults, saved === null ? notProved : unread)
    if (text === undefined)
      (saved === null ? notProved : this.faults).push(
        `${LOG_NAME}: there is none: no day has ended, the site was closed meanwhile, or it was removed`,
      )
    if (text == null) return null
    const lines = logLines(text)
    const fault = lineFault(lines)
    this.faults.push(...(fault !== null ? [fault] : saved === null ? [] : savedLogFaults(saved, text)))
    return fault === null ? lines.slice(1).flatMap((line) => loggedDay(line) ?? []) : null
  }

  /** Manifests of the lines, also of what a rollback took back, and of the archives. */
  async #others(days: readonly LoggedDay[]): Promise<void> {
    let gone = 0
    for (const { id } of days.toReversed())
      if (!this.#known.has(id) && gone < MAX_GONE) gone = (await this.#other(id)) === null ? gone + 1 : 0
    for (const month of this.#release.manifest.months ?? [])
      if ((await this.#other(month)) === null) this.#found.notProved.push(`the archive of ${month}: that is not there`)
  }

  #compareDays(days: readonly LoggedDay[], rows: Rows, isCurrent: boolean): void {
    const { manifest } = this.#release
    const dates = new Map(rows.map(({ dataAsOf, date }) => [dataAsOf, date]))
    this.faults.push(...orderFaults(days, (id) => (isCurrent ? dates.get(readAt(id)) : undefined)))
    const logged = new Set(days.map(({ id }) => readAt(id)))
    const note = (found: readonly { readonly date: string }[], why: string): void => {
      const listed = found.map(({ date }) => date)
      if (found.length > 0) this.#found.notProved.push(`${LOG_NAME}: ${why}: ${some(listed, 3)}`)
    }
    note(
      rows.slice(0, -1).filter(({ dataAsOf }) => !logged.has(dataAsOf)),
      'it has no line of a release that the history has, of',
    )
    note(
      days.filter(({ id }) => rows.length > 0 && (isCurrent || id < manifest.id) && !dates.has(readAt(id))),
      'it has lines of releases that the history has not, taken back or invented, of',
    )
    note(
      days.filter(({ id }) => !this.#known.has(id)),
      'releases of its lines are not there any more, of',
    )
    if (days.every(({ id }) => id !== manifest.id))
      this.#found.notProved.push(
        `what only its manifest says (such as nextUpdateAt): no line of ${LOG_NAME} has it yet`,
      )
  }

  #sayManifest(manifest: Manifest, where: string): void {
    const { id, dataAsOf, month, rows } = manifest
    const { ideas, votes, comments } = rows
    this.#known.add(id)
    // The archive of a month has a manifest of its own.
    const own = month === undefined ? { id, manifest: fileBytesOf(MANIFEST_NAME, manifestText(manifest)).sha256 } : {}
    this.#say(dataAsOf, where, { ...own, ideas, votes, comments })
  }

  #say(dataAsOf: string, where: string, said: Readonly<Record<string, string | number>>): void {
    for (const [what, given] of Object.entries(said)) {
      const [key, value] = [`${dataAsOf} ${what}`, String(given)]
      const first = this.#said.get(key)
      if (first === undefined) this.#said.set(key, { value, where })
      else if (first.value !== value)
        this.faults.push(`${where}: ${what} of ${dataAsOf} is ${value}, but ${first.value} in ${first.where}`)
    }
  }

  /** null = it is not there, or damaged, or there were too many. */
  async #other(name: string): Promise<Manifest | null> {
    if (this.#known.size > MAX_OTHERS) return null
    const { manifest } = (await this.#ask(() => this.#release.reader.manifest(name, null))) ?? { manifest: null }
    if (manifest !== null) this.#sayManifest(manifest, `releases/${name}/${MANIFEST_NAME}`)
    return manifest
  }

  async #historyOf(name: string, { files }: Manifest): Promise<Rows> {
    const file = files.find(({ path }) => path === HISTORY)
    if (file === undefined || file.bytes > MAX_HISTORY_BYTES) return []
    const bytes = await this.#ask(() => this.#release.reader.read(name, file))
    return (bytes && historyRowsOf(jsonOf(bytes.toString('utf8')))) ?? []
  }

  /** undefined = it is absent; null = it is damaged or could not be read, which is noted. */
  async #ask<T>(
    read: () => Promise<T>,
    damaged: string[] = this.#found.notProved,
    unread: string[] = this.#found.notProved,
  ): Promise<T | null | undefined> {
    const note = onReleaseError(({ code, message }) => {
      if (code === 'absent') return undefined
      ;(code === 'unreadable' ? unread : damaged).push(message)
      return null
    })
    return read().catch(note)
  }
}

/** The first day before its own on which a history is not what that of the release before says. */
function firstOther(rows: Rows, before: Rows, older: Manifest, newer: Manifest): string | undefined {
  const own = rows.at(-1)
  if (own === undefined || before.length === 0) return undefined
  const [kept, expected] = [rows.slice(0, -1), before.filter(({ date }) => date < own.date)]
  // People are published again as the newer one publishes them.
  const people = older.options.people === newer.options.people ? {} : { totalUsers: null }
  const longer = kept.length > expected.length ? kept : expected
  return longer.find(
    (_, i) => JSON.stringify({ ...kept[i], ...people }) !== JSON.stringify({ ...expected[i], ...people }),
  )?.date
}
