// JSON Schema of what Data Package 2.0 (datapackage.org, 26 June 2024: Data Package, Data Resource, Table Schema) asks of a
// descriptor such as ours, written from the text of the standard. Stricter where ours says more: unknown types do not pass.

const text = { type: 'string', minLength: 1 }
/** Relative, without a way out of the folder; or an address. */
const path = { type: 'string', pattern: '^(?:(?![./~]|file:)(?!.*(?:\\.\\./|\\\\|://)).+|https?://.+)$' }
const name = { type: 'string', pattern: '^[a-z0-9._-]+$' }

const missingValues = {
  type: 'array',
  items: {
    type: 'object',
    required: ['value', 'label'],
    properties: { value: { type: 'string' }, label: text },
    additionalProperties: false,
  },
}

/** The constraints that Table Schema defines for a type. */
function field(type: string, constraints: object): object {
  return {
    type: 'object',
    required: ['name', 'type', 'description'],
    properties: {
      name: text,
      type: { const: type },
      description: text,
      unit: text,
      missingValues,
      constraints: { type: 'object', properties: constraints, additionalProperties: false },
    },
    additionalProperties: false,
  }
}

const required = { type: 'boolean' }
const FIELDS = [
  field('string', {
    required,
    enum: { type: 'array', minItems: 1, uniqueItems: true, items: { type: 'string' } },
    pattern: { type: 'string', format: 'regex' },
  }),
  field('integer', { required, minimum: { type: 'integer' } }),
  field('boolean', { required }),
  field('number', { required, minimum: { type: 'number' } }),
  field('datetime', { required }),
  field('date', { required }),
]

export const DATA_PACKAGE_SCHEMA = {
  type: 'object',
  required: ['$schema', 'name', 'title', 'description', 'created', 'resources'],
  properties: {
    $schema: { const: 'https://datapackage.org/profiles/2.0/datapackage.json' },
    name,
    id: { type: 'string', format: 'uri' },
    homepage: { type: 'string', format: 'uri' },
    title: { type: 'string' },
    description: text,
    created: { type: 'string', format: 'date-time' },
    contributors: {
      type: 'array',
      minItems: 1,
      items: {
        type: 'object',
        minProperties: 1,
        properties: {
          title: { type: 'string' },
          path,
          email: { type: 'string', format: 'email' },
          roles: { type: 'array', minItems: 1, items: text },
        },
        additionalProperties: false,
      },
    },
    licenses: {
      type: 'array',
      minItems: 1,
      items: {
        type: 'object',
        anyOf: [{ required: ['name'] }, { required: ['path'] }],
        properties: { name: { type: 'string', pattern: '^[-a-zA-Z0-9._]+$' }, path, title: text },
        additionalProperties: false,
      },
    },
    resources: {
      type: 'array',
      minItems: 1,
      items: {
        type: 'object',
        required: ['name', 'path'],
        properties: {
          name,
          type: { const: 'table' },
          path,
          title: text,
          description: text,
          format: { const: 'csv' },
          mediatype: { type: 'string', pattern: '^.+/.+$' },
          encoding: { const: 'utf-8' },
          bytes: { type: 'integer', minimum: 0 },
          schema: {
            type: 'object',
            required: ['fields'],
            properties: { fields: { type: 'array', minItems: 1, items: { oneOf: FIELDS } } },
            additionalProperties: false,
          },
        },
        additionalProperties: false,
      },
    },
  },
  additionalProperties: false,
}
