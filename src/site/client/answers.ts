/// <reference lib="dom" />
// Owns fetching files of the release: all that are asked for, of the same instant as the page, or none. Never asks the API.

/** The files belong to another release than the page. */
export class OtherInstant extends Error {}

export type Answers = ReadonlyMap<string, unknown>

/**
 * @param root from the page to the root of the release
 * @throws OtherInstant; anything else: a file could not be fetched
 */
export async function fetchAnswers(
  paths: readonly string[],
  root: string,
  dataAsOf: string,
  signal: AbortSignal,
): Promise<Answers> {
  const answers = await Promise.all(
    [...new Set(paths)].map(async (path): Promise<[string, unknown]> => {
      // What a cache kept can be of another release than the page.
      const response = await fetch(new URL(root + path, document.baseURI), { cache: 'no-cache', signal })
      if (!response.ok) throw new Error(`${path}: ${response.status}`)
      return [path, await response.json()]
    }),
  )
  if (answers.some(([, answer]) => (answer as { dataAsOf?: unknown }).dataAsOf !== dataAsOf)) throw new OtherInstant()
  return new Map(answers)
}
