// Owns docs/index.html, the reference for programmers: made from the contract, with answers of this release as examples.
import { KINDS, OPENAPI_PATH } from '../../contract/kinds/register.ts'
import { API_HEADERS } from '../../contract/openapi.ts'
import { PROBLEM_TITLES } from '../../contract/problems.ts'
import { pagePath } from '../../contract/site-paths.ts'
import { html, type Content } from '../page/html.ts'
import type { SiteFile, SiteInput } from '../page/input.ts'
import { pageOf } from '../page/page.ts'
import { folded } from '../sections/section.ts'
import { badgesOf } from '../pictures/badges.ts'
import { csvTables, otherFiles } from '../catalogues/data-files.ts'
import { EMBEDS, embedSnippet, type EmbedName } from '../embeds/embeds.ts'
import { RECIPES } from './recipes.ts'
import { baseNote, baseOf, block, bullets, code, docsPage, paragraphs, matrix, type DocsSection } from './docs-page.ts'
import { endpointSections } from './reference-endpoints.ts'

const PATH = 'docs/index.html'

export function referencePage(input: SiteInput): SiteFile {
  const sections: readonly DocsSection[] = [
    { id: 'start', heading: 'Start here', content: start(input) },
    { id: 'recipes', heading: 'Recipes', content: recipes(input) },
    { id: 'files', heading: 'Files', content: files(input) },
    { id: 'elsewhere', heading: 'Badges, embeds and feeds', content: elsewhere(input) },
    ...endpointSections(input),
    { id: 'times', heading: 'Times and periods', content: times(input) },
    { id: 'limits', heading: 'Limits and caching', content: limits() },
    { id: 'errors', heading: 'Errors', content: errors() },
    { id: 'changes', heading: 'What changed in the format', content: changes() },
  ]
  const page = { ...pageOf(input, 'en'), root: '../' }
  const text = docsPage(page, {
    title: 'Reference for programmers',
    description: `${input.words.title}: the files and the API, with parameters, documents, examples, limits and recipes.`,
    path: PATH,
    sections,
    other: [page.t.w.downloads.dictionary, pagePath('en', input.languages, { own: 'docs/data' })],
  })
  return { path: PATH, text }
}

function start(input: SiteInput): Content {
  const base = baseOf(input)
  const dictionary = pagePath('en', input.languages, { own: 'docs/data' })
  return html`${paragraphs(
    'All numbers are there twice: as files, which have no limit, and from an API, which takes parameters. Both are free, need no login, set no cookie, and may be read from any other site (CORS). Answers are JSON; tables are CSV, too.',
    'Take the files if you want whole tables. Take the API if you want a part: the trending ideas of one category, one table at another address for each question.',
  )}${matrix(
    ['what', 'where'],
    [
      ['files', html`${code(`${base}/`)}<em>path</em>`],
      [
        'API',
        html`${code(`${base}/api/`)}<em>endpoint</em>, where the site is served by its own program: a copy on another host has only the files`,
      ],
      ['the API for programs (OpenAPI 3.1)', html`<a href="..${OPENAPI_PATH}">${OPENAPI_PATH}</a>`],
      ['what each column of the tables means', html`<a href="../${dictionary}">${dictionary}</a>`],
      ['the same for programs (Data Package)', html`<a href="../datapackage.json">datapackage.json</a>`],
    ],
  )}${baseNote(input)}`
}

function recipes(input: SiteInput): Content {
  const base = baseOf(input)
  return html`${baseNote(input)}${RECIPES.map(
    ({ name, title, what, code: text }) => html`<h3 id="recipe-${name}">${title}</h3>
<p>${what}</p>
${block(text(base))}`,
  )}`
}

function files(input: SiteInput): Content {
  const rows = csvTables(input).map(({ path, title, rows: count, bytes }): readonly Content[] => {
    const json = path.replace(/csv$/, 'json')
    return [title, html`<a href="../${path}">${path}</a>`, html`<a href="../${json}">JSON</a>`, count, bytes]
  })
  return html`${paragraphs(
    'Every answer of the API is a file, too. `manifest.json` lists all of them with their sizes and hashes, and the key of each category, which is part of the names of its files.',
    'All files belong to one release and agree with each other. To read several of one instant, read `manifest.json` first, then the files below `snapshots/releases/` and its `id`, where they do not change.',
  )}${folded('The tables', matrix(['table', 'CSV', 'JSON', 'rows', 'bytes'], rows))}${matrix(
    ['file', 'what it is'],
    [
      ...Object.values(KINDS)
        .flatMap((kind) => kind.files)
        .map(([path, what]): readonly Content[] => [code(path), what]),
      ...otherFiles(input).map(({ path, title, description }): readonly Content[] => [
        html`<a href="../${path}">${path}</a>`,
        `${title}. ${description}`,
      ]),
    ],
  )}`
}

