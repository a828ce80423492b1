// Owns the SQL that makes the read-only role of a mapping, from its `requires` lines. Pure text; runs nothing.
import type { MappingRequires } from './mapping-file.ts'
import { folded, quoted, tableName, written } from './sql-names.ts'
import { literal } from './sql-tokens.ts'

/** One build, one check, and a session each that a pooler or a cut connection has left behind. */
const CONNECTIONS = 4

/**
 * May be run again: a role that exists is kept, and grants add up. It sets no password: that would stand in shell
 * histories and server logs; psql's \password sends only its hash.
 * @param role as it is called, unquoted
 */
export function roleScript(mapping: string, requires: readonly MappingRequires[], role: string): string {
  const name = quoted(role)
  const tables = columnsByTable(requires.filter(({ optional }) => !optional))
  const schemas = new Set(requires.map(({ table }) => written(tableName(table).schema ?? 'public')))
  return [
    `-- The role that mapping ${mapping} needs: it reads these columns and nothing else.`,
    `-- Run it in the platform's database as somebody who may create roles and owns the tables, now and after each update`,
    `-- of the mapping:  psql -v ON_ERROR_STOP=1 -f FILE  and then, there, give it a password:  \\password ${role}`,
    'BEGIN;',
    'DO $$ BEGIN',
    `  IF NOT EXISTS (SELECT FROM pg_catalog.pg_roles WHERE rolname = ${literal(role)}) THEN`,
    `    CREATE ROLE ${name} LOGIN;`,
    '  END IF;',
    `  EXECUTE format('GRANT CONNECT ON DATABASE %I TO %I', current_database(), ${literal(role)});`,
    'END $$;',
    `ALTER ROLE ${name} CONNECTION LIMIT ${CONNECTIONS};`,
    `ALTER ROLE ${name} SET default_transaction_read_only = on;`,
    ...[...schemas].map((schema) => `GRANT USAGE ON SCHEMA ${schema} TO ${name};`),
    ...[...tables].map(([table, columns]) => grantLine(table, columns, name)),
    ...requires.filter(({ optional }) => optional).map((line) => grantWherePresent(line, name)),
    'COMMIT;',
    '',
  ].join('\n')
}

/** @param role quoted */
export function grantLine(table: string, columns: readonly string[], role: string): string {
  return `GRANT SELECT (${columns.join(', ')}) ON ${table} TO ${role};`
}

/** Of columns that only some versions of the platform have. */
function grantWherePresent({ table, columns }: MappingRequires, role: string): string {
  const names = columns.map((column) => literal(folded(column))).join(', ')
  return [
    'DO $$ BEGIN',
    `  IF (SELECT count(*) FROM pg_catalog.pg_attribute`,
    `       WHERE attrelid = to_regclass(${literal(table)}) AND attname IN (${names}) AND NOT attisdropped) = ${columns.length} THEN`,
    `    ${grantLine(table, columns, role)}`,
    '  END IF;',
    'END $$;',
  ].join('\n')
}

function columnsByTable(requires: readonly MappingRequires[]): Map<string, string[]> {
  const tables = new Map<string, string[]>()
  for (const { table, columns } of requires) tables.set(table, [...(tables.get(table) ?? []), ...columns])
  return tables
}
