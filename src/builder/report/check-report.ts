// Owns what `check` prints: one screen about a source and its mapping. Pure text.
import { count, countOf, countOrDash, harmless, short } from '../../process/printable.ts'
import type { CheckReport } from '../../source/check/check.ts'
import { labelled, type CheckedParam } from '../../source/check/params.ts'
import { isError, type Finding } from '../../source/mapping/finding.ts'

/** Errors mean that a build would fail or count wrongly: exit 3. */
export function hasErrors({ findings }: CheckReport): boolean {
  return findings.some(isError)
}

/** @param target user@host:port/database */
export function checkText(report: CheckReport, target: string): string {
  const blocks = [
    head(report, target),
    report.params.flatMap(paramLines),
    [...siteLines(report), ...relations(report)],
    rowLines(report),
    findingLines(report.findings),
    [verdict(report)],
  ]
  return blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.map((line) => `${harmless(line).trimEnd()}\n`).join(''))
    .join('\n')
}

function row(label: string, text: string): string {
  return `  ${label.padEnd(16)} ${text}`
}

function head({ mapping, server }: CheckReport, target: string): string[] {
  const behind =
    server.replayLagMs === null ? 'that does not stream: replay lag unknown' : `${count(server.replayLagMs)} ms behind`
  const standby = server.standby ? `, a standby ${behind}` : ''
  return [
    `check of mapping ${mapping} on ${target}`,
    row(
      'server',
      `PostgreSQL ${server.serverVersion}${standby}; read only, at ${new Date(server.asOfMs).toISOString()}`,
    ),
  ]
}

function paramLines({ name, value, from, choices }: CheckedParam): string[] {
  const origin = from === 'flag' ? '--param' : from
  const given = value === null ? 'not given' : `${value === '' ? '(empty)' : value}  [${origin}]`
  const listed = (choices ?? []).slice(0, 12).map((one) => labelled(one))
  const all = (choices?.length ?? 0) > listed.length ? [...listed, '…'] : listed
  return [row(`:${name}`, given), ...(all.length === 0 ? [] : [row('', `there are: ${all.join(', ')}`)])]
}

function siteLines({ site }: CheckReport): string[] {
  if (site === null) return []
  if (!site.closed) return [row('site', 'open to visitors')]
  const why = site.reason === null ? '' : ` (${site.reason})`
  return [row('site', `CLOSED to visitors${why}: a build publishes zeros at once and removes all other releases`)]
}

function relations({ sections }: CheckReport): string[] {
  if (sections.length === 0) return []
  return [
    `  ${'relation'.padEnd(16)} ${'rows'.padStart(11)}   columns`,
    ...sections.map(({ relation, rows, columns }) => {
      const types = columns === null ? 'not accepted' : columns.map(({ name, type }) => `${name} ${type}`).join(', ')
      return `  ${relation.padEnd(16)} ${countOrDash(rows).padStart(11)}   ${types}`
    }),
  ]
}

function rowLines({ site, samples, totals, fewPeople, ignored }: CheckReport): string[] {
  const titles = samples.map(({ title, url }, i) =>
    row(i === 0 ? 'newest ideas' : '', `"${short(title, 50)}"${url === null ? '' : `  ${short(url, 40)}`}`),
  )
  if (totals === null) return titles
  const published = [
    countOf(totals.users, 'users'),
    `${countOf(totals.ideas, 'ideas')} (${count(totals.launched)} launched, ${count(totals.ideasWithoutCategory)} without category)`,
    countOf(totals.votes, 'votes'),
    countOf(totals.comments, 'comments'),
    countOf(totals.categories, 'categories'),
  ]
  return [
    ...titles,
    row(site?.closed === true ? 'if it were open' : 'would publish', `${published.join(', ')}:`),
    row('', 'compare these with what the site itself shows'),
    ...(fewPeople === null ? [] : [row('few people', fewPeopleText(fewPeople))]),
    ...ignored.map(({ relation, reason, rows }, i) =>
      row(i === 0 ? 'skipped' : '', `${countOf(rows, relation)}: ${reason}`),
    ),
  ]
}

function fewPeopleText({ days, of }: NonNullable<CheckReport['fewPeople']>): string {
  return `on ${count(days)} of the last ${count(of)} full days (UTC) 1 to 7 people were active${days === 0 ? '' : ': consider --people rounded'}`
}

/** If several findings in a row have the same fix, it is printed once, after the last one. Fixes are copied, so they are not wrapped. */
function findingLines(findings: readonly Finding[]): string[] {
  return findings.flatMap(({ level, about, problem, fix }, i) => {
    const [first = '', ...rest] = fix.split('\n')
    const isPrinted = fix === '' || findings[i + 1]?.fix === fix
    return [
      `${level === 'error' ? 'ERROR  ' : 'warning'} ${about}: ${problem.replaceAll(/\s+/g, ' ')}`,
      ...(isPrinted ? [] : [`        → ${first}`, ...rest.map((line) => `          ${line}`)]),
    ]
  })
}

function verdict({ findings }: CheckReport): string {
  const errors = findings.filter(isError).length
  const warnings = findings.length - errors
  const next = errors > 0 ? 'fix the errors before you build' : 'ready to build'
  return `${countOf(errors, 'errors')}, ${countOf(warnings, 'warnings')}: ${next}`
}