function elsewhere(input: SiteInput): Content {
  const { publicUrl, languages } = input
  const others = languages.slice(1)
  const base = `${baseOf(input)}/`
  const badge = (name: string): Content => html`<a class="target" href="../badges/${name}.svg">${name}</a>`
  const badges = Object.keys(badgesOf(pageOf(input)))
  const embeds = Object.keys(EMBEDS) as EmbedName[]
  return html`${paragraphs(
    'A badge is a small picture with one number; as JSON it is what shields.io asks of an endpoint badge. It is never an error: where there is no number it is grey and says so.',
  )}<p>${badges.map((name, i) => html`${i > 0 && ', '}${badge(name)}`)}</p>
${baseNote(input)}${block(`<img src="${base}badges/ideas.svg" alt="Number of ideas" height="20">`)}${
    publicUrl !== null && block(`https://img.shields.io/endpoint?url=${encodeURIComponent(`${base}badges/ideas.json`)}`)
  }${paragraphs(
    'An embed is a page without script and cookies for a frame. Its links open a new tab; in a sandbox they need `allow-popups`, and what they open is outside of the sandbox only with `allow-popups-to-escape-sandbox`.',
  )}${embeds.map((name) => block(embedSnippet(pageOf(input), name, base)))}${
    publicUrl === null
      ? paragraphs('Feeds need the public address of this site, which it was not told.')
      : html`<p>Launched ideas as a feed: <a href="../feeds/launched.atom">Atom</a> (RFC 4287), <a href="../feeds/launched.json">JSON Feed</a> 1.1. Launches without a date are in neither. <a href="../feeds/new.atom">New ideas</a> has the newest 200 of the last 7 days, <a href="../feeds/changes.atom">Changes</a> says when past numbers or the mapping changed, a month got its archive, and since when there are totals or the site is closed. The id of an entry never changes, and is the same in each language.</p>
`
  }${others.length > 0 && paragraphs(`In the other languages of the site each is in a folder: ${others.map((one) => `\`${one}/badges/ideas.svg\``).join(', ')}.`)}`
}

function times({ timeZone }: SiteInput): Content {
  return bullets([
    'Times are ISO 8601 in UTC with milliseconds and `Z`: always 24 characters.',
    `Days, months and years are those of the time zone ${timeZone}, which \`timeZone\` names unless it is UTC. They are dates, such as \`2026-03-29\`; a month or a year is named by its first day. An hour is the instant at which it begins, such as \`2026-03-28T23:00:00.000Z\`.`,
    '`dataAsOf` is the instant that all numbers of a release describe. `generatedAt` is the time at which an answer was made.',
    'A period is the window before `dataAsOf`, which includes its beginning and excludes its end. `24h` is 24 hours, `7d` is 168 hours. `all` is everything before `dataAsOf`.',
    'A key that begins with `previous` is for the window of equal length just before. It is null for `all`.',
    'Rows without a date count in totals and in `all` only.',
    'Clients must ignore keys and columns that they do not know: a minor version adds some, at the end of the columns.',
  ])
}

function limits(): Content {
  return html`${bullets([
    'The API allows each client 100 requests an hour, unless the site has chosen another number: `X-RateLimit-Limit` says which. A request over it gets 429 with `Retry-After`. A client is an IPv4 address or an IPv6 /56.',
    'Files have no limit.',
    'Send `If-None-Match` with the last `ETag`: 304 says that no number has changed. Answers of the API may be kept for `max-age` seconds, files of the current release for a minute.',
    'Send `Accept-Encoding: br` or `gzip`: an answer is a quarter to a tenth as large.',
  ])}${folded(
    'Headers of the API',
    matrix(
      ['header', 'meaning'],
      Object.entries(API_HEADERS).map(([name, { description }]) => [code(name), description.replaceAll('`', '')]),
    ),
  )}`
}

function errors(): Content {
  return html`${paragraphs(
    'An error is JSON with the keys `error`, a short title, and `message`, one or more sentences that name what is wrong and what is allowed. One 400 names every bad parameter.',
  )}${matrix(['status', 'error'], Object.entries(PROBLEM_TITLES))}`
}

/** What a reader of the data notices, by final version of the program, the newest first. */
export const CHANGES: readonly (readonly [version: string, changes: readonly string[]])[] = [
  [
    '1.0',
    [
      'The first version: totals, trending ideas, categories, activity over time and what became of the ideas; all as tables, too.',
      'What changed in past numbers is a table, `revisions`; each day has a line in `/snapshots/log.csv`, chained by sha256.',
      'Numbers of people may be rounded or left out: cells of people may be empty.',
      'Every release is a site: pages, `datapackage.json`, badges, charts, embeds and feeds; all CSV in one archive, workbooks for Excel.',
    ],
  ],
]

function changes(): Content {
  return html`${paragraphs(
    'The version of the format is 1.0. A minor version only adds keys, columns and files; nothing that is there changes its meaning.',
  )}${matrix(
    ['program', 'change'],
    CHANGES.map(([version, list]) => [version, bullets(list)]),
  )}`
}
