// Owns the name of what has no category. Apart from the rest of category-name.ts, which hashes, for the client of the page.

/** The reserved name: ideas without a category are published under it. */
export const UNCATEGORIZED = 'Uncategorized'
