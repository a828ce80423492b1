// Owns taking the sample of ideas that the next build's gate compares. Holds no text; a hash of each idea's id is all it costs.
import type { EventCounts, IdeaFacts } from '../model/facts.ts'
import { NO_TEXT, SAMPLED_CATEGORIES, SAMPLED_IDEAS, type SampledIdea } from '../model/idea-sample.ts'
import { TopList } from './top-list.ts'

export type IdeaSample = ReturnType<typeof ideaSample>

/**
 * The sample of the ideas created before one cut.
 * @param cut its place among those of the read
 */
export function ideaSample(cutMs: number, cut: number) {
  /** The sampled ideas by hash of the id, ascending. */
  const sampled = new TopList<SampledIdea>(SAMPLED_IDEAS, ([a], [b]) => a - b)
  /** How many there were before the cut, with those that have no date, as in the rows by month. */
  const before = ({ total, sinceCuts }: EventCounts): number => total - (sinceCuts[cut] ?? 0)
  return {
    cutMs,
    get ideas(): readonly SampledIdea[] {
      return sampled.ranked
    },
    /** @param id `hashOf` the idea's id */
    add({ createdAtMs, title, url, categories, status, votes, comments }: IdeaFacts, id: number): void {
      if (createdAtMs >= cutMs || id >= (sampled.worst?.[0] ?? Infinity)) return
      const last = SAMPLED_CATEGORIES - 1
      const names = [...categories.slice(0, last), categories.slice(last).join('\n')].filter((name) => name !== '')
      const [ofTitle = 0, ofUrl = 0, ofStatus = 0] = [title, url ?? '', status ?? ''].map(shortHash)
      sampled.add([id, ofTitle, ofUrl, names.map(shortHash), ofStatus, before(votes), before(comments)])
    },
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
