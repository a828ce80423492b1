// Owns taking the sample of ideas that the next build's gate compares. Holds no text; a hash of each idea's id is all it costs.
import type { EventCounts, IdeaFacts } from '../model/facts.ts'
import { NO_TEXT, SAMPLED_CATEGORIES, SAMPLED_IDEAS, type SampledIdea } from '../model/idea-sample.ts'
import { TopList } from './top-list.ts'

/** The sample of the ideas created before one cut. */
export class IdeaSample {
  readonly cutMs: number
  readonly #cut: number
  /** The sampled ideas by hash of the id, ascending. */
  readonly #ideas = new TopList<SampledIdea>(SAMPLED_IDEAS, ([a], [b]) => a - b)

  /** @param cut the place of the cut among those of the read */
  constructor(cutMs: number, cut: number) {
    this.cutMs = cutMs
    this.#cut = cut
  }

  get ideas(): readonly SampledIdea[] {
    return this.#ideas.ranked
  }

  /** @param id `hashOf` the idea's id */
  add(idea: IdeaFacts, id: number): void {
    if (idea.createdAtMs >= this.cutMs || id >= (this.#ideas.worst?.[0] ?? Infinity)) return
    this.#ideas.add(this.#sampled(idea, id))
  }

  #sampled({ title, url, categories, status, votes, comments }: IdeaFacts, id: number): SampledIdea {
    const last = SAMPLED_CATEGORIES - 1
    const names = [...categories.slice(0, last), categories.slice(last).join('\n')].filter((name) => name !== '')
    const [ofTitle = 0, ofUrl = 0, ofStatus = 0] = [title, url ?? '', status ?? ''].map(shortHash)
    return [id, ofTitle, ofUrl, names.map(shortHash), ofStatus, this.#before(votes), this.#before(comments)]
  }

  /** How many there were before the cut, with those that have no date, as in the rows by month. */
  #before({ total, sinceCuts }: EventCounts): number {
    return total - (sinceCuts[this.#cut] ?? 0)
  }
}

export function shortHash(text: string): number {
  return text === '' ? NO_TEXT : hashOf(text) % 2 ** 32
}

/** 53 bits of a text, evenly spread (cyrb53). It is no protection against people who choose texts, but they gain nothing. */
export function hashOf(text: string): number {
  let [a, b] = [0xdeadbeef, 0x41c6ce57]
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    a = Math.imul(a ^ unit, 0x9e3779b1)
    b = Math.imul(b ^ unit, 0x5f356495)
  }
  const high = mixed(b) ^ mixed(a, 13)
  const low = mixed(a) ^ mixed(b, 13)
  return (high & 0x1fffff) * 2 ** 32 + (low >>> 0)
}

function mixed(state: number, shift = 16): number {
  return Math.imul(state ^ (state >>> shift), shift === 16 ? 0x85ebca6b : 0xc2b2ae35)
}
