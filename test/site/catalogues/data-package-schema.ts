// JSON Schema of what Data Package 2.0 (datapackage.org, 26 June 2024: Data Package, Data Resource, Table Schema) asks of a
// descriptor such as ours, written from the text of the standard. Stricter where ours says more: unknown types do not pass.

const string = { type: 'string' }
const text = { type: 'string', minLength: 1 }
const uri = { type: 'string', format: 'uri' }
const pattern = (of: string) => ({ type: 'string', pattern: of })
const some = (items: object) => ({ type: 'array', minItems: 1, items })
const object = (properties: object, ...required: string[]) => ({
  type: 'object',
  required,
  properties,
  additionalProperties: false,
})

/** Relative, without a way out of the folder; or an address. */
const path = pattern('^(?:(?![./~]|file:)(?!.*(?:\\.\\./|\\\\|://)).+|https?://.+)$')
const name = pattern('^[a-z0-9._-]+$')
const missingValues = { type: 'array', items: object({ value: string, label: text }, 'value', 'label') }

/** @param constraints those that Table Schema defines for a type */
function field(type: string, constraints: object = {}): object {
  const about = { name: text, type: { const: type }, description: text, unit: text, missingValues }
  const required = { type: 'boolean' }
  return object({ ...about, constraints: object({ required, ...constraints }) }, 'name', 'type', 'description')
}

const FIELDS = [
  field('string', { enum: { ...some(string), uniqueItems: true }, pattern: { type: 'string', format: 'regex' } }),
  field('integer', { minimum: { type: 'integer' } }),
  field('boolean'),
  field('number', { minimum: { type: 'number' } }),
  field('datetime'),
  field('date'),
]

const contributor = object({ title: string, path, email: { type: 'string', format: 'email' }, roles: some(text) })
const license = object({ name: pattern('^[-a-zA-Z0-9._]+$'), path, title: text })
const table = {
  name,
  type: { const: 'table' },
  path,
  title: text,
  description: text,
  format: { const: 'csv' },
  mediatype: pattern('^.+/.+$'),
  encoding: { const: 'utf-8' },
  bytes: { type: 'integer', minimum: 0 },
  schema: object({ missingValues: { const: [''] }, fields: some({ oneOf: FIELDS }) }, 'missingValues', 'fields'),
}

const REQUIRED = ['$schema', 'name', 'title', 'description', 'created', 'resources']
export const DATA_PACKAGE_SCHEMA = object(
  {
    $schema: { const: 'https://datapackage.org/profiles/2.0/datapackage.json' },
    name,
    id: uri,
    homepage: uri,
    title: string,
    description: text,
    created: { type: 'string', format: 'date-time' },
    contributors: some({ ...contributor, minProperties: 1 }),
    licenses: some({ ...license, anyOf: [{ required: ['name'] }, { required: ['path'] }] }),
    resources: some(object(table, 'name', 'path')),
  },
  ...REQUIRED,
)
