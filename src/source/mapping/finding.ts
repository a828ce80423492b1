// Owns the shape of a problem found in a source or a mapping, and of its fix. Knows no problem.

export interface Finding {
  /** error = no build, or a wrong one; warning = look at it. */
  readonly level: 'error' | 'warning'
  /** The subject, in a word or two. */
  readonly about: string
  readonly problem: string
  /** What to do next, as a command or a line of SQL where there is one; '' = the problem already tells. */
  readonly fix: string
}

const finding =
  (level: Finding['level']) =>
  (about: string, problem: string, fix = ''): Finding => ({ level, about, problem, fix })
export const error: ReturnType<typeof finding> = finding('error')
export const warning: ReturnType<typeof finding> = finding('warning')

export function isError({ level }: Finding): boolean {
  return level === 'error'
}
