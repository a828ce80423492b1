// Owns as which role builds read: the one that is connected, or one that may read only what the mapping reads. Effects are
// given.
import { calledAs } from '../../process/called-as.ts'
import { usageError } from '../../process/cli-error.ts'
import type { CheckReport } from '../../source/check/check.ts'
import { parseDatabaseUrl } from '../../source/database/parse-target.ts'
import { SourceError } from '../../source/database/source-error.ts'
import type { Ask } from './ask.ts'
import type { Database } from './database-question.ts'
import { asUser } from './database-url.ts'
import type { SetupRequest } from './env-file.ts'
import { newPassword, scramHash, type Powers } from './role.ts'

export interface RoleEffects {
  readonly powers: () => Promise<Powers>
  /** The script of the role, with the hash of its password. */
  readonly script: (hash: string) => string
  /** In one transaction. @param onCommit from then on it may be made, whatever is thrown */
  readonly make: (script: string, onCommit: () => void) => Promise<void>
}

const FLAG = '--make-role'

export interface Asked extends Pick<SetupRequest, 'role' | 'makeRole'> {
  /** Of the role that would be made. */
  readonly name: string
  /** The mapping and its parameters, as flags. */
  readonly flags: string
}

/** A role that is to be made for builds to read as. */
export interface NewRole {
  /** As this role, with its password. */
  readonly database: Database
  readonly name: string
  readonly script: string
}

/** @returns null = builds read as the role that is connected */
export async function askRole(
  ask: Ask,
  database: Database,
  report: CheckReport,
  asked: Asked,
  effects: Pick<RoleEffects, 'powers' | 'script'>,
): Promise<NewRole | null> {
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
  if (!makeIt && (exists || !createsRoles || !ask.again)) return keep(powers, asked)
  const password = newPassword()
  const script = effects.script(scramHash(password))
  showScript(ask, script)
  if (!makeIt && (await askWay(ask, role, name)) === 'keep') return null
  const url = asUser(database.url, name, password)
  return { database: { url, target: parseDatabaseUrl(url) }, name, script }
}

function rejectMaking({ role, createsRoles, exists }: Powers, name: string): void {
  // It may be what somebody else reads as: its password is not changed.
  if (exists)
    throw usageError(
      `${FLAG}: role ${name} exists already, and what reads as it would need its new password. Give --role NAME with a name that is free, or --database-url with the role and its password`,
    )
  if (!createsRoles)
    throw new SourceError(
      'source',
      `${FLAG}: role ${role} may not create roles; connect as one that may, or run what analytics-build grants prints`,
    )
}

function keep({ role, changes, createsRoles, exists }: Powers, { flags, name }: Asked): null {
  if (!changes) return null
  const free = exists
    ? ` and --role with a name that is free (${name} exists; or --database-url with it and its password)`
    : ''
  const make = createsRoles ? `Give ${FLAG}${free}, which makes a role that only reads, or let` : 'Let'
  throw usageError(
    `role ${role} may do more than read, and every build would connect as it. ${make} who may create roles run what ${calledAs('analytics-build')} grants ${flags} prints; or give --role ${role} to go on as it`,
  )
}

function showScript(ask: Ask, script: string): void {
  ask.say(
    'A role that only reads would be made so, in one transaction. Its password is generated; the server gets the hash only.',
  )
  // Its comments are for who runs it by hand.
  ask.show(
    script
      .trimEnd()
      .split('\n')
      .filter((line) => !line.startsWith('--')),
  )
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

/**
 * Makes it. Its password is in the file of variables by then: nothing that happens now can lose it.
 * @param forget takes that file away again, where nothing was made
 */
export async function makeAsked(
  ask: Ask,
  { name, script }: NewRole,
  { make }: Pick<RoleEffects, 'make'>,
  forget: () => Promise<void>,
): Promise<void> {
  let mayBeMade = false
  try {
    await make(script, () => (mayBeMade = true))
  } catch (error) {
    if (!mayBeMade) await forget()
    else ask.warn(`Role ${name} may be made all the same: DATABASE_URL in the file has its password`)
    throw error
  }
  ask.say(`made role ${name}; everything below uses it`)
}
