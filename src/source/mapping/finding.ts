// Owns the shape of a problem found in a source or a mapping, and of its fix. Type only.

export interface Finding {
  /** error = no build, or a wrong one; warning = look at it. */
  readonly level: 'error' | 'warning'
  /** The subject, in a word or two. */
  readonly about: string
  readonly problem: string
  /** What to do next, as a command or a line of SQL where there is one; '' = the problem already tells. */
  readonly fix: string
}
