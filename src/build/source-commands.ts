// Owns the commands about a source before it is built from: grants. Publishes nothing.
import { option, type CommandSpec, type OptionTableOf } from '../process/command-line.ts'
import { text } from '../process/value-syntax.ts'
import { openMapping } from '../source/mapping.ts'
import { roleScript } from '../source/role-script.ts'
import { SourceError } from '../source/source-error.ts'
import { BUILD_OPTIONS } from './build-options.ts'

interface GrantsValues {
  readonly source: string
  readonly role: string
}

const GRANTS_OPTIONS: OptionTableOf<GrantsValues> = {
  source: BUILD_OPTIONS.source,
  role: option('--role', 'NAME', 'analytics_reader', 'Source', 'name of the role', text('a name')),
}

export function sourceCommands(out: (text: string) => void): CommandSpec[] {
  return [
    {
      name: 'grants',
      summary: 'print the script of a role that may read what the mapping reads, and nothing else',
      options: GRANTS_OPTIONS,
      example: '$0 --source fider > role.sql',
      run: async (values) => {
        const { source, role } = values as unknown as GrantsValues
        const { path, file } = openMapping(source)
        if (file.requires.length === 0)
          throw new SourceError('configuration', `${path}: has no "-- requires TABLE(column, …)" lines`)
        out(roleScript(file.name, file.requires, role))
        return 0
      },
    },
  ]
}
