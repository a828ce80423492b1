// Owns the shape of what a release keeps of single ideas for the next one's gate: numbers, no texts. Types and names only.

/** Where there are more ideas, those with the smallest hashes of their ids are kept: the same ones in each build, whatever their order. */
export const SAMPLED_IDEAS = 2000

/**
 * The numbers of an idea, in this order: the hash of its id; hashes of its title and url, of the names of its
 * categories, and of its status, NO_TEXT where there is none; its votes and comments before the cut.
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

/** The most hashes for the categories of an idea: where it has more categories, the last hash is that of all others together. */
export const SAMPLED_CATEGORIES = 8

/** Stands in place of the hash of a text that is not there. */
export const NO_TEXT = 0

/** What may change in ideas while their numbers stay the same. */
export const IDEA_FIELDS = ['titles', 'urls', 'ideaCategories', 'statuses', 'ideaVotes', 'ideaComments'] as const
export type IdeaField = (typeof IDEA_FIELDS)[number]
