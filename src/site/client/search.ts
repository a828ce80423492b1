/// <reference lib="dom" />
// Owns the search over titles: it asks for the files at the first letter, one after the other, and shows hits as they come. Nothing
// of what is looked for leaves the page.
import type { SearchRow } from '../../contract/search-files.ts'
import { element } from './copying.ts'

const SHOWN = 50

/** Letters without a mark to remove, an apostrophe and a hyphen: each before what it is taken for. */
const ALIKE = new Map("łl øo æae œoe ßss đd ðd ħh ıi ŧt þth ςσ ’' ‐-".split(' ').map((one) => [one[0], one.slice(1)]))

/** A text in one line, without case, accents, and what no reader sees, such as a soft hyphen. */
export function unaccented(text: string): string {
  const plain = text.normalize('NFKD').toLowerCase().replaceAll(/\s+/g, ' ')
  return plain.replaceAll(/[\p{M}\p{Cf}]/gu, '').replaceAll(/[^ -~]/g, (letter) => ALIKE.get(letter) ?? letter)
}

export function startSearch(search: HTMLElement): void {
  const { locale, vote = '', votes = '', none = '', found = '', searching = '', failed = '', ...given } = search.dataset
  const [field, list] = [search.querySelector('input'), search.querySelector('ul')]
  const number = new Intl.NumberFormat(locale, { useGrouping: 'always' })
  const plurals = new Intl.PluralRules(locale)
  const date = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' })
  const titles: (readonly [unaccented: string, row: SearchRow])[] = []
  let loaded = 0
  /** Why ideas are missing; '' = none is. */
  let missing = ''

  const entry = ([title, n, status, day, address]: SearchRow): HTMLElement => {
    const name = element('bdi', title)
    const linked = address === '' ? name : Object.assign(element('a', name), { href: address })
    // In French, only the first day of a month has an ordinal number, which Intl does not write.
    const on = day && date.format(new Date(day)).replace(/^1 (?=\p{L}+ \d)/u, locale === 'fr-FR' ? '1er ' : '$&')
    const voted = (plurals.select(n) === 'one' ? vote : votes).replace('{n}', number.format(n))
    const known = [voted, status, on && (given['on'] ?? '').replace('{date}', on)].filter((text) => text !== '')
    const meta = Object.assign(element('p', ...known.map((text) => element('bdi', text))), { className: 'meta' })
    return element('li', Object.assign(element('div', element('h3', linked), meta), { className: 'idea' }))
  }
  const wanted = (): readonly string[] => unaccented(field?.value ?? '').match(/\S+/g) ?? []
  /** Adds hits of what has come since: who has gone on to a hit stays there. */
  const show = (): void => {
    const words = wanted()
    const hits = titles.filter(([title]) => words.length > 0 && words.every((word) => title.includes(word)))
    list?.append(...hits.slice(list.childElementCount, SHOWN).map(([, row]) => entry(row)))
    const [n, shown] = [hits.length, Math.min(hits.length, SHOWN)].map((one) => number.format(one))
    const counted = found.replace('{n}', n ?? '').replace('{shown}', shown ?? '')
    const said = hits.length > 0 ? `${counted} ${missing}` : missing || none
    search.querySelector('[role=status]')?.replaceChildren(words.length > 0 ? said : '')
  }
  const load = async (): Promise<void> => {
    missing = searching
    try {
      for (; loaded < Number(given['files']); loaded++) {
        const answer = await fetch(`${given['search'] ?? ''}${loaded + 1}.json`)
        // What is no list of ideas throws, too.
        for (const row of (await answer.json()) as SearchRow[]) titles.push([unaccented(row[0]), row])
        show()
      }
      missing = ''
    } catch {
      missing = failed
    }
    show()
  }
  field?.addEventListener('input', () => {
    if (wanted().length > 0 && loaded < Number(given['files']) && missing !== searching) void load()
    list?.replaceChildren()
    show()
  })
}
