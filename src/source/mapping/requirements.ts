// Owns comparing a mapping's `requires` lines with the catalogue: what is missing or not readable, and the fix. Pure.
import { escapeIdentifier } from 'pg'
import { some } from '../../process/printable.ts'
import { columnOf, findTable, grantName, type CatalogTable } from '../database/catalog.ts'
import { error, warning, type Finding } from './finding.ts'
import type { MappingRequires } from './requires-line.ts'
import { grantLine } from './role-script.ts'
import { ROW_SECURITY_FIX } from '../database/source-error.ts'
import { tableName, sqlName } from '../sql/names.ts'
import type { ReadOptions } from '../database/transaction.ts'

const ROW_SECURITY = 'row security'

/** What the lines are compared with: what a session sees of a database. */
export interface Visible extends Pick<ReadOptions, 'rowSecurity' | 'searchPath'> {
  readonly catalog: readonly CatalogTable[]
  /** The role of the session, unquoted. */
  readonly role: string
}

/** The names to look up in the catalogue. */
export function requiredTables(requires: readonly MappingRequires[]): string[] {
  return [...new Set(requires.map(({ table }) => tableName(table).name))]
}

/**
 * @param mapping as --source takes it
 * @param requires with names in place of parameters
 */
export function findMissing(mapping: string, requires: readonly MappingRequires[], visible: Visible): Finding[] {
  const { catalog, role } = visible
  const tables = [...new Set(requires.map(({ table }) => table))]
  // The fix for tables and columns that do not exist.
  const file = mapping.endsWith('.sql') ? mapping : `a copy (analytics-build init ${mapping})`
  const fix = `is --source ${mapping} right here, with its parameters? analytics-build init, without a name, says what the database looks like. For another version of the platform change ${file}`
  const findings = tables.flatMap((name): Finding[] => {
    const lines = requires.filter(({ table }) => table === name)
    const table = findTable(name, catalog)
    if (table !== undefined)
      return [
        ...(table.usable ? [] : [notUsable(table, role)]),
        ...absentColumns(lines, table, fix),
        ...unreadableColumns(lines, table, role),
      ]
    return lines.every(({ optional }) => optional) ? [] : [noTable(name, tables, visible, fix)]
  })
  const secured = tables.filter((table) => findTable(table, catalog)?.rowSecurity === true)
  if (secured.length === 0) return findings
  const problem = `row-level security hides rows of ${secured.join(', ')} from role ${role}`
  return [
    ...findings,
    visible.rowSecurity === 'off'
      ? error(ROW_SECURITY, problem, ROW_SECURITY_FIX)
      : warning(ROW_SECURITY, problem, '--row-security apply counts only what the role may see'),
  ]
}

/** The first few findings, with each fix once, to fit a log line. */
export function inOneLine(findings: readonly Finding[]): string {
  const byFix = new Map<string, string[]>()
  for (const { problem, fix } of findings) byFix.set(fix, [...(byFix.get(fix) ?? []), problem])
  const shown = [...byFix]
    .slice(0, byFix.size > 2 ? 1 : 2)
    .map(([fix, problems]) => `${some(problems, 3)}; ${fix.replace(/;$/, '')}`)
  const more = byFix.size - shown.length
  return `${shown.join('; ')}${more > 0 ? `; and ${more} more: analytics-build check lists them all` : ''}`
}

const missing = (problem: string, fix: string): Finding => error('requires', problem, fix)

function noTable(
  table: string,
  tables: readonly string[],
  { catalog, role, searchPath }: Visible,
  fix: string,
): Finding {
  const { schema, name } = tableName(table)
  const elsewhere = catalog.find((one) => one.name === name && (schema === null || one.schema === schema))
  if (elsewhere === undefined) return missing(`table ${table} does not exist`, fix)
  if (!elsewhere.usable) return notUsable(elsewhere, role)
  // The proposed path has the schemas of all tables that are not found through the search_path.
  const lost = tables.filter((one) => tableName(one).schema === null && findTable(one, catalog) === undefined)
  const schemas = lost.flatMap((one) => catalog.find((found) => found.name === tableName(one).name)?.schema ?? [])
  const path = [...new Set(schemas), 'public'].map(sqlName)
  const where = `table ${name} is in schema ${elsewhere.schema}, which is not in the search_path of`
  return searchPath
    ? missing(
        `${where} --database-url, ${searchPath.map(sqlName).join(', ')}`,
        `give --database-url options=-c search_path=${path.join(',')} instead, percent-encoded`,
      )
    : missing(`${where} role ${role}`, `ALTER ROLE ${escapeIdentifier(role)} SET search_path = ${path.join(', ')};`)
}

function notUsable({ schema, name }: CatalogTable, role: string): Finding {
  return missing(
    `role ${role} may not use schema ${schema}, where table ${name} is`,
    `GRANT USAGE ON SCHEMA ${sqlName(schema)} TO ${escapeIdentifier(role)};`,
  )
}

/** A line of `requires` lists what one version added: its columns are reported together. */
function absentColumns(lines: readonly MappingRequires[], table: CatalogTable, fix: string): Finding[] {
  return lines.flatMap((line) => {
    const absent = line.columns.filter((name) => columnOf(table, name) === undefined)
    if (absent.length === 0 || line.optional) return []
    const names = absent.map((name) => `${line.table}.${name}`).join(', ')
    const problem = absent.length === 1 ? `column ${names} does not exist` : `columns ${names} do not exist`
    return missing(problem, fix)
  })
}

function unreadableColumns(lines: readonly MappingRequires[], table: CatalogTable, role: string): Finding[] {
  // The role is granted all columns of a line `where present`, or none.
  const granted = lines.filter(({ optional, columns }) => !optional || columns.every((name) => columnOf(table, name)))
  const names = granted.flatMap(({ columns }) => columns).filter((name) => columnOf(table, name)?.readable === false)
  if (names.length === 0) return []
  const problem = `role ${role} may not read ${lines[0]?.table ?? table.name}(${names.join(', ')})`
  return [missing(problem, grantLine(grantName(table), names, escapeIdentifier(role)))]
}
