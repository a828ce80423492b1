// Owns which release is being served: looks for a new one, loads its manifest, keeps the last good one. Serves nothing.
import { categoryFinder, categoryKey } from '../../contract/category-name.ts'
import { combinations, snapshotPath } from '../../contract/snapshot-paths.ts'
import type { Log } from '../../process/log.ts'
import { isDemo, folderName, manifestText, type Manifest } from '../../release/format/manifest.ts'
import { ReleaseError } from '../../release/format/release-error.ts'
import type { StoredManifest } from '../../release/reading/release-reader.ts'
import { codedText } from '../answer/prepared-body.ts'
import type { SnapshotStore } from './snapshot-store.ts'

/** A release made ready for look-ups. */
export type LoadedRelease = Readonly<ReturnType<typeof loadRelease>>

export function loadRelease(manifest: Manifest, stored: StoredManifest | null = null) {
  const dataAsOfMs = Date.parse(manifest.dataAsOf)
  const nextUpdateAtMs = Date.parse(manifest.nextUpdateAt)
  const keys = new Map(manifest.categories.map(({ name, key }) => [name, key]))
  return {
    id: folderName(manifest),
    manifest,
    files: new Map(manifest.files.map((file) => [file.path, file])),
    /** The published name that a client means; null = there is none. */
    categoryMeant: categoryFinder([...keys.keys()]),
    /** The key of a published name, as the manifest has it. */
    keyOf: (name: string): string => keys.get(name) ?? categoryKey(name),
    dataAsOfMs,
    lastModified: new Date(dataAsOfMs).toUTCString(),
    nextUpdateAtMs,
    staleAtMs: dataAsOfMs + 2 * (nextUpdateAtMs - dataAsOfMs),
    /** The stored manifest of an older release: few ask for it, and 10,000 categories make 23 MB of it, so it is not kept as text. */
    stored,
    /**
     * The manifest as on disk. It is made once, because it takes milliseconds to write, and longer to compress; and coded
     * here, because not every builder and origin has it coded.
     */
    text: codedText(() => manifestText(manifest)),
  }
}

/** What an operator should be told once about a release. */
function* noticesOf({ manifest, files }: LoadedRelease): Generator<readonly [fields: object, message: string]> {
  if (isDemo(manifest)) yield [{}, 'this release is the demo: every number of it is invented']
  if (manifest.closed === true)
    yield [{}, 'the site is closed to visitors: every number is zero, older releases are 404']
  // The files of categories came with others, so they need no look.
  const absent = Array.from(combinations([]), (one) => snapshotPath(one)).filter((path) => !files.has(path))
  if (absent.length > 0)
    yield [
      { absent },
      'this release was made by an earlier version: requests for what it lacks get a 500 until a newer builder has run',
    ]
}

/** A look at a folder takes milliseconds, one at an origin that works hardly more. */
const BRIEFLY_MS = 2_000

export class ReleaseWatcher {
  readonly #store: SnapshotStore
  readonly #log: Log
  #release: LoadedRelease | null = null
  /** Why the newest release could not be loaded, or null; for the log, with its path. */
  #problem: Error | null = null
  #switches = 0
  #looking: Promise<void> | null = null
  #timer: NodeJS.Timeout | undefined
  #isStopped = false

  constructor(store: SnapshotStore, log: Log) {
    this.#store = store
    this.#log = log
  }

  get release(): LoadedRelease | null {
    return this.#release
  }

  /** Releases loaded so far. */
  get switches(): number {
    return this.#switches
  }

  /** What is wrong, for everybody: the log has the path or address. */
  get problem(): string | null {
    if (this.#problem === null) return null
    return this.#problem instanceof ReleaseError && this.#problem.code === 'damaged'
      ? 'the current release cannot be read: its manifest is missing or damaged'
      : 'the current release cannot be read just now'
  }

  /** Looks now, then again and again until stop(). Never rejects. */
  async start(): Promise<void> {
    this.#isStopped = false
    await this.look()
    this.#lookLater()
  }

  #lookLater(): void {
    // It was stopped while it looked: nobody would stop it a second time.
    if (this.#isStopped) return
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.look().then(() => this.#lookLater()), this.#store.lookAgainMs)
  }

  stop(): void {
    this.#isStopped = true
    clearTimeout(this.#timer)
  }

  /** One look; those who ask while one is under way share it. */
  look(): Promise<void> {
    this.#looking ??= this.#look().finally(() => {
      this.#looking = null
    })
    return this.#looking
  }

  /** Takes one look for a request that failed, but an origin that takes its time keeps no client waiting. */
  async lookBriefly(): Promise<void> {
    let timer: NodeJS.Timeout | undefined
    const enough = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, BRIEFLY_MS)
    })
    await Promise.race([this.look(), enough])
    clearTimeout(timer)
  }

  async #look(): Promise<void> {
    const wasStopped = this.#isStopped
    try {
      const manifest = await this.#store.current()
      if (this.#problem !== null) this.#log.info({}, 'releases can be read again')
      this.#problem = null
      // If `current` is gone while a release is loaded, somebody is moving folders; the last good one keeps serving.
      if (manifest === null || manifest === this.#release?.manifest) return
      const before = this.#release?.id ?? null
      this.#release = loadRelease(manifest)
      this.#switches += 1
      this.#log.info({ id: manifest.id, before }, 'serving release')
      for (const [fields, message] of noticesOf(this.#release)) this.#log.warn({ id: manifest.id, ...fields }, message)
    } catch (error) {
      // An error after stop() is expected, because the store is closed; later calls of look() still log errors.
      if (this.#isStopped && !wasStopped) return
      const problem = error as Error
      // It is logged once, not at every look.
      if (problem.message !== this.#problem?.message)
        this.#log.error(
          {},
          `${problem.message}; ${this.#release === null ? 'nothing to serve yet' : `still serving ${this.#release.id}`}`,
        )
      this.#problem = problem
    }
  }
}
