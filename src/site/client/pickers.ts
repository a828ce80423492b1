/// <reference lib="dom" />
// Owns the pickers: what is chosen, its place in the address of the page, and that all numbers on the screen are of one instant.
import type { Period } from '../../contract/windows.ts'
import { categoryName } from '../drawing.ts'
import { fetchAnswers, OtherInstant, type Answers } from './answers.ts'
import { keyOf, loadNames, offer, type Names } from './category-search.ts'
import { cutTitle } from '../titles.ts'
import { keepingPlace } from './place.ts'
import type { Scene } from './sections.ts'
import { AS_BUILT, partsOf, searchWith, selectionOf, type Part, type Selection, type Usual } from './selection.ts'

/** In the state of the history: the page was loaded again because its numbers and those of a file were of two instants. */
interface State {
  readonly again?: true
}

export function startPickers(
  scene: Scene,
  names: Names,
  draw: (parts: readonly Part[], answers: Answers) => void,
): void {
  const { t, root } = scene
  const controls = controlsOf(document, scene, names)
  if (controls === null) return
  const load = (signal: AbortSignal): Promise<void> =>
    controls.search === null ? Promise.resolve() : loadNames(names, root, document.body.dataset['asOf'] ?? '', signal)
  const usual = usualPeriods()
  const isKnown = (key: string): boolean => Object.hasOwn(names, key)
  let shown: Selection = AS_BUILT
  let again = (history.state as State | null)?.again === true
  let last = new AbortController()

  /** @param isNew chosen now: an entry of the history is made for it */
  const show = async (search: () => string, isNew: boolean): Promise<void> => {
    last.abort()
    last = new AbortController()
    const { signal } = last
    controls.say(t.w.client.loading)
    let wanted = shown
    const enter = (state: State): void =>
      isNew ? history.pushState(state, '', addressOf(wanted)) : history.replaceState(state, '')
    try {
      if (categoryIn(search()) !== '') await load(signal)
      wanted = selectionOf(search(), isKnown)
      const unknown = unknownIn(scene, search(), wanted)
      if (unknown !== '' && isNew) return controls.refuse(unknown)
      const parts = partsOf(wanted, usual)
      const files = parts.flatMap((part) => part.files)
      const answers = await fetchAnswers(files, root, document.body.dataset['asOf'] ?? '', signal)
      if (signal.aborted) return
      keepingPlace(() => draw(parts, answers))
      shown = wanted
      // Without a file, the instants were not compared.
      again &&= files.length === 0
      enter(again ? { again } : {})
      controls.set(shown)
      carryOver()
      controls.say(`${unknown} ${t.say(t.w.client.shown, controls.texts())}`)
    } catch (error) {
      if (signal.aborted) return
      if (error instanceof OtherInstant && !again) {
        enter({ again: true })
        return location.reload()
      }
      controls.set(shown)
      controls.say(error instanceof OtherInstant ? t.w.page.mixed : t.w.client.failed)
    }
  }

  controls.whenChosen((search) => void show(search, true))
  addEventListener('popstate', () => void show(inAddress, false))
  offerNames(scene, names, controls.search, load)
  const first = selectionOf(inAddress(), isKnown)
  controls.set(first)
  if (first.period !== null || categoryIn(inAddress()) !== '') void show(inAddress, false)
}

function inAddress(): string {
  return location.search
}

/** What is said of a category that there is not. */
function unknownIn({ t }: Scene, search: string, { category }: Selection): string {
  const name = cutTitle(categoryIn(search))
  return name === '' || category !== null ? '' : t.say(t.w.client.unknown, { name })
}

/** Whether or not it is known, and known yet. */
function categoryIn(search: string): string {
  return new URLSearchParams(search).get('category') ?? ''
}

/** What fails here is said when a name is chosen. */
function offerNames(
  scene: Scene,
  names: Names,
  search: HTMLInputElement | null,
  load: (signal: AbortSignal) => Promise<void>,
): void {
  if (search === null) return
  const shown = (): void => offer(scene, names, search)
  search.addEventListener('focus', () => {
    load(new AbortController().signal).then(shown, () => undefined)
  })
  search.addEventListener('input', shown)
}

interface Controls {
  /** Where there are too many categories for a list. */
  readonly search: HTMLInputElement | null
  set(to: Selection): void
  say(text: string): void
  /** What was typed stays there, to be corrected. */
  refuse(text: string): void
  texts(): { readonly period: string; readonly category: string }
  /** @param done is given the choice as the query of an address, in which a category is a key once its name is known */
  whenChosen(done: (search: () => string) => void): void
}

function controlsOf(page: ParentNode, scene: Scene, names: Names): Controls | null {
  const period = page.querySelector<HTMLSelectElement>('select[data-pick="period"]')
  const category = page.querySelector<HTMLSelectElement | HTMLInputElement>('[data-pick="category"]')
  const said = page.querySelector('[data-said]')
  if (period === null || category === null || said === null) return null
  const search = category instanceof HTMLInputElement ? category : null
  const text = (control: HTMLSelectElement | HTMLInputElement): string =>
    control instanceof HTMLInputElement
      ? control.value || control.placeholder
      : (control.selectedOptions[0]?.text ?? '')
  const say = (words: string): void => keepingPlace(() => void (said.textContent = words))
  return {
    search,
    set(to) {
      category.removeAttribute('aria-invalid')
      period.value = to.period ?? ''
      const name = names[to.category ?? '']
      category.value = search === null ? (to.category ?? '') : name === undefined ? '' : categoryName(scene, name)
    },
    say,
    refuse(words) {
      category.setAttribute('aria-invalid', 'true')
      say(words)
    },
    texts: () => ({ period: text(period), category: text(category) }),
    whenChosen(done) {
      const choose = (): void => {
        const [during, typed] = [period.value, category.value]
        done(() => {
          const key = search === null || typed === '' ? typed : keyOf(scene, names, typed)
          return new URLSearchParams({ period: during, category: key }).toString()
        })
      }
      period.addEventListener('change', choose)
      category.addEventListener('change', choose)
    },
  }
}

function addressOf(selection: Selection): string {
  return location.pathname + searchWith(location.search, selection) + location.hash
}

/** As the page was built. */
function usualPeriods(): Usual {
  const of = (id: string): Period => document.getElementById(id)?.dataset['period'] as Period
  return { activity: of('activity'), trending: of('trending'), categories: of('categories') }
}

/** The same in another language. */
function carryOver(): void {
  for (const link of document.querySelectorAll<HTMLAnchorElement>('.languages a')) link.search = location.search
}
