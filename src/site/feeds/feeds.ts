// Owns the feeds: Atom (RFC 4287), that of launched ideas also as JSON Feed 1.1 from the same entries. They need the public address:
// without it there are none. An entry's id never changes, and that of an idea has no number that will.
import type { LaunchedIdea, ListedIdea } from '../../contract/kinds/ideas.ts'
import { categoryFile } from '../../contract/site-paths.ts'
import { countedBy } from '../page/counted-by.ts'
import { categoryName } from '../page/drawing.ts'
import { webAddress, xml, type Markup } from '../page/html.ts'
import type { CategoryView, SiteFile } from '../page/input.ts'
import { languageBase, type Page } from '../page/page.ts'
import { NEW, tookText } from '../sections/launched.ts'
import { feedPath } from '../sections/sharing.ts'
import { cutTitle } from '../page/titles.ts'
import { changes } from './changes.ts'

const MAX_ADDRESS = 2_000
const MAX_CATEGORIES = 10

type Feed = ReturnType<typeof feedOf>
type Entry = ReturnType<typeof entryOf>

export function feeds(page: Page): SiteFile[] {
  const { input, t, folder } = page
  const { publicUrl, words, documents, closed } = input
  if (publicUrl === null) return []
  const launched = launchedFeed(page, publicUrl, words.title, languageBase(page), documents.launched)
  const json = `${folder}feeds/launched.json`
  const newest = (closed ? [] : documents.newest).map((idea) =>
    entryOf(page, publicUrl, 'new', idea, idea.createdAt, t.say(t.w.new.on, { date: t.date(idea.createdAt) })),
  )
  const atom = (name: 'new' | 'changes', heading: string, entries: readonly Entry[]): SiteFile =>
    atomFile(publicUrl, feedPath(page, name), feedOf(page, `${heading} – ${words.title}`, languageBase(page), entries))
  return [
    atomFile(publicUrl, feedPath(page, 'launched'), launched),
    { path: json, text: jsonText(launched, `${publicUrl}/${json}`) },
    atom('new', `${t.w.new.heading} ${t.span(NEW)}`, newest),
    atom('changes', t.w.counting.change, changes(page, publicUrl)),
  ]
}

/** The feed of a category, as Atom only. */
export function categoryFeed(page: Page, { key, name, launched }: CategoryView): SiteFile[] {
  const { publicUrl, words } = page.input
  if (publicUrl === null) return []
  const title = `${categoryName(page, name)} – ${words.title}`
  const feed = launchedFeed(page, publicUrl, title, `${publicUrl}/category/${key}/`, launched)
  return [atomFile(publicUrl, categoryFile(key, 'launched.atom'), feed)]
}

/** @param home the page behind it */
function launchedFeed(
  page: Page,
  publicUrl: string,
  of: string,
  home: string,
  launched: readonly LaunchedIdea[],
): Feed {
  const { input, t } = page
  const entries = (input.closed ? [] : launched).map((idea) => {
    const [date, took] = [t.date(idea.launchedAt), tookText(t, idea)]
    const text = t.say(t.w.elsewhere.launched, { date: took === null ? date : `${date}, ${took}` })
    // The date of the launch: what changes afterwards, such as its votes, is not in the entry.
    return entryOf(page, publicUrl, 'launched', idea, idea.launchedAt, text)
  })
  // The date of the newest entry: a feed with nothing new in it stays the same text, which readers need not fetch again.
  const updated = entries.map(({ date }) => date).reduce((a, b) => (a > b ? a : b), '') || input.dataAsOf
  const title = `${t.w.totals.launchedIdeas} – ${of}`
  return { ...feedOf(page, title, home, entries), summary: t.w.launched.lead, updated }
}

/** Where entries come late and leave, only the time of the release never goes back. */
function feedOf({ input, t }: Page, title: string, home: string, entries: readonly Entry[]) {
  const author = input.words.publisher ?? input.words.title
  return { language: t.language, title, summary: countedBy(t, input), author, home, updated: input.dataAsOf, entries }
}

function entryOf(page: Page, publicUrl: string, feed: string, idea: ListedIdea, date: string, text: string) {
  const { input, t } = page
  const url = webAddress(idea.url, input.siteUrl)
  return {
    // The id is stable for ever, and the same in each language: RFC 4287 section 4.2.6. It is a name, not an address to
    // open. Half of a surrogate pair, which no address can have, is replaced.
    id: `${publicUrl}/feeds/${feed}#${encodeURIComponent(idea.id.replaceAll(/\p{Cs}/gu, '\uFFFD'))}`,
    title: cutTitle(idea.title) || t.w.trending.untitled,
    url: url === null || url.length > MAX_ADDRESS ? null : url,
    text,
    categories: idea.categories.slice(0, MAX_CATEGORIES).map((category) => categoryName(page, category)),
    date,
  }
}

function atomFile(publicUrl: string, path: string, feed: Feed): SiteFile {
  const { language, title, summary, author, home, updated, entries } = feed
  const self = `${publicUrl}/${path}`
  const { text } = xml`<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${language}">
<id>${self}</id>
<title>${title}</title>
<subtitle>${summary}</subtitle>
<updated>${updated}</updated>
<author><name>${author}</name></author>
<link rel="self" type="application/atom+xml" href="${self}"/>
<link rel="alternate" type="text/html" href="${home}"/>
${entries.map(atomEntry)}</feed>
`
  return { path, text }
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
