// Whether a build publishes the numbers of people that were published of its day: people-of-day.ts, and how they are kept.
import { chmodSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { assert, constantFrom, property } from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  keptPeopleOf,
  peopleOfToday,
  withPeople,
  type PeopleOfRelease,
} from '../../../src/builder/run/people-of-day.ts'
import type { BuildRequest } from '../../../src/builder/run/request.ts'
import { PEOPLE_MODES, peopleTime } from '../../../src/contract/people.ts'
import type { Log } from '../../../src/process/log.ts'
import { releasePaths } from '../../../src/release/format/paths.ts'
import { parsePeopleOfDay, peopleOfDayText, type PeopleOfDay } from '../../../src/release/format/people-of-day.ts'
import { readPeopleOfDay } from '../../../src/release/reading/people-of-day.ts'
import { keepPeople } from '../../../src/release/writing/keep-past.ts'
import { prune } from '../../../src/release/writing/prune.ts'
import type { ConsistentRead } from '../../../src/source/read/consistent-read.ts'
import { crowds, factsOf } from '../../analytics/people-facts.ts'
import { aboutOf, publishSamples, temporaryFolder } from '../../release/sample-release.ts'

const AS_OF_MS = Date.parse('2026-05-20T09:30:00.000Z')
const HOUR_MS = 3_600_000
const ID = '20260520T093000000Z-0123abcd'
const { mapping: MAPPING } = aboutOf(AS_OF_MS)
const HERE = { joinedMs: AS_OF_MS - 40 * HOUR_MS, did: [{ atMs: AS_OF_MS - 30 * HOUR_MS, kind: 'voters' as const }] }
const FACTS = factsOf([HERE, HERE, { ...HERE, joinedMs: null }], 'rounded', AS_OF_MS)
const KEPT: PeopleOfDay = {
  asOfMs: peopleTime('rounded', AS_OF_MS).asOfMs,
  mapping: MAPPING,
  rowSecurity: 'off',
  facts: FACTS,
  skipped: [{ reason: 'id is NULL', rows: 3 }],
}
const CURRENT: PeopleOfRelease = {
  id: ID,
  dataAsOf: new Date(AS_OF_MS).toISOString(),
  mapping: MAPPING,
  people: 'rounded',
}

interface Asked {
  readonly current?: PeopleOfRelease | null
  readonly request?: Partial<BuildRequest>
  readonly people?: BuildRequest['analytics']['people']
  readonly asOfMs?: number
}

async function asked(snapshots: string, given: Asked = {}): Promise<{ found: PeopleOfDay | null; said: string[] }> {
  const { current = CURRENT, request = {}, people = 'rounded', asOfMs = AS_OF_MS + HOUR_MS } = given
  const said: string[] = []
  const log = { warn: (_: object, text: string) => void said.push(text.replaceAll(snapshots, 'DIR')) } as unknown as Log
  const common = { analytics: { people }, mapping: MAPPING, rowSecurity: 'off', paths: releasePaths(snapshots) }
  const found = await peopleOfToday(current, { ...common, ...request } as BuildRequest, asOfMs, log)
  return { found, said }
}

async function folderWithKept(): Promise<string> {
  const snapshots = temporaryFolder()
  await keepPeople(releasePaths(snapshots), ID, KEPT)
  return snapshots
}

