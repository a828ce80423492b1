/// <reference lib="dom" />
// Owns the values that a chart shows under a pointer or at the keys: those of its table.
import { element } from './copying.ts'

type Point = ReturnType<typeof pointsOf>[number]

const KEYS: Readonly<Record<string, (at: number, last: number) => number>> = {
  ArrowLeft: (at) => at - 1,
  ArrowRight: (at) => at + 1,
  Home: () => 0,
  End: (_, last) => last,
}

/** @param keys says what the arrow keys do. @returns a function that makes a chart show its values */
export function tooltips(keys: string): (chart: SVGSVGElement) => void {
  document.body.insertAdjacentHTML(
    'beforeend',
    '<p id="chart-keys" hidden></p><div class="tip" aria-hidden="true" hidden></div><p class="visually-hidden" aria-live="polite" data-tip-said></p>',
  )
  document.getElementById('chart-keys')?.append(keys)
  const tip = document.querySelector<HTMLElement>('.tip')
  const said = document.querySelector('[data-tip-said]')
  const guide = document.createElementNS('http://www.w3.org/2000/svg', 'line')
  guide.setAttribute('class', 'guide')
  const hide = (): void => {
    tip?.toggleAttribute('hidden', true)
    guide.remove()
  }
  document.addEventListener('keydown', ({ key }) => key === 'Escape' && hide())

  const show = (chart: SVGSVGElement, points: readonly Point[], at: number, isSaid: boolean): void => {
    const point = points[at]
    if (point === undefined || tip === null || said === null) return
    const lines = point.values.map(([name, value]) => element('span', `${name}: `, element('b', value)))
    tip.replaceChildren(element('span', point.name), ...lines)
    tip.hidden = false
    if (isSaid) said.textContent = `${point.name}: ${point.values.map((value) => value.join(' ')).join(', ')}`
    const x = `${((at + 0.5) / points.length) * 100}%`
    for (const [name, value] of Object.entries({ x1: x, x2: x, y1: '0', y2: '100%' })) guide.setAttribute(name, value)
    chart.append(guide)
    const box = chart.getBoundingClientRect()
    const middle = box.left + ((at + 0.5) / points.length) * box.width - tip.offsetWidth / 2
    const left = Math.max(4, Math.min(middle, document.documentElement.clientWidth - tip.offsetWidth - 4))
    tip.style.left = `${left + scrollX}px`
    tip.style.top = `${box.top + scrollY - tip.offsetHeight}px`
  }

  return (chart) => {
    const points = pointsOf(chart)
    if (points.length === 0) return
    const last = points.length - 1
    let at = last
    chart.setAttribute('tabindex', '0')
    chart.setAttribute('aria-describedby', 'chart-keys')
    const point = ({ clientX }: PointerEvent): void => {
      const { left, width } = chart.getBoundingClientRect()
      at = Math.max(0, Math.min(last, Math.floor(((clientX - left) / width) * points.length)))
      show(chart, points, at, false)
    }
    chart.addEventListener('pointermove', point)
    chart.addEventListener('pointerdown', point)
    // After a tap it stays until the next one elsewhere.
    chart.addEventListener('pointerleave', ({ pointerType }) => pointerType === 'mouse' && hide())
    chart.addEventListener('blur', hide)
    chart.addEventListener('keydown', (event) => {
      const move = KEYS[event.key]
      if (move === undefined) return
      event.preventDefault()
      at = guide.parentNode === chart ? Math.max(0, Math.min(last, move(at, last))) : event.key === 'Home' ? 0 : last
      show(chart, points, at, true)
    })
  }
}

/**
 * The name of each point, and its values with their names, in the order of time; the table is newest first, and can be
 * sorted later.
 */
function pointsOf(chart: SVGSVGElement) {
  const [id = '', columns = ''] = (chart.dataset['chart'] ?? '').split('/')
  const table = chart.closest('section')?.querySelector<HTMLTableElement>(`#${id}`)
  const rows = [...(table?.tBodies[0]?.rows ?? [])].slice(-Number(chart.dataset['points'] ?? 0)).reverse()
  const text = (cell: Element | undefined): string => cell?.textContent ?? ''
  const heads = table?.tHead?.rows[0]?.cells
  return rows.map(({ cells }) => ({
    name: text(cells[0]),
    values: columns.split(',').map((column) => [text(heads?.[Number(column)]), text(cells[Number(column)])] as const),
  }))
}
