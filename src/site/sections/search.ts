// Owns "is my idea there?": the search over titles, which the client brings to life, and where else to look. Pure.
import { SEARCH_FILE, SEARCHED_IDEAS } from '../../contract/search-files.ts'
import { IDEAS_WORKBOOK } from '../../contract/snapshot-paths.ts'
import { html, webAddress, type Content, type Markup } from '../page/html.ts'
import type { Page } from '../page/page.ts'
import { section } from './section.ts'

/** Null where there is nothing to find, and on pages that lead to the search. */
export function searchSection(page: Page): Content {
  const { t, input, view, root } = page
  const w = t.w.search
  const files = input.files.filter(({ path }) => SEARCH_FILE.test(path)).length
  if (files === 0 || (view !== null && !('own' in view))) return null
  const all = input.documents.stats.stats.totalIdeas
  const n = all > SEARCHED_IDEAS ? t.say(t.w.table.part, { part: SEARCHED_IDEAS, all }) : all
  const body = html`<search class="live" data-search="${root}search/" data-files="${files}" data-locale="${t.locale}" data-vote="${t.w.trending.votes.one}" data-votes="${t.w.trending.votes.other}" data-on="${t.w.new.on}" data-none="${t.say(w.none, { n })}" data-found="${w.found}" data-searching="${w.searching}" data-failed="${w.failed}"><label for="words">${t.say(w.label, { n })}</label><input type="search" id="words" autocomplete="off" spellcheck="false" maxlength="200"><p role="status"></p><ul class="ideas"></ul></search><p class="remark">${t.put(w.elsewhere, { list: elsewhere(page) })}</p>`
  return section({ id: 'search', heading: w.heading, body })
}

/** What there is without a script, too: the table of ideas, and the platform, which may have a search of its own. */
function elsewhere({ input, root }: Page): Content {
  const link = (to: string, name: string): Markup => html`<a class="target" href="${to}">${name}</a>`
  const platform = webAddress(input.siteUrl, null)
  return [
    link(`${root}${IDEAS_WORKBOOK}`, IDEAS_WORKBOOK),
    platform !== null && html`, ${link(platform, new URL(platform).host)}`,
  ]
}
