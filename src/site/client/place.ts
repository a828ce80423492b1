/// <reference lib="dom" />
// Owns that what a reader looks at stays where it is while parts of the page above it become longer or shorter. Browsers lose
// their own anchor when a section is replaced, so the style sheet turns it off.

/** The pickers, or a heading: what is replaced has the same identifier. */
const MARKS = '[data-pickers], section[data-section] h2'

export function keepingPlace(change: () => void): void {
  const mark = markInView()
  const before = mark === null ? 0 : topOf(mark)
  change()
  if (mark !== null) scrollBy({ top: topOf(mark) - before, behavior: 'instant' })
}

/** The first of which something is seen; where none is, the one of what is read. */
function markInView(): Element | null {
  let last: Element | null = null
  for (const mark of document.querySelectorAll(MARKS)) {
    const { top, bottom } = mark.getBoundingClientRect()
    if (top >= innerHeight) break
    last = mark
    if (bottom > 0) break
  }
  return last
}

function topOf(mark: Element): number {
  return (document.getElementById(mark.id) ?? mark).getBoundingClientRect().top
}
