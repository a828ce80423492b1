import { describe, expect, test } from 'vitest'
import {
  checkColumns,
  COLUMNS,
  commonKeyType,
  RELATIONS,
  type ReturnedColumn,
  type Relation,
} from '../../../src/source/mapping/relations.ts'

const TYPES = {
  id: ['int8', 'N'],
  text: ['text', 'S'],
  timestamptz: ['timestamptz', 'D'],
  boolean: ['bool', 'B'],
  int: ['int4', 'N'],
}
const right = (relation: Relation): ReturnedColumn[] =>
  Object.entries(COLUMNS[relation]).map(([name, type]) => ({ name, type: TYPES[type][0]!, category: TYPES[type][1]! }))
const changed = (relation: Relation, column: string, type: string, category: string): ReturnedColumn[] =>
  right(relation).map((one) => (one.name === column ? { name: column, type, category } : one))
const NOTHING = { errors: [], warnings: [] }

test.each(RELATIONS)('%s with the columns it must have is right, in any order', (relation) => {
  expect(checkColumns(relation, right(relation))).toEqual(NOTHING)
  expect(checkColumns(relation, right(relation).reverse())).toEqual(NOTHING)
})

test('what is missing is missed by name', () => {
  const without = (relation: Relation, column: string) =>
    checkColumns(
      relation,
      right(relation).filter(({ name }) => name !== column),
    )
  expect(without('votes', 'value')).toEqual({
    errors: ['column value (int) is missing; return idea_id, user_id, value, created_at'],
    warnings: [],
  })
  expect(without('users', 'id').errors).toEqual([
    'column id (any type that casts to text, to one text for each value) is missing; return id, created_at',
  ])
})

test('a column more, or one twice, is an error that names it', () => {
  const extra = [
    ...right('users'),
    { name: 'email', type: 'text', category: 'S' },
    { name: 'ID', type: 'int8', category: 'N' },
  ]
  expect(checkColumns('users', extra).errors).toEqual([
    `column email is not one of users's; allowed: id, created_at`,
    `column ID is not one of users's; allowed: id, created_at`,
  ])
  expect(checkColumns('users', [...right('users'), right('users')[0]!]).errors).toEqual([
    'column id is returned 2 times; return it once',
  ])
})

test('all that is wrong is said at once', () => {
  expect(checkColumns('categories', [{ name: 'title', type: 'text', category: 'S' }]).errors).toEqual([
    'column name (text) is missing; return name',
    `column title is not one of categories's; allowed: name`,
  ])
})

describe('a type is right', () => {
  test.each([
    ['users', 'id', 'uuid', 'U'],
    ['users', 'id', 'text', 'S'],
    ['users', 'id', 'numeric', 'N'],
    ['users', 'id', 'my_enum', 'E'],
    ['ideas', 'title', 'varchar', 'S'],
    ['ideas', 'title', 'citext', 'S'],
    ['ideas', 'status', 'my_enum', 'E'],
    ['votes', 'value', 'int8', 'N'],
    ['votes', 'value', 'int2', 'N'],
  ] as const)('%s.%s %s', (relation, column, type, category) => {
    expect(checkColumns(relation, changed(relation, column, type, category))).toEqual(NOTHING)
  })
})

describe('a type is wrong, and the message says what to write', () => {
  const key = 'any type that casts to text, to one text for each value'
  const truth = 'a comparison that is true or false, never NULL'
  const epoch = 'for epoch seconds write to_timestamp(created_at), for milliseconds to_timestamp(created_at / 1000.0)'
  const zoned = `write (…)::timestamp AT TIME ZONE 'Europe/Paris' AS created_at, with your zone, or NULL::timestamptz where there is none`
  test.each([
    ['users', 'id', '_int4', 'A', key, 'write id::text'],
    ['users', 'id', 'bytea', 'U', key, 'write id::text'],
    ['users', 'id', 'record', 'P', key, 'write id::text'],
    ['ideas', 'title', 'jsonb', 'U', 'text', 'write title::text'],
    ['ideas', 'status', 'int4', 'N', 'text', 'write status::text'],
    ['ideas', 'launched', 'int4', 'N', 'boolean', `write ${truth}`],
    ['votes', 'value', 'numeric', 'N', 'int', 'write (value > 0)::int AS value'],
    ['votes', 'value', 'float8', 'N', 'int', 'write (value > 0)::int AS value'],
    ['ideas', 'id', 'citext', 'S', key, 'write lower(id::text) AS id, and so in every section'],
    ['votes', 'idea_id', 'numeric(10,2)', 'N', key, 'write idea_id::bigint AS idea_id'],
    ['comments', 'user_id', 'float8', 'N', key, 'write user_id::bigint AS user_id'],
    ['votes', 'value', 'bool', 'B', 'int', 'write value::int'],
    ['users', 'created_at', 'int8', 'N', 'timestamptz', epoch],
    ['users', 'created_at', 'date', 'D', 'timestamptz', zoned],
    ['users', 'created_at', 'text', 'S', 'timestamptz', zoned],
    ['votes', 'user_id', '_text', 'A', key, 'write user_id::text'],
  ] as const)('%s.%s %s', (relation, column, type, category, must, advice) => {
    const error = `column ${column} is ${type}, must be ${must}; ${advice}`
    expect(checkColumns(relation, changed(relation, column, type, category))).toEqual({ errors: [error], warnings: [] })
  })

  test('but timestamp without time zone is only warned of', () => {
    expect(checkColumns('comments', changed('comments', 'created_at', 'timestamp', 'D'))).toEqual({
      errors: [],
      warnings: [
        `column created_at is timestamp without time zone and is taken as UTC; write created_at AT TIME ZONE 'UTC' (or its zone) to say so`,
      ],
    })
  })
})

test.each([
  [['int4', 'int8', 'int2'], 'int8'],
  [['uuid', 'uuid'], 'uuid'],
  [['int4', 'text'], 'text'],
  [['uuid', 'text'], 'text'],
  [['int4', 'uuid'], 'text'],
  [['numeric', 'numeric'], 'text'],
  [['varchar'], 'text'],
])('keys of the types %j meet as %s', (types, key) => {
  expect(commonKeyType(types)).toBe(key)
})
