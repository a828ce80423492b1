/// <reference lib="dom" />
// Owns sorting tables: a button in the head of each column, and what a cell is worth.

type Order = 'ascending' | 'descending'

/** Gives each column a button. @param few what few people are called, in the language of the page */
export function makeSortable(few: string, language: string, table: HTMLTableElement): void {
  const heads = [...table.querySelectorAll('thead th')]
  const [body] = table.tBodies
  if (body === undefined) return
  const built = [...body.rows]
  const numberOf = numberReader(few, language)
  const text = (row: HTMLTableRowElement, column: number): string => row.cells[column]?.textContent ?? ''
  const sort = (column: number, order: Order): void => {
    const isTime = column === 0 && table.dataset['sortable'] === 'time'
    const isNumber = heads[column]?.classList.contains('n') === true
    const worth = (row: HTMLTableRowElement): number | string | null => {
      if (isTime) return -built.indexOf(row)
      return isNumber ? numberOf(text(row, column)) : text(row, column)
    }
    body.append(...sorted(built, worth, order, language))
    for (const [i, head] of heads.entries())
      if (i === column) head.setAttribute('aria-sort', order)
      else head.removeAttribute('aria-sort')
  }
  for (const [column, head] of heads.entries()) {
    const button = document.createElement('button')
    button.type = 'button'
    button.className = 'sort'
    button.append(...head.childNodes)
    button.addEventListener('click', () => {
      const before = head.getAttribute('aria-sort')
      // Readers look for the most first; in names, for the first.
      const first: Order = head.classList.contains('n') ? 'descending' : 'ascending'
      const other: Order = first === 'ascending' ? 'descending' : 'ascending'
      sort(column, before === first ? other : first)
    })
    head.append(button)
  }
}

/** Sorts rows: those without a value are last in both orders; equal ones keep theirs. */
export function sorted<T>(
  rows: readonly T[],
  worth: (row: T) => number | string | null,
  order: Order,
  language: string,
): T[] {
  const names = new Intl.Collator(language, { numeric: true })
  const sign = order === 'ascending' ? 1 : -1
  const keyed = rows.map((row) => ({ row, key: worth(row) }))
  return keyed
    .sort(({ key: a }, { key: b }) => {
      if (a === null || b === null) return Number(a === null) - Number(b === null)
      return sign * (typeof a === 'number' && typeof b === 'number' ? a - b : names.compare(String(a), String(b)))
    })
    .map(({ row }) => row)
}

/** Reads the number in a text of the page, and of "2 of 5" the percentage; null = there is none, such as in “not yet”. */
export function numberReader(few: string, language: string): (text: string) => number | null {
  const form = new Intl.NumberFormat(language, { useGrouping: 'always' })
  const [group = '', decimal = ''] = form.format(1234.5).replaceAll(/\d/g, '')
  return (text) => {
    // A text such as "1 to 7" counts as 1.
    if (text === few) return 1
    const digits = text.replaceAll(/\s/g, '').replaceAll(group, '').replace(decimal, '.')
    const [, found, all] = /^\D*?(\d+(?:\.\d+)?)(?:\D+(\d+))?\D*$/.exec(digits) ?? []
    if (found === undefined) return null
    if (all !== undefined) return (100 * Number(found)) / Number(all)
    return /^[-\u2212]\d/.test(digits) ? -Number(found) : Number(found)
  }
}
