// Owns the SQL that makes the read-only role of a mapping, from its `requires` lines. Pure text; runs nothing.
import { escapeIdentifier, escapeLiteral } from 'pg'
import { usageError } from '../../process/cli-error.ts'
import { harmless } from '../../process/printable.ts'
import { fillRequires, namesOf, type MappingRequires } from './requires-line.ts'
import type { MappingSource } from './mapping.ts'
import type { ParamValue } from './parameters.ts'
import { foldedName } from '../sql/names.ts'

/**
 * What the role of a mapping is to read.
 * @throws CliError where no line says it
 */
export function granted({ path, file }: MappingSource, values: readonly ParamValue[]): MappingRequires[] {
  if (file.requires.length === 0)
    throw usageError(
      `${path} has no "-- requires TABLE(column, …)" lines, which say what its role may read; add those that this proposes: analytics-build check --source ${path}`,
    )
  return fillRequires(file.requires, namesOf(values))
}

/** A build and a check need one connection each; sessions of attempts that were cut off may remain for a while. */
const CONNECTIONS = 4

/**
 * The script may be run again: an existing role is kept, and grants accumulate. It sets no password, which would be
 * kept in shell histories and server logs; psql's \password sends only a hash, and so does a script that is given one.
 * @param role unquoted
 * @param hash that of the role's password, as the server keeps it
 */
export function roleScript(
  mapping: string,
  requires: readonly MappingRequires[],
  role: string,
  hash: string | null = null,
): string {
  const name = escapeIdentifier(role)
  const tables = new Map<string, string[]>()
  for (const { table, columns, optional } of requires)
    if (!optional) tables.set(table, [...(tables.get(table) ?? []), ...columns])
  return [
    `-- The role that mapping ${mapping} needs: it reads these columns and nothing else.`,
    `-- Run it in the platform's database as a role that may create roles and owns the tables, now and after each update`,
    `-- of the mapping:  psql -v ON_ERROR_STOP=1 -f FILE  and then, there, give it a password:  \\password ${harmless(role)}`,
    'BEGIN;',
    makeRole(requires, role),
    ...(hash === null ? [] : [`ALTER ROLE ${name} PASSWORD ${escapeLiteral(hash)};`]),
    `ALTER ROLE ${name} CONNECTION LIMIT ${CONNECTIONS};`,
    `ALTER ROLE ${name} SET default_transaction_read_only = on;`,
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

/** The role, with CONNECT on the database and USAGE on the schemas of the tables. */
function makeRole(requires: readonly MappingRequires[], role: string): string {
  const tables = [...new Set(requires.map(({ table }) => table))].map((table) => `to_regclass(${escapeLiteral(table)})`)
  return block([
    `  IF EXISTS (SELECT FROM pg_catalog.pg_roles r WHERE rolname = ${escapeLiteral(role)}`,
    // A role that owns something in any database may be the one that the platform itself connects as.
    `         AND (rolsuper OR EXISTS (SELECT FROM pg_catalog.pg_shdepend WHERE refobjid = r.oid`,
    `                                     AND refclassid = 'pg_catalog.pg_authid'::regclass AND deptype = 'o'))) THEN`,
    `    RAISE EXCEPTION 'role % is a superuser, or owns tables or the like: choose another name', ${escapeLiteral(role)};`,
    `  ELSIF NOT EXISTS (SELECT FROM pg_catalog.pg_roles WHERE rolname = ${escapeLiteral(role)}) THEN`,
    `    CREATE ROLE ${escapeIdentifier(role)} LOGIN;`,
    `  END IF;`,
    `  EXECUTE format('GRANT CONNECT ON DATABASE %I TO %I', current_database(), ${escapeLiteral(role)});`,
    `  EXECUTE (SELECT coalesce(string_agg(DISTINCT format('GRANT USAGE ON SCHEMA %I TO %I;', n.nspname, ${escapeLiteral(role)}), ' '), '')`,
    `             FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace`,
    `            WHERE c.oid = ANY (ARRAY[${tables.join(', ')}]::regclass[]));`,
  ])
}

/** Grants columns that only some versions of the platform have. */
function grantWherePresent({ table, columns }: MappingRequires, role: string): string {
  const names = columns.map((column) => escapeLiteral(foldedName(column))).join(', ')
  return block([
    `  IF (SELECT count(*) FROM pg_catalog.pg_attribute WHERE attrelid = to_regclass(${escapeLiteral(table)})`,
    `         AND attname IN (${names}) AND NOT attisdropped) = ${columns.length} THEN`,
    `    ${grantLine(table, columns, role)}`,
    '  END IF;',
  ])
}

/** An anonymous block in dollar quotes that its text does not contain: a name may hold any character. */
function block(lines: readonly string[]): string {
  const text = lines.join('\n')
  let mark = '$do$'
  for (let n = 1; text.includes(mark); n++) mark = `$do${n}$`
  return `DO ${mark} BEGIN\n${text}\nEND ${mark};`
}
