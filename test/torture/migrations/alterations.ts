// Owns the kinds of change that keep a table and alter it: columns, storage, indexes, partitions, children, rights. Knows no
// build.
import { columnsOf, ROLE, rowChanges, selectRows } from './contents.ts'
import { ANY, asIs, kind, nextStep, WHOLE_KINDS, type Kind } from './kinds.ts'
import { withRows, type Platform } from './platform.ts'

const PARTITION = 'ballots_2'
const ATTACH = `ALTER TABLE ballots ATTACH PARTITION ${PARTITION} FOR VALUES IN (2)`

async function attach(platform: Platform): Promise<void> {
  const next = { ...nextStep(platform), attached: true }
  const rows = `INSERT INTO ${PARTITION} (${columnsOf('ballots')}) ${selectRows('ballots', next, 'n % 3 = 2')}`
  const load = [`DELETE FROM ${PARTITION}`, rows]
  const before = platform.random() < 0.5
  if (before) await platform.prepare(load)
  const statements = [...(before ? [] : load), ATTACH]
  const others = next.step === platform.contents.step ? [] : rowChanges(next)
  await platform.transaction([...statements, ...others], { ...asIs(next), attached: true })
}

async function detach(platform: Platform): Promise<void> {
  const next = { ...nextStep(platform), attached: false }
  const detaching = [`ALTER TABLE ballots DETACH PARTITION ${PARTITION}`]
  await platform.transaction(withRows(platform, next, detaching, []), { ...asIs(next), attached: false })
}

const DETACHING = kind('DETACH PARTITION', 'harmful', detach)
const ATTACHING = kind('ATTACH PARTITION', 'harmful', attach)

const firstAttached =
  (attached: boolean) =>
  async (platform: Platform): Promise<void> => {
    if (platform.contents.attached === attached) return
    const { name, harm, run } = attached ? ATTACHING : DETACHING
    await platform.as(name, harm, () => run(platform))
    await platform.rest()
  }

const PARTITIONS: readonly Kind[] = [
  {
    ...ATTACHING,
    ready: firstAttached(false),
    async run(platform) {
      await firstAttached(false)(platform)
      await attach(platform)
    },
  },
  {
    ...DETACHING,
    ready: firstAttached(true),
    async run(platform) {
      await firstAttached(true)(platform)
      await detach(platform)
    },
  },
  kind(
    'DETACH PARTITION CONCURRENTLY',
    'harmful',
    async (platform) => {
      await firstAttached(true)(platform)
      await platform.alone(`ALTER TABLE ballots DETACH PARTITION ${PARTITION} CONCURRENTLY`, { attached: false })
    },
    firstAttached(true),
  ),
  kind('exchange of a partition', 'harmful', async (platform) => {
    const next = nextStep(platform)
    const rows = `INSERT INTO ballots_next (${columnsOf('ballots')}) ${selectRows('ballots', next, 'n % 3 = 1')}`
    await platform.prepare(['CREATE TABLE ballots_next (LIKE ballots_1 INCLUDING ALL)', rows])
    const exchanging = [
      'ALTER TABLE ballots DETACH PARTITION ballots_1',
      'DROP TABLE ballots_1',
      'ALTER TABLE ballots_next RENAME TO ballots_1',
      'ALTER TABLE ballots ATTACH PARTITION ballots_1 FOR VALUES IN (1)',
    ]
    const others = next.step === platform.contents.step ? [] : rowChanges(next)
    await platform.transaction([...exchanging, ...others], asIs(next))
  }),
  kind('INSERT into partitions and all other tables', 'none', async (platform) => {
    const step = platform.contents.step + 1
    await platform.transaction(rowChanges({ ...platform.contents, step }), { step })
  }),
  kind('INHERIT and NO INHERIT', 'harmful', async (platform) => {
    const inherited = !platform.contents.inherited
    const next = { ...nextStep(platform), inherited }
    const inheriting = [`ALTER TABLE old_notes ${inherited ? '' : 'NO '}INHERIT notes`]
    await platform.transaction(withRows(platform, next, inheriting, []), { ...asIs(next), inherited })
  }),
]

async function firstWithoutHidden(platform: Platform): Promise<void> {
  if (!platform.contents.readable) return
  await platform.transaction(['ALTER TABLE proposals DROP COLUMN hidden'], { readable: false })
  await platform.rest()
}

