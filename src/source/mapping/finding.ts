// Owns the shape of what is found wrong with a source or a mapping, and how to mend it. Type only.

export interface Finding {
  /** error = no build, or a wrong one; warning = look at it. */
  readonly level: 'error' | 'warning'
  /** What it is about, in a word or two. */
  readonly about: string
  readonly problem: string
  /** What to do next, as a command or a line of SQL where there is one; '' = the problem says it. */
  readonly fix: string
}
