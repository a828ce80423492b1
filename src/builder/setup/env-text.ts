// Owns the text of a file of variables: what a set-up changes in it, and what it leaves. Pure; knows no variable.
import { SECRET_VARIABLES } from '../../process/variables.ts'
import { usageError } from '../../process/cli-error.ts'

const HEAD = `# Variables of analytics-build and analytics-proxy, for --env-file, systemd and compose. It holds a password: keep its mode.
# "analytics-build setup" changes what it asks for, and keeps the rest.
`

/**
 * @param before the text of the file; null = there is none
 * @param changes by name; null = the variable goes
 */
export function envText(before: string | null, changes: ReadonlyMap<string, string | null>): string {
  const written = new Set<string>()
  const kept = (before ?? HEAD)
    .replace(/\n$/, '')
    .split('\n')
    .flatMap((line) => {
      const name = /^\s*(?:export\s+)?([^\s=#]+)\s*=/.exec(line)?.[1]
      const value = name === undefined ? undefined : changes.get(name)
      if (name === undefined || value === undefined) return [line]
      // Of a name that is there twice the last one counts to every reader, so the first must not stay.
      if (value === null || written.has(name)) return []
      written.add(name)
      return [`${name}=${quoted(name, value)}`]
    })
  const added = [...changes].flatMap(([name, value]) =>
    value === null || written.has(name) ? [] : [`${name}=${quoted(name, value)}`],
  )
  return [...kept, ...added].map((line) => `${line}\n`).join('')
}

/** As Node, systemd and compose read it alike: none of them changes what is between single quotes. */
function quoted(name: string, value: string): string {
  if (!/['\n\r]/.test(value)) return `'${value}'`
  if (!/["\\$`\n\r]/.test(value)) return `"${value}"`
  const isSecret = SECRET_VARIABLES.some((secret) => secret === name)
  throw usageError(
    `${name}: ${isSecret ? 'its value' : `"${value}"`} cannot be written into a file of variables: it has a line break, or a ' and one of " \\ $ \``,
  )
}
