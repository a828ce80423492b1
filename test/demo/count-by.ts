// How many rows of the demo platform have the same key.
export const countBy = <T>(rows: readonly T[], key: (row: T) => unknown): Map<unknown, number> => {
  const counts = new Map<unknown, number>()
  for (const row of rows) counts.set(key(row), (counts.get(key(row)) ?? 0) + 1)
  return counts
}
