// Owns the names of what the API answers, with the JSON Schema of each and what each of its fields means. The shapes themselves
// are those of the kinds.
import { KINDS } from './kinds/register.ts'
import { EMPTY, object, text, type Schema, type Shape, type Shapes } from './kinds/shape.ts'

const SHAPES: Shapes = {
  ...Object.fromEntries(Object.values(KINDS).flatMap(({ shapes = {} }) => Object.entries(shapes))),
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
