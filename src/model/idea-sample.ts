// Owns the shape of what a release keeps of single ideas for the next one's gate: numbers, no texts. Types and names only.

/** Of more ideas, those with the smallest hashes of their ids: the same ones in each build, whatever their order. */
export const SAMPLED_IDEAS = 2000

/**
 * In this order: the hash of the id; hashes of title and url, of the names of its categories, and of the status, NO_TEXT where
 * there is none; its votes and comments before the cut.
 */
export type SampledIdea = readonly [
  id: number,
  title: number,
  url: number,
  categories: readonly number[],
  status: number,
  votes: number,
  comments: number,
]

/** Of more categories of an idea, those after the first ones have one hash together. */
export const SAMPLED_CATEGORIES = 8

/** Instead of a hash. */
export const NO_TEXT = 0

/** What may change of ideas while their numbers stay. */
export const IDEA_FIELDS = ['titles', 'urls', 'ideaCategories', 'statuses', 'ideaVotes', 'ideaComments'] as const
export type IdeaField = (typeof IDEA_FIELDS)[number]