const COLUMNS: readonly Kind[] = [
  kind('ALTER COLUMN TYPE (rewrites)', 'harmful', async (platform) => {
    const next = nextStep(platform)
    const altering = [`ALTER TABLE ${platform.choose(ANY)} ALTER COLUMN filler TYPE int USING filler + 1`]
    await platform.transaction(withRows(platform, next, altering, []), asIs(next))
  }),
  kind(
    'ADD COLUMN hidden DEFAULT false + UPDATE',
    'harmful',
    async (platform) => {
      await firstWithoutHidden(platform)
      await platform.transaction(
        [
          'ALTER TABLE proposals ADD COLUMN hidden boolean DEFAULT false',
          'UPDATE proposals SET hidden = true WHERE n % 4 = 0',
          `GRANT SELECT (hidden) ON proposals TO ${ROLE}`,
        ],
        { readable: true },
      )
    },
    firstWithoutHidden,
  ),
  kind('ADD COLUMN with a constant default, DROP COLUMN', 'none', async (platform) => {
    const table = platform.choose(ANY)
    await platform.transaction([`ALTER TABLE ${table} ADD COLUMN extra int DEFAULT 7`])
    await platform.rest()
    await platform.transaction([`ALTER TABLE ${table} DROP COLUMN extra`])
  }),
  kind('ADD COLUMN with a volatile default (rewrites)', 'harmful', async (platform) => {
    const table = platform.choose(ANY)
    const next = nextStep(platform)
    const adding = [`ALTER TABLE ${table} ADD COLUMN extra float DEFAULT random()`]
    await platform.transaction(withRows(platform, next, adding, []), asIs(next))
    await platform.rest()
    await platform.transaction([`ALTER TABLE ${table} DROP COLUMN extra`], {}, 'none')
  }),
  kind('rename of a column away and back, one transaction', 'looks harmful', (platform) =>
    platform.transaction([
      'ALTER TABLE votes RENAME COLUMN user_id TO person_id',
      'ALTER TABLE votes RENAME COLUMN person_id TO user_id',
    ]),
  ),
  kind('rename of a column away and back, two transactions', 'looks harmful', async (platform) => {
    await platform.transaction(['ALTER TABLE votes RENAME COLUMN user_id TO person_id'], { readable: false })
    await platform.rest()
    await platform.transaction(['ALTER TABLE votes RENAME COLUMN person_id TO user_id'], { readable: true })
  }),
  kind('ENABLE and DISABLE ROW LEVEL SECURITY', 'looks harmful', async (platform) => {
    const table = platform.choose(ANY)
    await platform.transaction([`ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY`], { readable: false })
    await platform.rest()
    await platform.transaction([`ALTER TABLE ${table} DISABLE ROW LEVEL SECURITY`], { readable: true })
  }),
]

const STORAGE: readonly Kind[] = [
  kind('SET UNLOGGED, SET LOGGED (rewrites)', 'harmful', async (platform) => {
    const table = platform.choose(ANY)
    await platform.transaction([`ALTER TABLE ${table} SET UNLOGGED`])
    await platform.rest()
    await platform.transaction([`ALTER TABLE ${table} SET LOGGED`])
  }),
  kind('VACUUM FULL', 'looks harmful', (platform) => platform.alone(`VACUUM FULL ${platform.choose(ANY)}`)),
  kind('CLUSTER', 'looks harmful', async (platform) => {
    const table = platform.choose(ANY)
    const index =
      await platform.ask(`SELECT quote_ident(relname) FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
                                       WHERE i.indrelid = '${table}'::regclass AND i.indisprimary`)
    await platform.transaction([`CLUSTER ${table} USING ${index}`])
  }),
  kind('VACUUM, ANALYZE', 'none', (platform) =>
    platform.alone(`${platform.choose(['VACUUM', 'ANALYZE'])} ${platform.choose(ANY)}`),
  ),
  kind('CREATE INDEX, DROP INDEX', 'none', async (platform) => {
    const table = platform.choose(ANY)
    const create = (how: string): string => `CREATE INDEX ${how} extra_index ON ${table} (filler)`
    if (platform.random() < 0.5) await platform.alone(create('CONCURRENTLY'))
    else await platform.transaction([create('')])
    await platform.rest()
    await platform.transaction(['DROP INDEX extra_index'])
  }),
  kind('REINDEX', 'none', (platform) => platform.transaction([`REINDEX TABLE ${platform.choose(ANY)}`])),
  kind('REINDEX CONCURRENTLY', 'none', (platform) =>
    platform.alone(`REINDEX TABLE CONCURRENTLY ${platform.choose(ANY)}`),
  ),
  kind('the site closes and opens by UPDATE', 'none', async (platform) => {
    const turn = async (closed: boolean): Promise<void> => {
      const next = { ...nextStep(platform), closed }
      await platform.transaction(rowChanges(next), asIs(next))
    }
    const { closed } = platform.contents
    await turn(!closed)
    await platform.rest()
    await turn(closed)
  }),
]

export const KINDS: readonly Kind[] = [...WHOLE_KINDS, ...PARTITIONS, ...COLUMNS, ...STORAGE]
