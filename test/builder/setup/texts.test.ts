// What setup writes and prints, as text: src/builder/setup/env-file.ts, database-url.ts, keep-running.ts.
import { parseEnv } from 'node:util'
import { describe, expect, test } from 'vitest'
import { SITE_OPTIONS } from '../../../src/builder/options/site-options.ts'
import { answersAgain, envText, variablesFor } from '../../../src/builder/setup/env-file.ts'
import { asUser, configOf, readerOf } from '../../../src/builder/setup/database-url.ts'
import { waysToRun } from '../../../src/builder/setup/keep-running.ts'
import { parseDatabaseUrl } from '../../../src/source/database/parse-target.ts'
import { openMapping } from '../../../src/source/mapping/mapping.ts'

describe('the file of variables', () => {
  test.each([
    ['plain', 'fider'],
    ['a shell would change', 'a $HOME `ls` "b" \\n # c'],
    ['with an apostrophe', "What the town's people want"],
    ['empty in parts', ' x '],
  ])('is read by Node as it was chosen: a value %s', (_, value) => {
    expect(parseEnv(envText(new Map([['ANALYTICS_TITLE', value]])))).toEqual({ ANALYTICS_TITLE: value })
  })

  test('a value that no reader could take is an error that names the variable', () => {
    for (const [name, value] of [
      ['DATABASE_URL', `postgresql://u:s'3"cret@h/d`],
      ['PGPASSWORD', `s'3"cret`],
    ] as const)
      expect(() => envText(new Map([[name, value]]))).toThrow(/^\w+: (?!.*cret)/)
    for (const value of [`'"`, `'$`, 'a\nb'])
      expect(() => envText(new Map([['ANALYTICS_TITLE', value]]))).toThrow(/^ANALYTICS_TITLE: /)
  })

  test('names what is not set', () => {
    const known = [SITE_OPTIONS.title, SITE_OPTIONS.license]
    const text = envText(new Map([['ANALYTICS_TITLE', 'Ours']]), known)
    expect(text).toMatch(/^ANALYTICS_TITLE='Ours'\n# licence of the data.*\n#ANALYTICS_LICENSE=''\n$/m)
  })
})

describe('the URL for another user', () => {
  test.each([
    ['postgresql://admin:secret@db:5433/ideas?schema=x', 'postgresql://reader:p%40w@db:5433/ideas?schema=x'],
    ['postgresql://db/ideas', 'postgresql://reader:p%40w@db/ideas'],
    ['postgres://a@h1,h2/ideas', 'postgres://reader:p%40w@h1,h2/ideas'],
    ['postgresql:///ideas?host=/run/postgresql', 'postgresql://reader:p%40w@/ideas?host=/run/postgresql'],
    [
      'postgresql://db/ideas?user=admin&password=secret&sslmode=disable',
      'postgresql://reader:p%40w@db/ideas?sslmode=disable',
    ],
    ['postgresql://admin@db/ideas?p%61ssword=secret', 'postgresql://reader:p%40w@db/ideas'],
    [
      'postgresql://admin:x@ep-1-pooler.eu.neon.tech/ideas?options=endpoint%3Dep-1&sslmode=require',
      'postgresql://reader:p%40w@ep-1-pooler.eu.neon.tech/ideas?options=endpoint%3Dep-1&sslmode=require',
    ],
  ])('%s', (before, after) => {
    expect(asUser(before, 'reader', 'p@w')).toBe(after)
    expect(configOf(after)).toMatchObject({ user: 'reader', password: 'p@w' })
    expect(configOf(asUser(before, 'reader', ''))?.password).toBeFalsy()
  })

  test.each([
    ['postgresql://admin@db', 'postgresql://r@db/its%20own'],
    ['postgresql://admin@db/', 'postgresql://r@db/its%20own'],
    ['postgresql://admin@h1:1,h2:2?sslmode=require', 'postgresql://r@h1:1,h2:2/its%20own?sslmode=require'],
    ['postgresql://admin@db?dbname=ideas', 'postgresql://r@db?dbname=ideas'],
    ['postgresql://admin@db/ideas', 'postgresql://r@db/ideas'],
  ])('%s has the database of who is connected, unless it names one', (before, after) => {
    expect(asUser(before, 'r', '', 'its own')).toBe(after)
  })

  test('a role of its own is named after the database, in 63 bytes', () => {
    const named = (database: string): string => readerOf(parseDatabaseUrl(`postgresql://me@db/${database}`))
    expect([named('ideas'), named('')]).toEqual(['analytics_reader_ideas', 'analytics_reader_me'])
    expect(named('%C3%96'.repeat(60))).toBe(`analytics_reader_${'Ö'.repeat(23)}`)
  })
})

describe('what is in it', () => {
  const fider = openMapping('fider')
  const snapshots = '/srv/snapshots'

  test('is everything that was chosen', () => {
    const texts = new Map([['ANALYTICS_TITLE', 'Ours']])
    const url = 'postgresql://reader:x@db/ideas'
    expect(Object.fromEntries(variablesFor(url, fider, { tenant: '2' }, texts, snapshots))).toEqual({
      DATABASE_URL: url,
      ANALYTICS_SOURCE: 'fider',
      ANALYTICS_PARAM_TENANT: '2',
      ANALYTICS_TITLE: 'Ours',
      ANALYTICS_SNAPSHOTS: '/srv/snapshots',
      ANALYTICS_EVERY: '5m',
    })
  })

  test('a password with both kinds of quotes is written, and means the same', () => {
    const url = `postgresql://reader:a'b"c$d@db/ideas`
    const written = parseEnv(envText(variablesFor(url, fider, {}, new Map(), snapshots)))['DATABASE_URL']
    expect(parseDatabaseUrl(written ?? '').config).toEqual(parseDatabaseUrl(url).config)
  })

  test('can be given again as flags', () => {
    expect(answersAgain(fider, { tenant: '2' })).toBe('--source fider --param tenant=2')
  })
})

describe('the ways to keep it running', () => {
  const places = {
    root: '/srv/public analytics',
    real: '/srv/public analytics',
    node: '/usr/bin/node',
    file: '/srv/x/analytics.env',
    folder: '/srv/x',
    source: 'fider',
  }
  const linesOf = (name: string, source = 'fider'): readonly string[] =>
    waysToRun({ ...places, source }).find((way) => way.name.startsWith(name))?.lines ?? []

  test('have real paths, quoted for a shell', () => {
    expect(linesOf('cron')).toEqual([
      `*/5 * * * *  cd /srv/x && /usr/bin/node '/srv/public analytics/bin/analytics-build.js' --env-file /srv/x/analytics.env --quiet`,
    ])
    expect(linesOf('compose, with the image of docs/containers.md').slice(1, 3)).toEqual([
      "cd '/srv/public analytics/deploy/compose' && mkdir -p -m 700 secrets",
      "grep -vE '^(DATABASE_URL|ANALYTICS_SNAPSHOTS)=' /srv/x/analytics.env > analytics.env",
    ])
    expect(linesOf('compose', '/home/me/mine.sql')[0]).toContain('mount /home/me/mine.sql')
    expect(linesOf('systemd')[0]).toBe(
      `ln -sfnT '/srv/public analytics' /opt/analytics && cd /opt/analytics/deploy/systemd`,
    )
  })

  test('the units run this program and this Node, or it is said why they cannot', () => {
    const systemd = (more: object): readonly string[] => waysToRun({ ...places, ...more })[0]?.lines ?? []
    expect(systemd({ root: '/opt/analytics' })[0]).toBe('cd /opt/analytics/deploy/systemd')
    expect(systemd({ node: '/opt/node/bin/node' }).join('\n')).toContain(`sed -i 's#/usr/bin/node#/opt/node/bin/node#'`)
    for (const root of ['/home/me/a', '/root/a', '/tmp/a', '/var/tmp/a', '/run/user/0/a'])
      for (const name of ['root', 'real'])
        expect(systemd({ [name]: root }).join('\n')).toMatch(/^# not from here: .*the program in .*\n# [^\n]*$/)
    expect(systemd({ node: '/root/.nvm/bin/node' })[0]).toContain('Node in /root/.nvm/bin/node')
    for (const node of ['/opt/my node/node', "/opt/a'b/node", '/opt/a#b/node'])
      expect(systemd({ node })).toEqual([expect.stringContaining('cannot be written into a unit')])
  })

  test('the units get their own folder of snapshots, and a mapping that they can see', () => {
    const options = 'mkdir -p /etc/analytics && (umask 077; set -C; grep -vE'
    expect(linesOf('systemd')).toContain(
      `${options} ^ANALYTICS_SNAPSHOTS= /srv/x/analytics.env > /etc/analytics/build.env)`,
    )
    for (const [source, path] of [
      ['/home/me/mine.sql', '/home/me/mine.sql'],
      ['./mine.sql', '/srv/x/mine.sql'],
    ] as const)
      expect(linesOf('systemd', source)).toContain(
        `${options} '^ANALYTICS_(SNAPSHOTS|SOURCE)=' /srv/x/analytics.env > /etc/analytics/build.env) && install -m 644 ${path} /etc/analytics/mapping.sql && echo ANALYTICS_SOURCE=/etc/analytics/mapping.sql >> /etc/analytics/build.env`,
      )
  })
})
