// Owns comparing a mapping's `requires` lines with the catalogue: what is missing or not readable, and the fix. Pure.
import { escapeIdentifier } from 'pg'
import { grantName, type CatalogColumn, type CatalogTable } from '../database/catalog.ts'
import type { Finding } from './finding.ts'
import type { MappingRequires } from './file-format.ts'
import { grantLine } from './role-script.ts'
import { ROW_SECURITY_FIX } from '../database/source-error.ts'
import { folded, tableName, written } from '../sql/names.ts'
import type { ReadOptions } from '../database/transaction.ts'

export const ROW_SECURITY = 'row security'

/** The names to look up in the catalogue. */
export function requiredTables(requires: readonly MappingRequires[]): string[] {
  return [...new Set(requires.map(({ table }) => tableName(table).name))]
}

/** The table that a name refers to in the session. */
export function findTable(tableText: string, catalog: readonly CatalogTable[]): CatalogTable | undefined {
  const { schema, name } = tableName(tableText)
  return catalog.find((table) => table.name === name && (schema === null ? table.visible : table.schema === schema))
}

/** @param role the role of the session, unquoted */
export function findMissing(
  mapping: string,
  requires: readonly MappingRequires[],
  catalog: readonly CatalogTable[],
  role: string,
  rowSecurity: 'off' | 'apply',
  searchPath: ReadOptions['searchPath'] = null,
): Finding[] {
  const tables = [...new Set(requires.map(({ table }) => table))]
  const findings = tables.flatMap((name): Finding[] => {
    const lines = requires.filter(({ table }) => table === name)
    const table = findTable(name, catalog)
    if (table === undefined && lines.every(({ optional }) => optional)) return []
    const problems =
      table === undefined
        ? [noTable(mapping, name, lines, catalog, role, tables, searchPath ?? null)]
        : [...unusable(table, role), ...absentColumns(mapping, lines, table), ...hiddenColumns(lines, table, role)]
    return problems.map((problem) => ({ level: 'error', about: 'requires', ...problem }))
  })
  const secured = tables.filter((table) => findTable(table, catalog)?.rowSecurity === true)
  if (secured.length === 0) return findings
  const problem = `row-level security hides rows of ${secured.join(', ')} from role ${role}`
  return [
    ...findings,
    rowSecurity === 'off'
      ? { level: 'error', about: ROW_SECURITY, problem, fix: ROW_SECURITY_FIX }
      : {
          level: 'warning',
          about: ROW_SECURITY,
          problem,
          fix: '--row-security apply counts only what the role may see',
        },
  ]
}

/** The first few, each fix once, to fit a log line. */
export function inOneLine(findings: readonly Finding[]): string {
  const byFix = new Map<string, string[]>()
  for (const { problem, fix } of findings) byFix.set(fix, [...(byFix.get(fix) ?? []), problem])
  const shown = [...byFix]
    .slice(0, byFix.size > 2 ? 1 : 2)
    .map(([fix, problems]) => `${someOf(problems)}; ${fix.replace(/;$/, '')}`)
  const more = byFix.size - shown.length
  return `${shown.join('; ')}${more > 0 ? `; and ${more} more: analytics-build check lists them all` : ''}`
}

function someOf(problems: readonly string[]): string {
  const rest = problems.length - 3
  return `${problems.slice(0, 3).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`
}

type Problem = Pick<Finding, 'problem' | 'fix'>

function noTable(
  mapping: string,
  table: string,
  lines: readonly MappingRequires[],
  catalog: readonly CatalogTable[],
  role: string,
  tables: readonly string[],
  searchPath: readonly string[] | null,
): Problem {
  const { schema, name } = tableName(table)
  const elsewhere = catalog.find((one) => one.name === name && (schema === null || one.schema === schema))
  if (elsewhere !== undefined && !elsewhere.usable) return notUsable(elsewhere, role)
  if (elsewhere !== undefined) {
    const path = [...schemasOf(tables, catalog), 'public'].map(written)
    return searchPath === null
      ? {
          problem: `table ${name} is in schema ${elsewhere.schema}, which is not in the search_path of role ${role}`,
          fix: `ALTER ROLE ${escapeIdentifier(role)} SET search_path = ${path.join(', ')};`,
        }
      : {
          problem: `table ${name} is in schema ${elsewhere.schema}, which is not in the search_path of --database-url, ${searchPath.map(written).join(', ')}`,
          fix: `give --database-url options=-c search_path=${path.join(',')} instead, percent-encoded`,
        }
  }
  return {
    // A line without a version means that the table was always there.
    problem: `table ${table} does not exist${sinceText(lines.every(({ since }) => since !== '') ? (lines[0]?.since ?? '') : '')}`,
    fix: `is --source ${mapping} right here? analytics-build init, without a name, says what the database looks like`,
  }
}

/** The schemas of the tables that are not found through the search_path. */
function schemasOf(tables: readonly string[], catalog: readonly CatalogTable[]): string[] {
  const lost = tables.filter((table) => tableName(table).schema === null && findTable(table, catalog) === undefined)
  return [...new Set(lost.flatMap((table) => catalog.find(({ name }) => name === tableName(table).name)?.schema ?? []))]
}

export function notUsable({ schema, name }: CatalogTable, role: string): Problem {
  return {
    problem: `role ${role} may not use schema ${schema}, where table ${name} is`,
    fix: `GRANT USAGE ON SCHEMA ${written(schema)} TO ${escapeIdentifier(role)};`,
  }
}

function unusable(table: CatalogTable, role: string): Problem[] {
  return table.usable ? [] : [notUsable(table, role)]
}

function columnOf(table: CatalogTable, name: string): CatalogColumn | undefined {
  return table.columns.find((column) => column.name === folded(name))
}

/** A line of `requires` lists what one version added: its columns are reported together. */
function absentColumns(mapping: string, lines: readonly MappingRequires[], table: CatalogTable): Problem[] {
  return lines.flatMap((line) => {
    const absent = line.columns.filter((name) => columnOf(table, name) === undefined)
    if (absent.length === 0 || line.optional) return []
    const names = absent.map((name) => `${line.table}.${name}`).join(', ')
    const problem = absent.length === 1 ? `column ${names} does not exist` : `columns ${names} do not exist`
    return [
      {
        problem: `${problem}${sinceText(line.since)}`,
        fix: mapping.endsWith('.sql')
          ? `change ${mapping}, or update the platform`
          : `update the platform, or copy the mapping (analytics-build init ${mapping}) and change it`,
      },
    ]
  })
}

function hiddenColumns(lines: readonly MappingRequires[], table: CatalogTable, role: string): Problem[] {
  const hidden = lines.flatMap(({ columns }) => columns).filter((name) => columnOf(table, name)?.readable === false)
  const name = lines[0]?.table ?? table.name
  if (hidden.length === 0) return []
  return [
    {
      problem: `role ${role} may not read ${name}(${hidden.join(', ')})`,
      fix: grantLine(grantName(table), hidden, escapeIdentifier(role)),
    },
  ]
}

function sinceText(since: string): string {
  return since === '' ? '' : ` (it came with ${since})`
}
