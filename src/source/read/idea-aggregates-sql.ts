// Owns the text of the query of idea aggregates: its cuts of texts, its slices of time. Reads nothing.
import { MAX_CATEGORY_CODE_POINTS } from '../../contract/category-name.ts'
import { FIRST_DAY, type DaySlices } from '../../model/day-slices.ts'
import { fillTemplate, timeArray, timeLiteral, TIME_BOUNDS, type TemplateParameters } from '../sql/template.ts'
import { MAX_TEXT_CODE_POINTS } from './idea-aggregates.ts'

/** One code point more than is published, so that a longer text is noticed. */
const TEXT_CUT = String(MAX_TEXT_CODE_POINTS + 1)
/**
 * Far beyond a name that can be published: composing (NFC) makes at most three code points one. An idea with 60,000 names
 * of 10,000 characters is a row of 60 MB instead of 600, which is more than a JavaScript string holds.
 */
export const NAME_CUT: string = String(5 * MAX_CATEGORY_CODE_POINTS + 1)

/** The query of facts(). */
export function ideaAggregatesSql(parameters: TemplateParameters, slices: DaySlices): string {
  const values = {
    ...TIME_BOUNDS,
    as_of: timeLiteral(slices.asOfMs),
    slice: sliceOf('at', slices),
    text_cut: TEXT_CUT,
    name_cut: NAME_CUT,
  }
  return fillTemplate('read/idea-aggregates', { ...parameters, values })
}

/** The slice of a date, less 2^15: an int2 has a sign. */
function sliceOf(at: string, { fineFromMs, fineEdgesMs, firstFine }: DaySlices): string {
  const day = `floor(date_part('epoch', ${at}) / 86400) - ${FIRST_DAY}`
  const fine = `${firstFine - 1} + width_bucket(${at}, ${timeArray(fineEdgesMs)})`
  return `(CASE WHEN ${at} < ${timeLiteral(fineFromMs)} THEN ${day} ELSE ${fine} END - 32768)::int2`
}