describe('the numbers of people of a later release of the day', () => {
  it.each(['rounded', 'off'] as const)('are those of the current release, with --people %s', async (people) => {
    expect(await asked(await folderWithKept(), { people })).toEqual({ found: KEPT, said: [] })
    expect(await asked(await folderWithKept(), { people, asOfMs: Date.UTC(2026, 4, 20, 23, 59, 59, 999) })).toEqual({
      found: KEPT,
      said: [],
    })
  })

  it.each<[string, Asked]>([
    ['it is the first release', { current: null }],
    ['the day is over', { asOfMs: Date.UTC(2026, 4, 21) }],
    ['numbers are exact', { people: 'exact' }],
    ['they were exact', { current: { ...CURRENT, people: 'exact' } }],
    ['the mapping is another', { request: { mapping: { ...MAPPING, sha256: 'b' } as never } }],
    ['the current release is of another mapping', { current: { ...CURRENT, mapping: { ...MAPPING, name: 'other' } } }],
    ['row-level security is applied', { request: { rowSecurity: 'apply' } }],
  ])('are counted when %s', async (_, given) => {
    expect(await asked(await folderWithKept(), given)).toEqual({ found: null, said: [] })
  })

  it('are counted again when nothing was kept that can be read, and that is said', async () => {
    const snapshots = await folderWithKept()
    const path = join(snapshots, '.state', `${ID}.people.json`)
    const again = `the numbers of people of today are counted again, and may differ from those of ${ID}: `
    for (const [spoil, why] of [
      [() => truncateSync(path, 100), /: it is not JSON: /],
      [() => writeFileSync(path, 'null'), /: its format is undefined, must be 1$/],
      [() => writeFileSync(path, peopleOfDayText(KEPT, `${ID}x`)), /: it is that of "2026/],
      [() => rmSync(path), /DIR\/\.state\/.*ENOENT|is not there|no such file/],
    ] as const) {
      spoil()
      const { found, said } = await asked(snapshots)
      expect(found).toBeNull()
      expect(said).toHaveLength(1)
      expect(said[0]).toContain(again)
      expect(said[0]).toMatch(why)
    }
  })
})

describe('what is kept', () => {
  it('is read back as it was', () => {
    assert(
      property(crowds(AS_OF_MS), constantFrom('rounded' as const, 'off' as const), (people, mode) => {
        const kept = { ...KEPT, facts: factsOf(people, mode, AS_OF_MS) }
        expect(parsePeopleOfDay(peopleOfDayText(kept, ID), ID)).toEqual(kept)
      }),
      { numRuns: 30 },
    )
  })

  it('is not read when any part of it is missing or no count', () => {
    const parts: (readonly [string, object])[] = [
      ['asOfMs', { asOfMs: 1.5 }],
      ['mapping', { mapping: { name: 'native' } }],
      ['rowSecurity', { rowSecurity: 'on' }],
      ['skipped', { skipped: [{ reason: 'x', rows: -1 }] }],
      ['facts', { facts: { ...FACTS, accounts: { ...FACTS.accounts, since: [1] } } }],
      ['facts', { facts: { ...FACTS, active: { ...FACTS.active, all: null } } }],
      ['facts', { facts: { ...FACTS, buckets: FACTS.buckets.slice(1) } }],
      [
        'facts',
        {
          facts: {
            ...FACTS,
            buckets: FACTS.buckets.map((list) => list.map((bucket) => ({ ...bucket, voters: null }))),
          },
        },
      ],
    ]
    for (const [key, change] of parts)
      expect(parsePeopleOfDay(peopleOfDayText({ ...KEPT, ...change }, ID), ID)).toBe(
        `its ${key} is missing or of the wrong type`,
      )
  })

  it('is for its user only, stays as long as its release, and goes with it', async () => {
    const snapshots = temporaryFolder()
    const paths = releasePaths(snapshots)
    const ids = await publishSamples(snapshots, AS_OF_MS - 2 * HOUR_MS, AS_OF_MS - HOUR_MS, AS_OF_MS)
    for (const id of ids) await keepPeople(paths, id, KEPT)
    chmodSync(paths.state, 0o755)
    await keepPeople(paths, ids[2] ?? '', KEPT)
    expect(statSync(paths.state).mode & 0o777).toBe(0o700)
    expect(readFileSync(join(paths.state, `${ids[2]}.people.json`), 'utf8')).toContain('"id is NULL"')
    await prune(paths, 1, Date.now() + 24 * HOUR_MS)
    // The current one, and the one before it.
    expect(await readPeopleOfDay(paths, ids[2] ?? '')).toEqual(KEPT)
    expect(await readPeopleOfDay(paths, ids[1] ?? '')).toEqual(KEPT)
    expect(await readPeopleOfDay(paths, ids[0] ?? '')).toMatch(/people\.json/)
  })

  it('of a candidate is what it counted, or was given; of exact numbers and of a closed site nothing', () => {
    const request = (people: BuildRequest['analytics']['people']) => ({ analytics: { people } }) as BuildRequest
    const ignored = [
      { relation: 'users', reason: 'id is NULL', rows: 3 },
      { relation: 'votes', reason: 'value is NULL', rows: 4 },
    ] as const
    const exact = { facts: FACTS, reported: undefined as never, ignored }
    const manifest = { ...aboutOf(AS_OF_MS), id: ID, files: [] }
    expect(keptPeopleOf({ exact, manifest, closed: null }, request('off'))).toEqual(KEPT)
    expect(keptPeopleOf({ exact: null, manifest, closed: null }, request('exact'))).toBeNull()
    expect(keptPeopleOf({ exact, manifest, closed: { reason: null } }, request('rounded'))).toBeNull()
  })
})

describe('a read with the people of its day', () => {
  const live = {
    users: () => Promise.resolve({ ...FACTS, laterAccounts: 99 }),
    skippedRows: () => [
      { relation: 'users', reason: 'id is NULL', rows: 7 },
      { relation: 'votes', reason: 'value is NULL', rows: 4 },
    ],
  } as unknown as ConsistentRead

  it('has its own rows, but no people of its own', async () => {
    const source = withPeople(live, KEPT)
    expect(await source.users()).toBe(FACTS)
    expect(source.skippedRows()).toEqual([
      { relation: 'votes', reason: 'value is NULL', rows: 4 },
      { relation: 'users', reason: 'id is NULL', rows: 3 },
    ])
    expect(withPeople(live, null)).toBe(live)
  })

  it('fails where people cannot be counted', async () => {
    const broken = { ...live, users: () => Promise.reject(new Error('no such table')) }
    await expect(withPeople(broken, KEPT).users()).rejects.toThrow('no such table')
  })
})

it('every mode but exact is as of a midnight', () => {
  for (const mode of PEOPLE_MODES) expect(peopleTime(mode, AS_OF_MS).asOfMs === KEPT.asOfMs).toBe(mode !== 'exact')
})
