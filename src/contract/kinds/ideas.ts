// Owns the table of ideas.
import { count, flag, later, orNull, text, time } from './shape.ts'

const table = {
  title: 'Ideas',
  rows: 'One row for each idea created in the window, newest first; no author and no text of the idea.',
  lists: 'ideas',
  columns: {
    id: text('The id of the idea on the platform: an opaque text.'),
    title: text('The title of the idea. One that a spreadsheet would run as a formula begins with an apostrophe here.'),
    category: text('All categories of the idea, joined with "; ".'),
    status: orNull(
      text('What the platform has made of the idea, in its own words.'),
      'The platform gives it no status.',
    ),
    createdAt: time('When the idea was created (UTC).'),
    launchedAt: orNull(time('When the idea was launched (UTC).'), 'Not launched, or launched without a date.'),
    votes: count('Votes on the idea that were cast in the window. Only votes above zero count, each as one.', 'votes'),
    comments: count('Comments on the idea that were written in the window.', 'comments'),
    totalVotes: count('All votes on the idea.', 'votes'),
    totalComments: count('All comments on the idea.', 'comments'),
    url: orNull(text('Where the idea is: an address, or a path of the platform.'), 'It has no address.'),
    launched: later(flag('Whether the idea is launched now, with a date or without.')),
  },
} as const

export const ideas = { table }
