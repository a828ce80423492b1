/// <reference lib="dom" />
// Owns what the page does where scripts run. One ES module that imports nothing at run time.

/** Releases come a little after they are due. */
const LATE_MS = 60_000

/** Says that the next data are overdue: only a clock knows. */
function markLate(body: HTMLElement, nowMs: number): void {
  const dueMs = Date.parse(body.dataset['nextUpdateAt'] ?? '')
  body.toggleAttribute('data-late', nowMs > dueMs + LATE_MS)
}

markLate(document.body, Date.now())
