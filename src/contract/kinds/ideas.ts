// Owns the table of ideas.
import type { Timestamp } from '../timestamp.ts'
import { COMMENTS, flag, orNull, text, time, TOTAL_COMMENTS, TOTAL_VOTES, VOTES, type ObjectOf } from './shape.ts'

export const ideas = {
  title: 'Ideas',
  rows: 'One row for each idea created in the window, newest first; no author and no text of the idea.',
  lists: 'ideas',
  columns: {
    id: text('The id of the idea on the platform: an opaque text.'),
    title: text(
      'The title of the idea. In CSV, one that a spreadsheet would run as a formula begins with an apostrophe.',
    ),
    category: text('All categories of the idea, joined with "; ".'),
    status: orNull(text('What the platform has made of the idea, in its own words.'), 'notGiven'),
    createdAt: time('When the idea was created (UTC; in workbooks, local time).'),
    launchedAt: orNull(time('When the idea was launched (UTC; in workbooks, local time).'), 'noDate'),
    votes: VOTES,
    comments: COMMENTS,
    totalVotes: TOTAL_VOTES,
    totalComments: TOTAL_COMMENTS,
    url: orNull(text('Where the idea is: an address, or a path of the platform.'), 'notGiven'),
    launched: flag('Whether the idea is launched now, with a date or without.'),
  },
} as const

/** An idea in a list of the site, and in no answer of the API: its row in the table of all time. */
export interface ListedIdea extends ObjectOf<typeof ideas.columns> {
  readonly categories: readonly string[]
}

export interface LaunchedIdea extends ListedIdea {
  readonly launchedAt: Timestamp
}
