// Owns what setup shows of a check: one screen of 80 columns. Pure text.
import { count, countOf, short, wrap } from '../../process/printable.ts'
import type { CheckReport } from '../../source/check/check.ts'
import type { Finding } from '../../source/mapping/finding.ts'

const WIDTH = 74
const FINDINGS_SHOWN = 8

/** What a build would publish, to be compared with what the site itself shows. */
export function checkScreen({ server, site, samples, totals, ignored, findings }: CheckReport): string[] {
  const closed =
    site?.closed === true
      ? [`the site is CLOSED to visitors${site.reason === null ? '' : ` (${site.reason})`}: a build publishes zeros`]
      : []
  // The role is the next question.
  const shown = findings.filter(({ about, level }) => about !== 'role' || level === 'error')
  const more = shown.length - FINDINGS_SHOWN
  return [
    `PostgreSQL ${server.serverVersion}${server.standby ? ', a standby' : ''}, read only`,
    ...closed,
    ...(totals === null ? [] : ['', ...totalLines(totals), '']),
    ...samples.map(
      ({ title }, i) => `${(i === 0 ? 'newest ideas' : '').padEnd(14)}"${short(title ?? '', WIDTH - 18)}"`,
    ),
    ...ignored.map(
      ({ relation, reason, rows }, i) =>
        `${(i === 0 ? 'skipped' : '').padEnd(14)}${countOf(rows, relation)}: ${reason}`,
    ),
    ...(shown.length > 0 ? [''] : []),
    ...shown.slice(0, FINDINGS_SHOWN).flatMap(findingLines),
    ...(more > 0 ? [`and ${more} more: analytics-build check lists them all`] : []),
  ]
}

function totalLines(totals: NonNullable<CheckReport['totals']>): string[] {
  const rows: [string, number, string][] = [
    ['users', totals.users, ''],
    [
      'ideas',
      totals.ideas,
      `${count(totals.launched)} launched, ${count(totals.ideasWithoutCategory)} without category`,
    ],
    ['votes', totals.votes, ''],
    ['comments', totals.comments, ''],
    ['categories', totals.categories, ''],
  ]
  return rows.map(([name, n, more]) => `${name.padEnd(14)}${count(n).padStart(11)}${more === '' ? '' : `   ${more}`}`)
}

function findingLines({ level, about, problem, fix }: Finding): string[] {
  const lines = wrap(`${level === 'error' ? 'ERROR' : 'warning'} ${about}: ${problem}`.split(/\s+/), WIDTH, ' ')
  // A fix is copied, so it is not wrapped.
  return [...lines, ...(fix === '' ? [] : fix.split('\n').map((line, i) => `${i === 0 ? '→' : ' '} ${line}`))]
}
