// Owns the feeds of launched ideas: Atom (RFC 4287) and JSON Feed 1.1, from the same entries. They need the public address:
// without it there are none. An entry's id never changes, and its text has no number that will.
import type { LaunchedIdea } from '../../contract/kinds/ideas.ts'
import { categoryFile } from '../../contract/site-paths.ts'
import { categoryName } from '../page/drawing.ts'
import { webAddress, xml, type Markup } from '../page/html.ts'
import type { CategoryView, SiteFile } from '../page/input.ts'
import type { Page } from '../page/page.ts'
import { tookText } from '../sections/launched.ts'
import { cutTitle } from '../page/titles.ts'

const MAX_ADDRESS = 2_000
const MAX_CATEGORIES = 10

type Feed = ReturnType<typeof feedOf>
type Entry = ReturnType<typeof entryOf>

export function launchedFeeds(page: Page): SiteFile[] {
  const { input, folder } = page
  const { publicUrl, words, documents } = input
  if (publicUrl === null) return []
  const feed = feedOf(page, publicUrl, words.title, `${publicUrl}/${folder}`, documents.launched)
  const [atom, json] = [`${folder}feeds/launched.atom`, `${folder}feeds/launched.json`]
  return [
    { path: atom, text: atomText(feed, `${publicUrl}/${atom}`) },
    { path: json, text: jsonText(feed, `${publicUrl}/${json}`) },
  ]
}

/** The feed of a category, as Atom only. */
export function categoryFeed(page: Page, { key, name, launched }: CategoryView): SiteFile[] {
  const { publicUrl, words } = page.input
  if (publicUrl === null) return []
  const path = categoryFile(key, 'launched.atom')
  const title = `${categoryName(page, name)} – ${words.title}`
  const feed = feedOf(page, publicUrl, title, `${publicUrl}/category/${key}/`, launched)
  return [{ path, text: atomText(feed, `${publicUrl}/${path}`) }]
}

/** @param home the page behind it */
function feedOf(page: Page, publicUrl: string, title: string, home: string, launched: readonly LaunchedIdea[]) {
  const { input, t } = page
  const entries = (input.closed ? [] : launched).map((idea) => entryOf(page, publicUrl, idea))
  return {
    language: t.language,
    title: `${t.w.totals.launchedIdeas} – ${title}`,
    summary: t.w.launched.lead,
    author: input.words.publisher ?? input.words.title,
    home,
    // The date of the newest entry: a feed with nothing new in it stays the same text, which readers need not fetch again.
    updated: entries.map(({ date }) => date).reduce((a, b) => (a > b ? a : b), '') || input.dataAsOf,
    entries,
  }
}

function entryOf(page: Page, publicUrl: string, idea: LaunchedIdea) {
  const { input, t } = page
  const url = webAddress(idea.url, input.siteUrl)
  const [date, took] = [t.date(idea.launchedAt), tookText(t, idea)]
  return {
    // The id is stable for ever, and the same in each language: RFC 4287 section 4.2.6. It is a name, not an address to
    // open. Half of a surrogate pair, which no address can have, is replaced.
    id: `${publicUrl}/feeds/launched#${encodeURIComponent(idea.id.replaceAll(/\p{Cs}/gu, '\uFFFD'))}`,
    title: cutTitle(idea.title) || t.w.trending.untitled,
    url: url === null || url.length > MAX_ADDRESS ? null : url,
    text: t.say(t.w.elsewhere.launched, { date: took === null ? date : `${date}, ${took}` }),
    categories: idea.categories.slice(0, MAX_CATEGORIES).map((category) => categoryName(page, category)),
    // The date of the launch: what changes afterwards, such as its votes, is not in the entry.
    date: idea.launchedAt,
  }
}

function atomText({ language, title, summary, author, home, updated, entries }: Feed, self: string): string {
  return xml`<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${language}">
<id>${self}</id>
<title>${title}</title>
<subtitle>${summary}</subtitle>
<updated>${updated}</updated>
<author><name>${author}</name></author>
<link rel="self" type="application/atom+xml" href="${self}"/>
<link rel="alternate" type="text/html" href="${home}"/>
${entries.map(atomEntry)}</feed>
`.text
}

function atomEntry({ id, title, url, text, categories, date }: Entry): Markup {
  return xml`<entry>
<id>${id}</id>
<title>${title}</title>
<published>${date}</published>
<updated>${date}</updated>
${url !== null && xml`<link rel="alternate" href="${url}"/>\n`}${categories.map((category) => xml`<category term="${category}"/>\n`)}<content type="text">${text}</content>
</entry>
`
}

function jsonText({ language, title, summary, author, home, entries }: Feed, self: string): string {
  const items = entries.map(({ id, url, title: itemTitle, text, categories, date }) => ({
    id,
    ...(url === null ? {} : { url }),
    title: itemTitle,
    content_text: text,
    date_published: date,
    ...(categories.length === 0 ? {} : { tags: categories }),
  }))
  const feed = {
    version: 'https://jsonfeed.org/version/1.1',
    title,
    home_page_url: home,
    feed_url: self,
    description: summary,
    language,
    authors: [{ name: author }],
    items,
  }
  return `${JSON.stringify(feed)}\n`
}
