// Owns the table of the commands of analytics-build: name, options, help, action. Does none of their work.
import type { BuilderContext } from '../run/context.ts'
import { CliError } from '../../process/cli-error.ts'
import type { Action, CommandOf, Program } from '../../process/command-line.ts'
import { build, demo, schedule } from './build-commands.ts'
import { OPTIONS } from '../options/build-options.ts'
import { diffCommand, pruneCommand, resumeCommand, rollbackCommand, verifyCommand } from './release-commands.ts'
import { setup } from './setup.ts'
import { check, grants, init } from './source-commands.ts'
import { status } from './status.ts'

/** Wraps the action of a command that cleans up, or logs, when it is stopped. */
function cleaningUp<V>(action: Action<V, BuilderContext>): Action<V, BuilderContext> {
  return (values, context, ...args) => context.stop.during(() => action(values, context, ...args))
}

/** Wraps the action of a command whose purpose is what it prints: if that is cut off, the command fails. */
function printing<V>(action: Action<V, BuilderContext>): Action<V, BuilderContext> {
  return async (values, context, ...args) => {
    const code = await action(values, context, ...args)
    const lost = context.lostOutput()
    if (lost !== null) throw new CliError(6, `the result could not be written: ${lost.message}`)
    return code
  }
}

/** A command, whose options are those of its name. */
function row<Name extends keyof typeof OPTIONS>(
  name: Name,
  about: Omit<CommandOf<(typeof OPTIONS)[Name], BuilderContext>, 'name' | 'options'>,
): CommandOf<(typeof OPTIONS)[Name], BuilderContext> {
  return { name, options: OPTIONS[name], ...about }
}

/** The commands are in the order of the help. */
export const PROGRAM: Program<BuilderContext> = {
  name: 'analytics-build',
  summary: 'Reads an idea platform’s Postgres once and writes its public statistics as files.',
  commands: [
    row('build', {
      isDefault: true,
      summary: 'build one release, then exit: what cron, systemd and Kubernetes call',
      example: '$0 --database-url postgresql://stats@db.example.org/ideas --every 5m',
      action: cleaningUp(build),
    }),
    row('schedule', {
      summary: 'stay and build at every tick of a cron pattern (UTC)',
      example: '$0 --cron "*/5 * * * *" --source my-platform.sql --param tenant=1',
      action: cleaningUp(schedule),
    }),
    row('demo', {
      summary: 'build from a lively demo platform in an embedded Postgres; needs no database',
      example: '$0 --every 1h',
      action: demo,
    }),
    row('setup', {
      summary: 'ask what a set-up needs, write it to analytics.env, and build the first release',
      example: '$0 --database-url postgresql://admin@db.example.org/ideas',
      action: printing(cleaningUp(setup)),
    }),
    row('check', {
      summary: 'compare a mapping with the live database: what is missing or wrong, and how to fix it',
      example: '$0 --source fider --param tenant=1',
      action: printing(cleaningUp(check)),
    }),
    row('init', {
      argument: '[NAME]',
      summary: 'write a mapping file to be changed: of a platform, or of the one that the database looks like',
      example: '$0 --database-url postgresql://stats@db.example.org/ideas',
      action: printing(cleaningUp(init)),
    }),
    row('grants', {
      summary: 'print the script of a role that may read what the mapping reads, and nothing else',
      example: '$0 --source fider > role.sql',
      action: printing(cleaningUp(grants)),
    }),
    row('status', {
      summary: 'say whether all is well, and which command is next; list the releases',
      example: '$0 --snapshots /srv/snapshots',
      action: printing(status),
    }),
    row('verify', {
      argument: '[ID|URL]',
      summary: 're-hash, parse and cross-check a release',
      example: '$0 https://ideas.example.org',
      action: printing(verifyCommand),
    }),
    row('diff', {
      argument: '<A> <B>',
      summary: 'compare two releases, each an ID, URL or the word current: totals, categories, files, the past',
      example: '$0 current https://ideas.example.org',
      action: printing(diffCommand),
    }),
    row('rollback', {
      argument: '[ID]',
      summary: 'make an older release current and pin it',
      example: '$0 --snapshots /srv/snapshots',
      action: printing(rollbackCommand),
    }),
    row('resume', {
      summary: 'let builds publish again after a rollback',
      example: '$0 --snapshots /srv/snapshots',
      action: printing(resumeCommand),
    }),
    row('prune', {
      summary: 'remove old releases',
      example: '$0 --keep 2',
      action: printing(pruneCommand),
    }),
  ],
}
