// Owns the endpoints in the reference: parameters, an answer of this release, and what its fields mean, from the contract.
import type { Endpoint } from '../../contract/kinds/kind.ts'
import type { Parameter } from '../../contract/kinds/parameter.ts'
import { ENDPOINTS, KINDS, type Combination, type EndpointName } from '../../contract/kinds/register.ts'
import { VERSION } from '../../contract/kinds/shape.ts'
import { cutTrending } from '../../contract/kinds/trending.ts'
import { documentFields } from '../../contract/schemas.ts'
import { snapshotPath } from '../../contract/snapshot-paths.ts'
import { html, type Content } from '../page/html.ts'
import type { SiteInput } from '../page/input.ts'
import { folded } from '../sections/section.ts'
import { block, code, prose, matrix, type DocsSection } from './docs-page.ts'

/** The answer to the example of each, from what the site has. */
const ANSWERS: Readonly<Record<EndpointName, (input: SiteInput) => object>> = {
  stats: ({ documents }) => documents.stats,
  outcomes: ({ documents }) => documents.outcomes,
  trending: ({ documents }) => cutTrending(documents.trending['7d'], 2),
  categories: ({ documents }) => documents.categories['30d'],
  timeline: ({ documents }) => documents.timelines['7d'],
  export: overviewExport,
}

function overviewExport({ documents, dataAsOf }: SiteInput): object {
  const { from, to } = documents.categories['30d']
  const data = documents.overview['30d']
  return { type: 'overview', period: '30d', from, to, data, rowCount: data.length, dataAsOf }
}

export function endpointSections(input: SiteInput): DocsSection[] {
  return Object.values(ENDPOINTS).map((endpoint) => ({
    id: endpoint.name,
    heading: endpoint.summary,
    content: endpointContent(endpoint, input),
  }))
}

function endpointContent(
  { name, path, parameters, example }: Endpoint<EndpointName, Combination>,
  input: SiteInput,
): Content {
  const file = snapshotPath(example.of)
  // In a release an answer is made when the numbers are read.
  const answer = { ...ANSWERS[name](input), generatedAt: input.dataAsOf, version: VERSION }
  const schemas = Object.keys(KINDS[name].shapes ?? {})
  const fields = schemas.map((schema) =>
    folded(
      schemas.length === 1 ? 'Fields' : `Fields of ${schema.replace('Export', 'type ').toLowerCase()}`,
      matrix(
        ['field', 'type', 'meaning'],
        documentFields(schema).map((field) => [code(field.path), field.type, prose(field.description)]),
      ),
    ),
  )
  return html`<p>${code(`GET ${path}`)}</p>
${parameters.length === 0 ? html`<p>It has no parameters.</p>\n` : matrix(['parameter', 'allowed', 'default', 'meaning'], parameters.map(parameterCells))}<p>${code(`GET ${path}${example.query}`)}, or as a file <a href="../${file}">${file}</a>:</p>
${block(exampleText(answer))}${fields}`
}

function parameterCells({ name, allowed, json, byDefault, description }: Parameter): readonly Content[] {
  const follows = byDefault === null ? 'all ideas' : 'that of the period'
  const shown = 'default' in json ? `${byDefault as string | number}` : follows
  return [code(name), allowed, shown, prose(description)]
}

const MAX_ITEMS = 2
const MAX_TEXT = 100
const REST = '…'

/** JSON, but for `…` where something is left out. */
export function exampleText(value: unknown): string {
  const cut = (_: string, one: unknown): unknown => {
    if (typeof one === 'string') return cutText(one)
    // How many are left out is not said: the site is given the first of the categories only.
    return Array.isArray(one) && one.length > MAX_ITEMS ? [...one.slice(0, MAX_ITEMS), REST] : one
  }
  return JSON.stringify(value, cut, 2).replaceAll(/^( *)"…"$/gm, `$1${REST}`)
}

function cutText(text: string): string {
  const points = Array.from(text.slice(0, 4 * MAX_TEXT))
  return points.length <= MAX_TEXT && text.length <= 4 * MAX_TEXT
    ? text
    : `${points.slice(0, MAX_TEXT).join('')}${REST}`
}
