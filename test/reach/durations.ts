// Owns how long test files take, as somebody has measured it: which come first, and how they are divided so that all parts end together.

/** Seconds by test file. */
export type Durations = Readonly<Record<string, number>>

/** A file that is not measured counts as slow: too early costs nothing, too late makes all others wait. */
export function secondsOf(durations: Durations, file: string): number {
  return durations[file] ?? Number.POSITIVE_INFINITY
}

/** Those that take as long stay in their order. */
export function slowestFirst<T>(items: readonly T[], seconds: (item: T) => number): T[] {
  return items
    .map((item) => [item, seconds(item)] as const)
    .sort(([, a], [, b]) => (a === b ? 0 : b - a))
    .map(([item]) => item)
}

/** In `count` parts, each file to the one that has least so far: the same for the same files, wherever it is computed. */
export function dividedIn(count: number, files: readonly string[], durations: Durations): string[][] {
  // What is not measured is as the slowest: several of these go to different parts.
  const slowest = Math.max(1, ...files.map((file) => durations[file] ?? 0))
  const seconds = (file: string): number => durations[file] ?? slowest
  const parts = Array.from({ length: count }, () => ({ files: [] as string[], seconds: 0 }))
  for (const file of slowestFirst([...files].sort(), seconds)) {
    const least = parts.reduce((a, b) => (b.seconds < a.seconds ? b : a))
    least.files.push(file)
    least.seconds += seconds(file)
  }
  return parts.map((part) => part.files)
}

/** A test runner's report of some files, put into what is known of others. */
export interface Report {
  readonly testResults: readonly { readonly name: string; readonly startTime: number; readonly endTime: number }[]
}

/** @param isThere whether there is such a test file still */
export function measured({ testResults }: Report, before: Durations, isThere: (file: string) => boolean): Durations {
  const now = testResults.map(({ name, startTime, endTime }) => {
    // Wherever it was measured.
    const file = name.slice(name.indexOf('test/'))
    return [file, Math.round((endTime - startTime) / 100) / 10] as const
  })
  const all = Object.entries({ ...before, ...Object.fromEntries(now) }).filter(([file]) => isThere(file))
  return Object.fromEntries(all.sort(([a], [b]) => (a < b ? -1 : 1)))
}
