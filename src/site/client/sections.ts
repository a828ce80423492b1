/// <reference lib="dom" />
// Owns the sections that a selection changes: drawn from answers by the functions of the build, or as they were built.
import type { CategoriesDocument } from '../../contract/kinds/categories.ts'
import type { CategoryFile } from '../../contract/kinds/tables.ts'
import type { TrendingDocument } from '../../contract/kinds/trending.ts'
import type { ClientData } from '../client-data.ts'
import type { Choice, Drawing } from '../drawing.ts'
import type { Markup } from '../html.ts'
import { activityOf } from '../sections/activity.ts'
import { categoriesOf } from '../sections/categories.ts'
import { outcomesOf } from '../sections/outcomes.ts'
import { trendingOf } from '../sections/trending.ts'
import type { Answers } from './answers.ts'
import { elementsOf } from './elements.ts'
import type { Part } from './selection.ts'

export interface Scene extends Drawing {
  readonly ranks: ClientData['ranks']
  readonly choice: (key: string) => Choice
}

/** @param enliven is given each new section */
export function sectionDrawer(
  scene: Scene,
  enliven: (section: HTMLElement) => void,
): (parts: readonly Part[], answers: Answers) => void {
  const built = new Map<string, HTMLElement>()
  for (const section of document.querySelectorAll<HTMLElement>('section[data-section]')) built.set(section.id, section)
  return (parts, answers) => {
    // First all that can fail.
    const drawn = new Map(parts.map((part) => [part.section as string, drawnOf(scene, part, answers)]))
    for (const [id, own] of built) {
      const [shown, wanted] = [document.getElementById(id), drawn.get(id) ?? own]
      if (shown === null || shown === wanted) continue
      if (wanted !== own) enliven(wanted)
      keepFolds(shown, wanted)
      shown.replaceWith(wanted)
    }
  }
}

function drawnOf(scene: Scene, part: Part, answers: Answers): HTMLElement {
  const section = elementsOf(markupOf(scene, part, answers)).querySelector('section')
  if (section === null) throw new Error(`no section: ${part.section}`)
  return section
}

function markupOf(scene: Scene, part: Part, answers: Answers): Markup {
  const answer = answers.get(part.files[0])
  switch (part.section) {
    case 'activity': {
      if (part.key === null) return activityOf(scene, answer as CategoryFile['timelines']['7d'], null)
      return activityOf(scene, (answer as CategoryFile).timelines[part.period], scene.choice(part.key))
    }
    case 'trending': {
      const document = answer as TrendingDocument
      if (part.key !== null) return trendingOf(scene, document, scene.choice(part.key))
      return trendingOf(scene, document, null, new Map(scene.ranks[document.period]))
    }
    case 'categories':
      return categoriesOf(scene, answer as CategoriesDocument)
    case 'outcomes': {
      const choice = scene.choice(part.key)
      const all = answers.get(part.files[1]) as CategoriesDocument
      const whole = all.categories.find(({ category }) => category === choice.name)
      if (whole === undefined) throw new Error(`no category: ${choice.name}`)
      return outcomesOf(scene, (answer as CategoryFile).outcomes, whole, choice)
    }
  }
}

/** What a reader has unfolded stays so. */
function keepFolds(from: HTMLElement, to: HTMLElement): void {
  const open = [...from.querySelectorAll('details')].map((fold) => fold.open)
  for (const [i, fold] of [...to.querySelectorAll('details')].entries()) fold.open = open[i] ?? false
}
