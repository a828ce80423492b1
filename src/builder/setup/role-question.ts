// Owns as which role builds read: the one that is connected, or one that may read only what the mapping reads. Effects are
// given.
import { randomBytes } from 'node:crypto'
import { calledAs } from '../../process/called-as.ts'
import { usageError } from '../../process/cli-error.ts'
import type { CheckReport } from '../../source/check/check.ts'
import type { Target } from '../../source/database/parse-target.ts'
import { SourceError } from '../../source/database/source-error.ts'
import type { Ask } from './ask.ts'
import type { Connected, Session } from './database-question.ts'
import { asUser } from './database-url.ts'
import type { SetupRequest } from './env-file.ts'
import { scramHash, type Powers } from './role.ts'

export interface RoleEffects {
  readonly powers: () => Promise<Powers>
  /** The script of the role, with the hash of its password. */
  readonly script: (hash: string) => string
  /** Makes the role in one transaction. */
  readonly make: (script: string) => Promise<void>
  /** Logs in as a build of cron does. @throws SourceError also where it does not find what it is to read */
  readonly reachAsCron: (target: Target) => Promise<Session>
  /** Ends what `make` began, also after a signal. @returns whether there was something */
  readonly end: (how: 'keep' | 'remove') => Promise<boolean>
}

const FLAG = '--make-role'

export interface RoleQuestion extends Pick<SetupRequest, 'role' | 'makeRole'> {
  /** The name of the role that would be made. */
  readonly name: string
  /** The mapping and its parameters, as flags. */
  readonly flags: string
}

/** @returns a role that is to be made for builds to read as; null = they read as the role that is connected */
export async function askRole(
  ask: Ask,
  database: Connected,
  report: CheckReport,
  asked: RoleQuestion,
  effects: Pick<RoleEffects, 'powers' | 'script'>,
) {
  const { name, makeRole: makeIt } = asked
  const faults = report.findings.filter(({ about }) => about === 'role').map(({ problem }) => problem)
  if (faults.length === 0 && !makeIt) {
    ask.say(`role ${report.server.role} may read what the mapping reads, and nothing else: it stays`)
    return null
  }
  const powers = await effects.powers()
  if (faults.length > 0) ask.warn('A build needs a role that only reads', faults)
  const { role, createsRoles, exists } = powers
  if (!makeIt && asked.role === role) return null
  if (makeIt) rejectMaking(powers, name)
  if (!makeIt && (exists || !createsRoles || !ask.again)) {
    rejectChanging(powers, asked)
    return null
  }
  // It needs no encoding in a URL.
  const password = randomBytes(24).toString('base64url')
  const script = effects.script(scramHash(password))
  showScript(ask, script, powers.note !== null)
  if (!makeIt && (await askWay(ask, role, name)) === 'keep') return null
  return { ways: waysOf(database, name, password), name, script }
}

/** The URLs by which a build may be able to log in as the role. Behind a pooler of several sites, a user who logs in as postgres.ref is postgres to the server. */
function waysOf({ url: given, session }: Connected, name: string, password: string): string[] {
  const { user, sentUser, sentDatabase } = session
  const names = user !== sentUser && sentUser.includes(user) ? [name, sentUser.replace(user, () => name)] : [name]
  return names.map((as) => asUser(given, as, password, sentDatabase))
}

function rejectMaking({ role, createsRoles, exists }: Powers, name: string): void {
  // Somebody else may read as this role, so its password is not changed.
  if (exists)
    throw usageError(
      `${FLAG}: role ${name} exists already, and what reads as it would need its new password. Give --role NAME with a name that is free, or --database-url with the role and its password`,
    )
  if (!createsRoles)
    throw new SourceError(
      `${FLAG}: role ${role} may not create roles; connect as one that may, or run what analytics-build grants prints`,
    )
}

function rejectChanging({ role, changes, createsRoles, exists }: Powers, { flags, name }: RoleQuestion): void {
  if (!changes) return
  const free = exists
    ? ` and --role with a name that is free (${name} exists; or --database-url with it and its password)`
    : ''
  const make = createsRoles ? `Give ${FLAG}${free}, which makes a role that only reads, or let` : 'Let'
  throw usageError(
    `role ${role} may do more than read, and every build would connect as it. ${make} who may create roles run what ${calledAs('analytics-build')} grants ${flags} prints; or give --role ${role} to go on as it`,
  )
}

function showScript(ask: Ask, script: string, isThere: boolean): void {
  ask.say(
    'A role that only reads would be made so, in one transaction. Its password is generated; the server gets the hash only.',
  )
  // The comments of the script are for somebody who runs it by hand.
  ask.show(
    script
      .trimEnd()
      .split('\n')
      .filter((line) => !line.startsWith('--')),
  )
  if (isThere) ask.warn('The role is there, of a set-up that did not end: it gets a new password')
}

function askWay(ask: Ask, role: string, name: string): Promise<'make' | 'keep'> {
  return ask.choose({
    message: 'As which role do builds read?',
    flag: FLAG,
    options: [
      { value: 'make', label: `run this, and read as ${name}` },
      { value: 'keep', label: `go on as ${role}`, hint: 'it may do more than read' },
    ],
    byDefault: null,
  })
}

/** Makes the role; then `save` writes the file, or throws a SourceError where a build could not log in so; then nothing stays. */
export async function makeAsked(
  ask: Ask,
  { name, script, ways }: NonNullable<Awaited<ReturnType<typeof askRole>>>,
  { make, end }: Pick<RoleEffects, 'make' | 'end'>,
  save: (url: string, user: string) => Promise<void>,
  forget: () => Promise<void>,
): Promise<void> {
  const faults: string[] = []
  let isSaved = false
  try {
    await make(script)
    for (const url of ways)
      isSaved ||= await save(url, name).then(
        () => true,
        (error: unknown) => {
          if (!(error instanceof SourceError)) throw error
          faults.push(error.message)
          return false
        },
      )
    if (!isSaved) throw new SourceError(`no build could log in as it: ${faults.join('; nor: ')}. ${NEXT}`)
    if (!(await end('keep'))) throw new SourceError(`another set-up has made role ${name} anew meanwhile`)
    ask.say(`made role ${name}; everything below uses it`)
  } catch (error) {
    if (isSaved) await forget()
    await end('remove').then(
      (removed) => removed && ask.warn(`Role ${name} was made, and is removed again; nothing is written`),
      ({ message }) => ask.warn(`Role ${name} may be there: ${message}. A second try with ${FLAG} makes it anew`),
    )
    throw error
  }
}

const NEXT =
  'Let the pooler know the role (PgBouncer: auth_file, auth_query) and pg_hba.conf let it in; or give --database-url with the server itself, with ?search_path=SCHEMA where only who is connected finds the tables, or with a role that both know (analytics-build grants prints what it needs)'
