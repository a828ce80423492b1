// Owns what CHANGELOG.md says of one version.

/** @returns the lines below its heading `## VERSION` or `## VERSION - DATE`, up to the next one; undefined = it has none */
export function chapterOf(version, changelog) {
  const [, ...chapters] = changelog.split(/^## /m)
  for (const chapter of chapters) {
    const [heading, name, date = null] = /^(\S+)(?: - (\d{4}-\d\d-\d\d))?\n/.exec(chapter) ?? []
    if (name === version) return { date, text: chapter.slice(heading.length).trim() }
  }
  return undefined
}
