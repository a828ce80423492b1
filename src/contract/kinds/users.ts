// Owns the table of numbers of people.
import { BUCKET, people } from './shape.ts'

export const users = {
  title: 'People',
  rows: 'One row for each hour, day or month of the window, also those with zeros; never a row for a person.',
  lists: null,
  columns: {
    bucket: BUCKET,
    newUsers: people('Accounts created in the bucket.'),
    totalUsers: people('All accounts at the end of the bucket.'),
    activeUsers: people(
      'Different people who voted, commented or submitted an idea in the bucket. Do not add buckets: a person may be in several.',
    ),
    ideaAuthors: people('Different people who submitted an idea in the bucket.'),
    voters: people('Different people who voted in the bucket.'),
    commenters: people('Different people who commented in the bucket.'),
  },
  isOfPeople: true,
} as const
