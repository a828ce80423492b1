// src/builder/setup/role.ts: set-ups at the same time that make the same role. Between what one has read and what it does about it,
// another one does all of its own: only one of them may say that the role is its own, and that one's password is the role's.
// real test: needs two sessions of a PostgreSQL
import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { endRole, makeRole, newMark } from '../../../src/builder/setup/role.ts'
import { describeWithPostgres } from '../../support/postgres.ts'

const READS = { requires: [], searchPath: null }

describeWithPostgres('two set-ups of one role', (postgres) => {
  let [one, other]: Client[] = []
  const [mark, otherMark] = [newMark(), newMark()]
  let role = ''
  let roles = 0
  beforeAll(async () => {
    await postgres().psql('CREATE ROLE admin LOGIN CREATEROLE', 'postgres')
    const url = (await postgres().createDatabase('town')).replace('postgres@', 'admin@')
    ;[one, other] = [new Client(url), new Client(url)]
    for (const client of [one, other]) await client.connect()
  })
  afterAll(() => Promise.all([one?.end(), other?.end()]))

  const noteOf = (): Promise<string> =>
    postgres().psql(
      `SELECT coalesce(shobj_description(oid, 'pg_authid'), 'kept') FROM pg_roles WHERE rolname = '${role}'`,
    )
  const limitOf = (): Promise<string> => postgres().psql(`SELECT rolconnlimit FROM pg_roles WHERE rolname = '${role}'`)
  /** In place of a password, which nobody may read: how many sessions it may have. */
  const scriptOf = (sessions: number): string => `BEGIN;\nALTER ROLE ${role} CONNECTION LIMIT ${sessions};\nCOMMIT;\n`
  const make = (client = one!, as = mark, sessions = 1): Promise<void> =>
    makeRole(client, as, scriptOf(sessions), role, READS)
  const makeOther = (): Promise<void> => make(other, otherMark, 2)

  /** After the first words to the server: what was read is what was so before. */
  function meanwhile(work: () => Promise<unknown>): Client {
    let isOver = false
    const query = async (text: string): Promise<unknown> => {
      const result: unknown = await one!.query(text)
      if (!isOver) {
        isOver = true
        await work()
      }
      return result
    }
    return { query } as unknown as Client
  }
  const next = (): void => void (role = `reader_${(roles += 1)}`)

  test.each([
    ['and is kept', async () => expect(await endRole(other!, otherMark, role, 'keep')).toBe(true), 'kept'],
    ['and is not kept yet', () => Promise.resolve(), otherMark],
  ])('one that was made meanwhile %s is not made anew', async (_, then, note) => {
    next()
    const client = meanwhile(async () => {
      await makeOther()
      await then()
    })
    await expect(make(client)).rejects.toThrow(`role ${role} was made meanwhile`)
    expect([await noteOf(), await limitOf()]).toEqual([note, '2'])
  })

  test('one of a set-up that did not end, and that another one keeps meanwhile, is not made anew', async () => {
    next()
    await makeOther()
    const client = meanwhile(() => endRole(other!, otherMark, role, 'keep'))
    await expect(make(client)).rejects.toThrow(`role ${role} was made meanwhile`)
    expect([await noteOf(), await limitOf()]).toEqual(['kept', '2'])
  })

  test.each(['keep', 'remove'] as const)('one that was made anew meanwhile is not ours to %s', async (how) => {
    next()
    await make()
    expect(await endRole(meanwhile(makeOther), mark, role, how)).toBe(false)
    expect([await noteOf(), await limitOf()]).toEqual([otherMark, '2'])
    expect(await endRole(other!, otherMark, role, 'keep')).toBe(true)
  })

  test('one whose row somebody is changing is waited for, and then not made anew', async () => {
    next()
    await makeOther()
    await other!.query(`BEGIN; ALTER ROLE ${role} LOGIN`)
    // It may be refused while COMMIT is still on its way back: whoever hears of it listens from the beginning.
    const refused = expect(make()).rejects.toThrow(`role ${role} was made meanwhile`)
    const waits = (): Promise<string> => postgres().psql(`SELECT count(*) FROM pg_locks WHERE NOT granted`)
    await expect.poll(waits).not.toBe('0')
    await other!.query('COMMIT')
    await refused
  })

  test('rights that somebody else is changing are waited for, and then given, or taken away', async () => {
    next()
    const grant = `GRANT SELECT ON TABLE ideas TO ${role}`
    const ofOther = `BEGIN; GRANT SELECT ON TABLE ideas TO somebody_${roles}`
    await postgres().psql(
      `CREATE TABLE ideas(); ALTER TABLE ideas OWNER TO admin; CREATE ROLE somebody_${roles}`,
      'town',
    )
    const waits = (): Promise<string> => postgres().psql(`SELECT count(*) FROM pg_locks WHERE NOT granted`)
    const beside = async <T>(work: () => Promise<T>): Promise<T> => {
      await other!.query(ofOther)
      const working = work()
      await expect.poll(waits).not.toBe('0')
      await other!.query('COMMIT')
      return working
    }
    await beside(() => makeRole(one!, mark, `BEGIN;\n${grant};\nCOMMIT;\n`, role, READS))
    expect(await noteOf()).toBe(mark)
    await other!.query(`REVOKE SELECT ON TABLE ideas FROM somebody_${roles}`)
    expect(await beside(() => endRole(one!, mark, role, 'remove'))).toBe(true)
    expect(await noteOf()).toBe('')
  })

  test('one of nobody is made and kept, or removed', async () => {
    for (const [how, there] of [
      ['keep', 'kept'],
      ['remove', ''],
    ] as const) {
      next()
      await make()
      expect([await noteOf(), await limitOf()]).toEqual([mark, '1'])
      expect(await endRole(one!, mark, role, how)).toBe(true)
      expect(await noteOf()).toBe(there)
    }
  })
})
