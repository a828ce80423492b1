// Owns the endpoints in the reference: parameters, an answer of this release, and what its fields mean, from the contract.
import type { Endpoint } from '../../contract/kinds/kind.ts'
import type { Parameter } from '../../contract/kinds/parameter.ts'
import { ENDPOINTS, type EndpointName } from '../../contract/kinds/register.ts'
import { VERSION } from '../../contract/kinds/shape.ts'
import { type ExportRow, EXPORT_TYPES } from '../../contract/kinds/tables.ts'
import { cutTrending } from '../../contract/kinds/trending.ts'
import { fieldsOf, exportSchemaName } from '../../contract/schemas.ts'
import { snapshotPath } from '../../contract/snapshot-paths.ts'
import { allowedValues } from '../../contract/parse-query.ts'
import { html, type Content } from '../html.ts'
import type { SiteInput } from '../input.ts'
import { exampleText } from '../shared/example-text.ts'
import { block, code, folded, prose, table, type DocsSection } from './docs-page.ts'

interface Example {
  readonly query: string
  /** The same as a file. */
  readonly path: string
  readonly document: (input: SiteInput) => object
}

const EXAMPLES: Readonly<Record<EndpointName, Example>> = {
  stats: {
    query: '',
    path: snapshotPath({ endpoint: 'stats' }),
    document: ({ documents }) => documents.stats,
  },
  trending: {
    query: '?period=7d&limit=2',
    path: snapshotPath({ endpoint: 'trending', period: '7d', category: null }),
    document: ({ documents }) => cutTrending(documents.trending['7d'], 2),
  },
  categories: {
    query: '?period=30d',
    path: snapshotPath({ endpoint: 'categories', period: '30d' }),
    document: ({ documents }) => documents.categories['30d'],
  },
  timeline: {
    query: '?period=7d',
    path: snapshotPath({ endpoint: 'timeline', period: '7d', interval: 'day', category: null }),
    document: ({ documents }) => documents.timelines['7d'],
  },
  outcomes: {
    query: '',
    path: snapshotPath({ endpoint: 'outcomes', category: null }),
    document: ({ documents }) => documents.outcomes,
  },
  export: {
    query: '?type=overview&period=30d',
    path: snapshotPath({ endpoint: 'export', type: 'overview', period: '30d', format: 'json' }),
    document: overviewExport,
  },
}

const SCHEMAS_OF: Readonly<Record<EndpointName, readonly string[]>> = {
  stats: ['Stats'],
  trending: ['Trending'],
  categories: ['Categories'],
  timeline: ['Timeline'],
  outcomes: ['Outcomes'],
  export: EXPORT_TYPES.map(exportSchemaName),
}

function overviewExport({ documents, dataAsOf }: SiteInput): object {
  const { from, to } = documents.categories['30d']
  const data: readonly ExportRow[] = documents.overview['30d']
  return { type: 'overview', period: '30d', from, to, data, rowCount: data.length, dataAsOf }
}

export function endpointSections(input: SiteInput): DocsSection[] {
  return Object.values(ENDPOINTS).map((endpoint) => ({
    id: endpoint.name,
    heading: endpoint.summary,
    content: endpointContent(endpoint, input),
  }))
}

function endpointContent({ name, path, parameters }: Endpoint<EndpointName>, input: SiteInput): Content {
  const { query, path: file, document } = EXAMPLES[name]
  // In the release it is made when the numbers are read.
  const answer = { ...document(input), generatedAt: input.dataAsOf, version: VERSION }
  const fields = SCHEMAS_OF[name].map((schema) =>
    folded(
      SCHEMAS_OF[name].length === 1 ? 'Fields' : `Fields of ${schema.replace('Export', 'type ').toLowerCase()}`,
      table(
        ['field', 'type', 'meaning'],
        fieldsOf(schema).map((field) => [code(field.path), field.type, prose(field.description)]),
      ),
    ),
  )
  return html`<p>${code(`GET ${path}`)}</p>
${parameters.length === 0 ? html`<p>It has no parameters.</p>\n` : table(['parameter', 'allowed', 'default', 'meaning'], parameters.map(parameterCells))}<p>${code(`GET ${path}${query}`)}, or as a file <a href="../${file}">${file}</a>:</p>
${block(exampleText(answer))}${fields}`
}

function parameterCells(parameter: Parameter): readonly Content[] {
  const byDefault =
    'default' in parameter
      ? String(parameter.default)
      : parameter.kind === 'category'
        ? 'all ideas'
        : 'that of the period'
  return [code(parameter.name), allowedValues(parameter), byDefault, prose(parameter.description)]
}
