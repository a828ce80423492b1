/// <reference lib="dom" />
// Owns what the page does where scripts run: it starts here. scripts/compile.js makes one file of this one and those it imports.
import type { ClientData } from '../client-data.ts'
import { IDS } from '../hooks.ts'
import { speechWith } from '../speech.ts'
import type { Names } from './category-search.ts'
import { startCopying } from './copying.ts'
import { startPickers } from './pickers.ts'
import { keepingPlace } from './place.ts'
import { sectionDrawer, type Scene } from './sections.ts'
import { makeSortable } from './tables.ts'
import { tooltips } from './tooltips.ts'

/** Releases come a little after they are due. */
const LATE_MS = 60_000

/** Says that the next data are overdue: only a clock knows. */
function markLate(body: HTMLElement, nowMs: number): void {
  const dueMs = Date.parse(body.dataset['nextUpdateAt'] ?? '')
  body.toggleAttribute('data-late', nowMs > dueMs + LATE_MS)
}

function sceneOf({ language, words, siteUrl, publicUrl, ranks }: ClientData, names: Names, root: string): Scene {
  return {
    t: speechWith(language, words),
    input: { siteUrl, publicUrl },
    root,
    ranks,
    choice: (key) => ({ key, name: names[key] ?? '' }),
  }
}

function start({ body }: Document): void {
  const late = (): void => markLate(body, Date.now())
  late()
  // A page can be looked at again after days.
  document.addEventListener('visibilitychange', late)
  const text = document.getElementById(IDS.data)?.textContent
  if (text === undefined || text === null) return
  const data = JSON.parse(text) as ClientData
  // Where there are many, they come later.
  const names = { ...data.names }
  const scene = sceneOf(data, names, body.dataset['root'] ?? '')
  const showValues = tooltips(scene)
  const enliven = (part: ParentNode): void => {
    // Charts first: they read their tables as they were built.
    part.querySelectorAll<SVGSVGElement>('svg[data-chart]').forEach(showValues)
    for (const table of part.querySelectorAll<HTMLTableElement>('table[data-sortable]')) makeSortable(scene, table)
  }
  enliven(document)
  startPickers(scene, names, sectionDrawer(scene, enliven))
  startCopying(scene)
  keepingPlace(() => body.toggleAttribute('data-live', true))
}

start(document)
