// Owns checking a source: finds what a build would fail on or count wrongly, without publishing anything.
import type pg from 'pg'
import { readCatalog } from '../database/catalog.ts'
import type { ColumnTypes } from '../read/column-types.ts'
import type { Finding } from '../mapping/finding.ts'
import { selectsOf, type MappingRequires } from '../mapping/file-format.ts'
import type { ParamValue } from '../mapping/parameters.ts'
import { fillIn, type MappingSource } from '../mapping/mapping.ts'
import { parseSelects, proposeRequires, referencedTables } from '../mapping/referenced-columns.ts'
import type { Relation } from '../mapping/relations.ts'
import { findMissing, requiredTables, ROW_SECURITY } from '../mapping/requirements.ts'
import { explain, SourceError } from '../database/source-error.ts'
import { beginRead, type Begun, type ReadOptions } from '../database/transaction.ts'
import { checkClosed, type SiteState } from './closed.ts'
import { checkParams, type CheckedParam } from './params.ts'
import { checkRole } from './role.ts'
import { checkRows, NO_IDEAS, NO_ROWS, samplesOf, type CheckedRows } from './rows.ts'
import { checkSection, type CheckedSection } from './sections.ts'
import { checkTenants } from './tenants.ts'

export interface CheckRequest extends ReadOptions {
  readonly source: MappingSource
  /** As --source takes it. */
  readonly sourceName: string
  readonly values: readonly ParamValue[]
}

export interface CheckReport extends CheckedRows {
  readonly mapping: string
  readonly server: Begun
  readonly params: readonly CheckedParam[]
  /** Whether it is closed to visitors; null = the mapping has no such section, or it failed. */
  readonly site: SiteState | null
  readonly sections: readonly Omit<CheckedSection, 'findings' | 'refused'>[]
  /** `requires` lines for a mapping that has none, found in its SELECTs. */
  readonly proposedRequires: readonly MappingRequires[]
  /** Errors first. */
  readonly findings: readonly Finding[]
}

/**
 * Reads only, in one transaction with one snapshot; whatever fails is a finding, and the rest goes on.
 * @throws SourceError when no transaction can be begun, or the connection is lost
 */
export async function checkSource(client: pg.Client, request: CheckRequest): Promise<CheckReport> {
  try {
    return await check(client, request)
  } catch (error) {
    throw explain(error, `mapping ${request.source.file.name}`)
  }
}

async function check(client: pg.Client, request: CheckRequest): Promise<CheckReport> {
  const { source, values } = request
  const { file } = source
  const begun = await beginRead(client, request)
  const selects = await parseSelects(selectsOf(file))
  const names = [...requiredTables(file.requires), ...selects.flatMap(referencedTables)]
  const catalog = await readCatalog(client, names)
  const proposedRequires = file.requires.length > 0 ? [] : proposeRequires(selects, catalog)
  const required = [
    ...findMissing(request.sourceName, file.requires, catalog, begun.role, request.rowSecurity, request.searchPath),
    // The mapping does not list what it reads; what row-level security hides is reported all the same.
    ...findMissing(
      request.sourceName,
      proposedRequires,
      catalog,
      begun.role,
      request.rowSecurity,
      request.searchPath,
    ).filter(({ about }) => about === ROW_SECURITY),
  ]
  const role = await checkRole(client, begun.role, request.sourceName)
  const params = await checkParams(client, source, values)

  const closed = await checkClosed(client, source, values, catalog, begun.role)
  const { ready, waiting } = fillSections(source, values)
  const sections: CheckedSection[] = []
  for (const [relation, sql] of ready) sections.push(await checkSection(client, relation, sql, catalog, begun.role))
  const findings = [
    ...required,
    // What `requires` has reported is not reported again with the server's message.
    ...params.findings.filter((one) => isError(one) || !required.some(isError)),
    ...waiting,
    ...[closed, ...sections].flatMap((one) =>
      required.some(isError) && REPORTED.has(one.refused ?? '') ? [] : one.findings,
    ),
    ...(await checkTenants(client, file.sections, catalog)),
    ...role,
    ...noRequires(proposedRequires),
  ]
  const columnTypes: ColumnTypes = new Map(sections.map(({ relation, columns }) => [relation, columns ?? []]))
  const data = findings.some(isError)
    ? { ...NO_ROWS, samples: await samplesOf(client, ready, columnTypes) }
    : await checkRows(client, file.name, begun, ready, columnTypes)
  // A closed site may well show no idea.
  const ofRows = closed.site?.closed === true ? data.findings.filter((one) => one !== NO_IDEAS) : data.findings
  const all = [...findings, ...ofRows]
  return {
    mapping: file.name,
    server: begun,
    params: params.params,
    site: closed.site,
    sections: sections.map(({ relation, columns, rows }) => ({ relation, columns, rows })),
    ...data,
    proposedRequires,
    findings: [...all.filter(isError), ...all.filter((one) => !isError(one))],
  }
}

/** A table, a column or a grant that is missing. */
const REPORTED: ReadonlySet<string> = new Set(['42P01', '42703', '42501'])

function isError({ level }: Finding): boolean {
  return level === 'error'
}

/** Sections whose parameters are known; the others wait for a value, which is a finding of the parameters. */
function fillSections(
  source: MappingSource,
  values: readonly ParamValue[],
): { ready: Map<Relation, string>; waiting: Finding[] } {
  const ready = new Map<Relation, string>()
  const waiting: Finding[] = []
  for (const [relation, sql] of source.file.sections)
    try {
      ready.set(relation, fillIn(source, `section ${relation}`, sql, values))
    } catch (error) {
      if (!(error instanceof SourceError)) throw error
      if (!values.some(({ text }) => text === null))
        waiting.push({ level: 'error', about: `section ${relation}`, problem: error.message, fix: '' })
    }
  return { ready, waiting }
}

function noRequires(proposed: readonly MappingRequires[]): Finding[] {
  if (proposed.length === 0) return []
  const lines = proposed.map(({ table, columns }) => `-- requires ${table}(${columns.join(', ')})`)
  return [
    {
      level: 'warning',
      about: 'requires',
      problem:
        'the mapping does not list what it reads, so a build cannot tell what is missing, nor grants what to grant',
      fix: `add these lines:\n${lines.join('\n')}`,
    },
  ]
}
