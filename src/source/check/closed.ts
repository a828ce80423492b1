// Owns checking section `closed`: whether it gives an answer, and which. Knows no other section.
import { NO_ROW, queryClosed } from '../read/closed.ts'
import { error, type Finding } from '../mapping/finding.ts'
import { trySubstitute } from '../mapping/mapping.ts'
import { attempt } from '../database/attempt.ts'
import type { CheckContext } from './context.ts'
import { rejection } from './sections.ts'

/** What a build would learn. */
export interface SiteState {
  readonly closed: boolean
  readonly reason: string | null
}

export interface CheckedClosed {
  /** null = there is no such section, or no answer. */
  readonly site: SiteState | null
  readonly findings: readonly Finding[]
}

/** @param isParamWrong it has been said, and is why no row is there */
export async function checkClosed(context: CheckContext, isParamWrong: boolean): Promise<CheckedClosed> {
  const about = 'section closed'
  const none = (...findings: readonly Finding[]): CheckedClosed => ({ site: null, findings })
  const text = context.source.file.closed
  const sql = text === null ? null : trySubstitute(context, about, text)
  if (text === null || sql === null) return none()
  if (typeof sql !== 'string') return none(error(about, sql.message))
  const answer = await attempt(context.client, () => queryClosed(context.client, sql))
  if (!answer.ok) return none(...rejection(context, about, { text, sql }, answer.error))
  if (answer.value === NO_ROW && isParamWrong) return none()
  if (typeof answer.value === 'string') return none(error(about, answer.value))
  return { site: { closed: answer.value !== null, reason: answer.value?.reason ?? null }, findings: [] }
}
