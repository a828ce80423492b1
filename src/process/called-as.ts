// Owns how a program was started, for commands that a reader is to type. Knows no command.
import { basename, isAbsolute, relative, sep } from 'node:path'

/**
 * `analytics-build` where it is installed under that name, else `node bin/analytics-build.js`: a name that no package here
 * has would make npx fetch whichever package has registered it.
 */
export function calledAs(program: string, script: string = process.argv[1] ?? '', cwd: string = process.cwd()): string {
  // A script that starts the program with a service's variables and user says by CALLED_AS what is to be typed.
  const { CALLED_AS = '' } = process.env
  if (CALLED_AS === program || CALLED_AS.startsWith(`${program}@`)) return shellWord(CALLED_AS)
  if (basename(script) !== `${program}.js`) return program
  const below = relative(cwd, script)
  const path = isAbsolute(below) || below.startsWith(`..${sep}`) ? script : below
  return `node ${shellWord(path)}`
}

/** A word as a shell takes it. */
export function shellWord(text: string): string {
  return /^[\w./:@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`
}
