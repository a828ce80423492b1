// Owns the names of what the API answers, with the JSON Schema of each and what each of its fields means. The shapes themselves
// are those of the kinds.
import { exportShape } from './kinds/export.ts'
import { KINDS } from './kinds/register.ts'
import { EMPTY, object, text, type Schema, type Shape } from './kinds/shape.ts'
import { EXPORT_TYPES, type ExportType } from './kinds/tables.ts'

/** The component name of an endpoint's schema: ByMonth for by-month. */
function schemaName(kind: string): string {
  return kind.replaceAll(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

export function exportSchemaName(type: ExportType): string {
  return `Export${schemaName(type)}`
}

export function schemaNames(kind: keyof typeof KINDS): readonly string[] {
  if (kind === 'export') return EXPORT_TYPES.map(exportSchemaName)
  return KINDS[kind].shape === undefined ? [] : [schemaName(kind)]
}

const SHAPES: Readonly<Record<string, Shape<unknown>>> = {
  ...Object.fromEntries(
    Object.entries(KINDS).flatMap(([kind, { shape }]) => (shape === undefined ? [] : [[schemaName(kind), shape]])),
  ),
  ...Object.fromEntries(EXPORT_TYPES.map((type) => [exportSchemaName(type), exportShape(type)])),
  Problem: object('', {
    error: text('A short title, one for each status.'),
    message: text('One or more sentences: what is wrong, and what is allowed.'),
  }),
}

/** Schemas by component name, as the OpenAPI document lists them. */
export const SCHEMAS: Readonly<Record<string, Schema>> = Object.fromEntries(
  Object.entries(SHAPES).map(([name, { json }]) => [name, json]),
)

export interface Field {
  /** `buckets[].votes`: `[]` = of each element of a list. */
  readonly path: string
  /** The type in the words of JSON: `integer`, `string or null`. */
  readonly type: string
  readonly description: string
}

/** Every field of a document (a name in SCHEMAS), in its order; objects and lists before what is in them. */
export function documentFields(name: string): readonly Field[] {
  return [...walk('', SHAPES[name] ?? object('', {}))]
}

function* walk(prefix: string, { properties = {} }: Shape<unknown>): Generator<Field> {
  for (const [name, shape] of Object.entries(properties)) {
    const { json, description, empty, items } = shape
    const path = prefix + name
    yield {
      path,
      type: typeOf(json),
      description: empty === undefined ? description : `${description} null: ${EMPTY[empty]}`,
    }
    yield* walk(`${path}.`, shape)
    if (items !== undefined) yield* walk(`${path}[].`, items)
  }
}

function typeOf(schema: Schema): string {
  const values = schema['enum'] as readonly unknown[] | undefined
  if (values !== undefined) return `one of ${values.join(', ')}`
  if (schema['const'] !== undefined) return JSON.stringify(schema['const'])
  const items = schema['items'] as Schema | undefined
  if (items !== undefined) return `list of ${items['properties'] === undefined ? `${typeOf(items)}s` : 'objects'}`
  const format = schema['format'] === 'date-time' ? 'time' : schema['format'] === 'date' ? 'date' : null
  return [schema['type']]
    .flat()
    .map((type) => (type === 'string' && format !== null ? format : String(type)))
    .join(' or ')
}
