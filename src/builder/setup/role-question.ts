// Owns as which role builds read: the one that is connected, or one that may read only what the mapping reads. Effects are
// given.
import { escapeIdentifier } from 'pg'
import { usageError } from '../../process/cli-error.ts'
import type { CheckReport } from '../../source/check/check.ts'
import { parseDatabaseUrl, type Target } from '../../source/database/parse-target.ts'
import { SourceError } from '../../source/database/source-error.ts'
import type { Ask, Choice } from './ask.ts'
import { asUser } from './database-url.ts'
import type { Database } from './database-question.ts'
import type { Powers } from './role.ts'

export interface RoleEffects {
  readonly powers: () => Promise<Powers>
  /** The script of the role; with the hash of its password, or without one. */
  readonly script: (hash: string | null) => string
  /** In one transaction. */
  readonly make: (script: string) => Promise<void>
  /** Writes the script for somebody else; its path. */
  readonly write: (script: string) => Promise<string>
  readonly reach: (target: Target) => Promise<void>
  readonly newPassword: () => string
  readonly hashOf: (password: string) => string
  /** Told what is made and stays. */
  readonly made: (what: string) => void
}

type Way = 'make' | 'write' | 'keep'

const FLAG = '--make-role'

export interface Asked {
  /** Of the role that would be made. */
  readonly name: string
  /** Said by a flag. */
  readonly makeIt: boolean
  /** The file of variables has this role: only its own builds read as it. */
  readonly own: boolean
  /** A flag names the role that is connected, or the file has its URL already. */
  readonly asConnected: (role: string) => boolean
}

export async function askRole(
  ask: Ask,
  database: Database,
  report: CheckReport,
  asked: Asked,
  effects: RoleEffects,
): Promise<Database> {
  const { name, makeIt } = asked
  const faults = report.findings.filter(({ about }) => about === 'role').map(({ problem }) => problem)
  if (faults.length === 0 && !makeIt) {
    ask.say(`role ${report.server.role} may read what the mapping reads, and nothing else: it stays`)
    return database
  }
  const powers = await effects.powers()
  if (faults.length > 0) ask.warn('A build needs a role that only reads', faults)
  const way = await wayOf(ask, powers, asked)
  if (way === 'keep') return database
  if (way === 'write') return writeScript(ask, database, name, effects)
  return (await make(ask, database, powers, asked, effects)) ?? database
}

/** A role that is there may be what somebody else reads as: its password is not changed unasked. */
async function wayOf(ask: Ask, powers: Powers, { name, makeIt, own, asConnected }: Asked): Promise<Way> {
  const taken = powers.exists && !own
  if (makeIt && !taken) return 'make'
  if (!makeIt && !ask.again && powers.changes && !asConnected(powers.role))
    throw usageError(
      `--yes: role ${powers.role} may do more than read, and every build would connect as it. Give ${FLAG}, which makes a role that only reads; or --role ${powers.role} to go on as it`,
    )
  if (makeIt && !ask.again)
    throw usageError(
      `${FLAG}: role ${name} exists already, and what reads as it would need its new password. Give --role NAME with a name that is free, or --database-url with the role and its password`,
    )
  return askWay(ask, { ...powers, exists: taken }, name)
}

function askWay(ask: Ask, { role, createsRoles, exists }: Powers, name: string): Promise<Way> {
  const now: Choice<Way> = {
    value: 'make',
    label: exists ? `change ${name}, which exists: its grants and a new password` : `make the role ${name} now`,
    hint: exists ? 'what reads as it needs that password then; --role NAME makes another' : 'the script is shown first',
  }
  const others: Choice<Way>[] = [
    { value: 'write', label: 'write the script to a file', hint: 'for whoever may create roles' },
    { value: 'keep', label: `go on as ${role}`, hint: 'it may do more than read' },
  ]
  return ask.choose({
    message: 'As which role do builds read?',
    flag: FLAG,
    options: createsRoles ? (exists ? [...others, now] : [now, ...others]) : others,
    // Without a terminal nothing is made unless the flag says so.
    byDefault: ask.again ? null : 'keep',
  })
}

/** null = it was not made: the operator said no, or the server did. */
async function make(
  ask: Ask,
  { url }: Database,
  { role, createsRoles, exists }: Powers,
  { name, makeIt, own }: Asked,
  effects: RoleEffects,
): Promise<Database | null> {
  if (!createsRoles && makeIt)
    throw new SourceError(
      'source',
      `${FLAG}: role ${role} may not create roles; connect as one that may, or run what analytics-build grants prints`,
    )
  const password = effects.newPassword()
  const script = effects.script(effects.hashOf(password))
  ask.say('This would run, in one transaction. The password is generated; the server gets its hash only.')
  // Its comments are for who runs it by hand.
  ask.show(
    script
      .trimEnd()
      .split('\n')
      .filter((line) => !line.startsWith('--')),
  )
  const taken = exists && !own
  if ((!makeIt || taken) && !(await ask.confirm({ message: `Run it as ${role}?`, flag: FLAG, byDefault: !taken })))
    return null
  try {
    await effects.make(script)
  } catch (error) {
    if (!(error instanceof Error) || !ask.again) throw error
    ask.warn(`The role was not made: ${error.message}`)
    return null
  }
  effects.made(`role ${name}`)
  const next = asUser(url, name, password)
  const target = parseDatabaseUrl(next)
  try {
    await effects.reach(target)
    ask.say(`${exists ? 'changed' : 'made'} role ${name}; everything below uses it`)
  } catch (error) {
    // It is in the database now, so its password must not be lost: the file of variables gets it.
    if (!(error instanceof SourceError)) throw error
    ask.warn(
      `Role ${name} is ${exists ? 'changed' : 'made'}, but cannot log in here: ${error.message}. A pooler with a list of users must know it: add it there with the password, which DATABASE_URL has in the file that is written next; or remove it: DROP OWNED BY ${escapeIdentifier(name)}; DROP ROLE ${escapeIdentifier(name)};`,
    )
  }
  return { url: next, target }
}

async function writeScript(ask: Ask, database: Database, name: string, effects: RoleEffects): Promise<Database> {
  const path = await effects.write(effects.script(null))
  effects.made(path)
  ask.say(
    `wrote ${path}. Run it in another terminal, as a role that may create roles and owns the tables; then give the role a password there:`,
  )
  ask.show([
    `psql -v ON_ERROR_STOP=1 -f ${path} ${database.target.shown.replace(/^[^@]*@/, 'postgresql://ADMIN@')}`,
    `psql -c '\\password ${name}' ${database.target.shown.replace(/^[^@]*@/, 'postgresql://ADMIN@')}`,
  ])
  for (;;) {
    const password = await ask.secret({
      message: `Password of ${name}, once the script has run? (empty: go on as the role that is connected)`,
      flag: '--database-url URL',
    })
    if (password === '') return database
    const url = asUser(database.url, name, password)
    const target = parseDatabaseUrl(url)
    try {
      await effects.reach(target)
      return { url, target }
    } catch (error) {
      if (!(error instanceof SourceError)) throw error
      ask.warn(error.message)
    }
  }
}
