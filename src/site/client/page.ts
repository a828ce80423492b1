/// <reference lib="dom" />
// Owns what the page does where scripts run: it starts here. scripts/compile.js makes one file of this one and those it imports.
import type { Scene } from '../client-data.ts'
import { IDS } from '../hooks.ts'
import { startCopying } from './copying.ts'
import { makeSortable } from './tables.ts'
import { tooltips } from './tooltips.ts'

/** Releases come a little after they are due. */
const LATE_MS = 60_000

/** Says that the next data are overdue: only a clock knows. */
function markLate(body: HTMLElement, nowMs: number): void {
  const dueMs = Date.parse(body.dataset['nextUpdateAt'] ?? '')
  const said = body.querySelector<HTMLElement>('.late')
  if (said !== null) said.textContent = nowMs > dueMs + LATE_MS ? (said.dataset['text'] ?? '') : ''
}

/** To the page that is nearest to what `?period=` and `&category=` once chose on this one. */
function forward(): void {
  const given = new URLSearchParams(location.search)
  const views = ['category', 'period'].map((name) => given.get(name))
  const links = [...document.querySelectorAll<HTMLAnchorElement>('a[data-view]')]
  const link = views.flatMap((view) => links.find(({ dataset }) => dataset['view'] === view) ?? [])[0]
  if (link !== undefined) location.replace(link.href)
}

function start({ body }: Document): void {
  const late = (): void => markLate(body, Date.now())
  late()
  // A page can be looked at again after days.
  document.addEventListener('visibilitychange', late)
  const text = document.getElementById(IDS.data)?.textContent
  if (text === undefined || text === null) return
  forward()
  const scene = JSON.parse(text) as Scene
  // Charts first: they read their tables as they were built.
  document.querySelectorAll<SVGSVGElement>('svg[data-chart]').forEach(tooltips(scene))
  for (const table of document.querySelectorAll<HTMLTableElement>('table[data-sortable]')) makeSortable(scene, table)
  startCopying(scene)
  body.toggleAttribute('data-live', true)
}

start(document)
