// Owns checking a source: finds what a build would fail on or count wrongly. Publishes nothing.
import type pg from 'pg'
import type { ColumnTypes } from '../read/column-types.ts'
import { error, isError, warning, type Finding } from '../mapping/finding.ts'
import { requiresLine } from '../mapping/requires-line.ts'
import { sqlName } from '../sql/names.ts'
import { waitsForReader } from '../database/guest.ts'
import { failedIn } from '../database/source-error.ts'
import { beginRead } from '../database/transaction.ts'
import { contextOf, type CheckContext, type CheckRequest } from './context.ts'
import { checkParams } from './params.ts'
import { checkRole } from './role.ts'
import { checkRows, NO_ROWS } from './rows.ts'
import { checkClosed, checkSections } from './sections.ts'
import { checkTenants } from './tenants.ts'

export type CheckReport = Readonly<Awaited<ReturnType<typeof check>>>

/**
 * Only reads, in one transaction with one snapshot. A check that fails becomes a finding, and the others go on.
 * @throws SourceError when no transaction can be begun, or the connection is lost
 */
export function checkSource(client: pg.Client, request: CheckRequest): Promise<CheckReport> {
  return check(client, request).catch(failedIn(`mapping ${request.source.file.name}`))
}

async function check(client: pg.Client, request: CheckRequest) {
  const begun = await beginRead(client, request)
  const { instant: _, ...server } = begun
  const context = await contextOf(client, request, begun)
  const params = await checkParams(context)
  const site = await checkClosed(context)
  const { sections, selects } = await checkSections(context)
  checkParts(context)
  await checkTenants(context)
  await checkRole(context)
  checkNamed(context)
  const { findings, proposedRequires } = context
  if (waitsForReader(client)) findings.push(warning('connection', WAITS, INSTEAD))
  const columnTypes: ColumnTypes = new Map(sections.map(({ relation, columns }) => [relation, columns ?? []]))
  const rows = findings.some(isError) ? NO_ROWS : await checkRows(context, selects, columnTypes, site?.closed === true)
  const errorsFirst: readonly Finding[] = [...findings.filter(isError), ...findings.filter((one) => !isError(one))]
  return {
    mapping: request.source.file.name,
    server,
    params,
    /** Whether the site is closed to visitors; null = the mapping has no such section, or it failed. */
    site,
    sections,
    ...rows,
    /** The `requires` lines to add: for what its SELECTs read and no line names. */
    proposedRequires,
    findings: errorsFirst,
  }
}

const WAITS =
  'a Unix socket: if the builder is suspended in the middle of a read, its session and its locks stay until it goes on, and an ALTER TABLE waits with all who come after it'
const INSTEAD = `connect over TCP, such as host=127.0.0.1, where PostgreSQL ends the session when --deadline is over
ends it by hand: SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'analytics-build';`

/** In a section, a name without a schema means the part; inside the part itself it may mean the table. */
function checkParts({ source, catalog, findings }: CheckContext): void {
  for (const { schema, name, visible } of catalog)
    if (visible && source.file.parts.includes(name))
      findings.push(
        error(
          'section with',
          `${sqlName(name)} is also a table of this database: the sections read the part, not the table`,
          `give the part another name, or write ${sqlName(schema)}.${sqlName(name)} where the table is meant`,
        ),
      )
}

function checkNamed({ source, findings, proposedRequires }: CheckContext): void {
  if (proposedRequires.length === 0) return
  findings.push(
    warning(
      'requires',
      `the mapping does not list ${source.file.requires.length === 0 ? 'what' : 'all that'} it reads, so a build cannot tell what is missing, nor grants what to grant`,
      `add these lines:\n${proposedRequires.map(requiresLine).join('\n')}`,
    ),
  )
}
