/// <reference lib="dom" />
// Owns the pickers: what is chosen, its place in the address of the page, and that all numbers on the screen are of one instant.
import type { Period } from '../../contract/windows.ts'
import { fetchAnswers, OtherInstant, type Answers } from './answers.ts'
import type { Scene } from './sections.ts'
import { AS_BUILT, partsOf, searchWith, selectionOf, type Part, type Selection, type Usual } from './selection.ts'

/** In the state of the history: the page was loaded again because its numbers and those of a file were of two instants. */
interface State {
  readonly again?: true
}

export function startPickers(
  { t, root }: Scene,
  names: Readonly<Record<string, string>>,
  draw: (parts: readonly Part[], answers: Answers) => void,
): void {
  const controls = controlsOf(document)
  if (controls === null) return
  const usual = usualPeriods()
  const isKnown = (key: string): boolean => Object.hasOwn(names, key)
  let shown: Selection = AS_BUILT
  let again = (history.state as State | null)?.again === true
  let last = new AbortController()

  /** @param isNew chosen now: an entry of the history is made for it */
  const show = async (wanted: Selection, isNew: boolean): Promise<void> => {
    last.abort()
    last = new AbortController()
    const { signal } = last
    controls.say(t.w.client.loading)
    const enter = (state: State): void =>
      isNew ? history.pushState(state, '', addressOf(wanted)) : history.replaceState(state, '')
    try {
      const parts = partsOf(wanted, usual)
      const files = parts.flatMap((part) => part.files)
      const answers = await fetchAnswers(files, root, document.body.dataset['asOf'] ?? '', signal)
      if (signal.aborted) return
      draw(parts, answers)
      shown = wanted
      // Without a file, the instants were not compared.
      again &&= files.length === 0
      enter(again ? { again } : {})
      controls.set(shown)
      carryOver()
      controls.say(t.say(t.w.client.shown, controls.texts()))
    } catch (error) {
      if (signal.aborted) return
      if (error instanceof OtherInstant && !again) {
        enter({ again: true })
        location.reload()
        return
      }
      controls.set(shown)
      controls.say(error instanceof OtherInstant ? t.w.page.mixed : t.w.client.failed)
    }
  }

  const inAddress = (): Selection => selectionOf(location.search, isKnown)
  controls.whenChosen((search) => void show(selectionOf(search, isKnown), true))
  addEventListener('popstate', () => void show(inAddress(), false))
  const first = inAddress()
  controls.set(first)
  if (first.period !== null || first.category !== null) void show(first, false)
}

interface Controls {
  set(to: Selection): void
  say(text: string): void
  texts(): { readonly period: string; readonly category: string }
  /** @param done is given the choice as the query of an address */
  whenChosen(done: (search: string) => void): void
}

function controlsOf(page: ParentNode): Controls | null {
  const picker = (name: string): HTMLSelectElement | null => page.querySelector(`select[data-pick="${name}"]`)
  const [period, category] = [picker('period'), picker('category')]
  const said = page.querySelector('[data-said]')
  if (period === null || category === null || said === null) return null
  const text = ({ selectedOptions }: HTMLSelectElement): string => selectedOptions[0]?.text ?? ''
  return {
    set(to) {
      period.value = to.period ?? ''
      category.value = to.category ?? ''
    },
    say: (words) => void (said.textContent = words),
    texts: () => ({ period: text(period), category: text(category) }),
    whenChosen(done) {
      const choose = (): void =>
        done(new URLSearchParams({ period: period.value, category: category.value }).toString())
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
