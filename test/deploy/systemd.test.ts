// The units in deploy/systemd, as far as systemd can judge them without running: they are valid, harmless, and ask the
// programs for nothing that those do not know.
import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, test } from 'vitest'
import { OPTIONS } from '../../src/builder/options/build-options.ts'
import type { Options } from '../../src/process/option.ts'
import { waysToRun } from '../../src/builder/setup/keep-running.ts'
import { packagePath } from '../../src/process/package-root.ts'
import { duration } from '../../src/process/value-syntax.ts'
import { MAX_STREAMS } from '../../src/proxy/answer/streams.ts'
import { DRAIN_MS, PROXY_OPTIONS } from '../../src/proxy/options.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { nginxAvailable } from '../support/nginx.ts'
import { freePort, listens } from '../support/ports.ts'
import { ask } from '../support/proxy.ts'
import { describeWithComponent, findProgram, type RealComponent } from '../support/real-component.ts'
import { publishRelease } from '../support/release.ts'
import { supervise, untilUp } from '../support/supervised.ts'

const FOLDER = packagePath('deploy', 'systemd')
const ALL_UNITS = readdirSync(FOLDER).filter((name) => /\.(service|timer)$/.test(name))
/** One of several sites of a machine: `analytics-build@town`. */
const isTemplate = (name: string): boolean => name.includes('@')
const UNITS = ALL_UNITS.filter((name) => !isTemplate(name))
const textOf = (unit: string): string => readFileSync(join(FOLDER, unit), 'utf8')
/** Of `Key=value` lines, in order; `Environment` may stand several times. */
const valuesOf = (unit: string, key: string): string[] =>
  [...textOf(unit).matchAll(new RegExp(`^${key}=(.*)$`, 'gm'))].map(([, value]) => value ?? '')

const SERVICES: readonly [unit: string, program: string, options: Options, maxExposure: number][] = [
  ['analytics-build.service', 'bin/analytics-build.js', OPTIONS.build, 3.0],
  ['analytics-proxy.service', 'bin/analytics-proxy.js', PROXY_OPTIONS, 2.0],
]

describe.each(SERVICES)('%s', (unit, program, options) => {
  const rows = Object.values(options)

  it('starts the program that is shipped, and no flag or variable that it does not know', () => {
    const [command = ''] = valuesOf(unit, 'ExecStart')
    expect(command.split(' ').slice(0, 2)).toEqual(['/usr/bin/node', `/opt/analytics/${program}`])
    expect(readFileSync(packagePath(program), 'utf8')).toMatch(/^#!/)
    const flags = [...textOf(unit).matchAll(/(?<= |\()--[a-z][a-z-]+/g)].map(([flag]) => flag)
    for (const flag of flags) expect(rows.map((row) => row.long)).toContain(flag)
    const variables = [...textOf(unit).matchAll(/\b(?:ANALYTICS_[A-Z_]+|DATABASE_URL|PORT)\b/g)].map(([name]) => name)
    expect(variables).toContain('ANALYTICS_SNAPSHOTS')
    for (const name of variables) expect(rows.map((row) => row.envVar)).toContain(name)
  })

  it('gives values that the program takes', () => {
    const given = valuesOf(unit, 'Environment').map((line) => line.split(/=(.*)/s))
    expect(given.length).toBeGreaterThan(0)
    for (const [name, value = ''] of given) {
      const row = rows.find((one) => one.envVar === name)
      expect([name, row?.parseArg?.(value.replace('%S', '/var/lib'), null)]).toEqual([name, expect.anything()])
    }
  })

  it('may run what V8 compiles, and writes no more than it must', () => {
    expect(textOf(unit)).not.toMatch(/^MemoryDenyWriteExecute=(?!no)/m)
    expect(valuesOf(unit, 'ProtectSystem')).toEqual(['strict'])
    expect(valuesOf(unit, 'StateDirectory')).toEqual(unit === 'analytics-build.service' ? ['analytics'] : [])
    expect(textOf(unit)).not.toMatch(/^ReadWritePaths=/m)
  })
})

test('a template is its unit, with the name of the site in each path and in the description', () => {
  expect(ALL_UNITS.filter(isTemplate)).toEqual(UNITS.map((name) => name.replace('.', '@.')))
  const PLACES = /%S\/analytics(?=[/ ])|(?<=\/etc)\/analytics(?=\/)|(?<=^StateDirectory=)analytics$/gm
  // Not below that of the unit: systemd removes it with all that is in it when that one stops.
  const RUNTIME = /(?<=%t\/)analytics-nginx(?=[/ ])|(?<=^RuntimeDirectory=)analytics-nginx$/gm
  const settings = (unit: string): string => textOf(unit).replace(/^#.*\n/gm, '')
  for (const unit of UNITS) {
    const expected = settings(unit)
      .replaceAll('/opt/analytics/nginx.conf', '/etc/analytics/nginx.conf')
      .replaceAll(PLACES, '$&/%i')
      .replaceAll(RUNTIME, '$&@%i')
      .replace(/(?<=^Description=.*statistics)/m, ' of %i')
    expect(expected.split('%i').length).toBeGreaterThan(1)
    expect(settings(unit.replace('.', '@.')), unit).toBe(expected)
  }
})

describe('the command for root', () => {
  it('is that of the site by whose name it is called', () => {
    const folder = temporaryFolder()
    const script = readFileSync(join(FOLDER, 'analytics-build'), 'utf8')
    const says = 'exec env'
    const here = script.replace(/^exec .*$/m, says).replace('/etc/analytics$site', `${folder}$site`)
    for (const name of ['', 'town', 'a@b']) {
      mkdirSync(join(folder, name), { recursive: true })
      writeFileSync(join(folder, name, 'build.env'), `ANALYTICS_SITE='${name}'`)
      const command = join(folder, name === '' ? 'analytics-build' : `analytics-build@${name}`)
      if (name === '') writeFileSync(command, here, { mode: 0o755 })
      else symlinkSync('analytics-build', command)
    }
    const variablesOf = (name: string): string[] =>
      execFileSync(join(folder, name), { encoding: 'utf8', env: { PATH: process.env['PATH'] } })
        .split('\n')
        .filter((line) => line.startsWith('ANALYTICS_S'))
        .sort()
    expect(variablesOf('analytics-build')).toEqual([
      'ANALYTICS_SITE=',
      'ANALYTICS_SNAPSHOTS=/var/lib/analytics/snapshots',
    ])
    expect(variablesOf('analytics-build@a@b')).toContain('ANALYTICS_SITE=a@b')
    for (const name of ['abt', 'analytics-build@']) {
      symlinkSync('analytics-build@town', join(folder, name))
      expect(spawnSync(join(folder, name), { encoding: 'utf8' })).toMatchObject({
        status: 2,
        stderr: expect.stringContaining('call it analytics-build, or analytics-build@NAME') as string,
      })
    }
    expect(variablesOf('analytics-build@town')).toEqual([
      'ANALYTICS_SITE=town',
      'ANALYTICS_SNAPSHOTS=/var/lib/analytics/town/snapshots',
    ])
  })

  it('reads its options as systemd does, and runs nothing in them', () => {
    const folder = temporaryFolder()
    const script = readFileSync(join(FOLDER, 'analytics-build'), 'utf8')
    const [, reading = ''] = /^(while .*?^done < ).*$/ms.exec(script) ?? []
    writeFileSync(
      join(folder, 'build.env'),
      `# a comment\n; another\n\nTOWN=Our town & its $(touch ${folder}/ran) ideas  \nSINGLE='a & "b" $HOME'\nDOUBLE="it's here"\r\n \tBLANKS = 'of both' \n  \nNOT A NAME=1\nEMPTY=\nLAST=\`id\``,
    )
    const shown = ['TOWN', 'SINGLE', 'DOUBLE', 'BLANKS', 'EMPTY', 'LAST']
      .map((name) => `printf '[%s]' "$${name}"\n`)
      .join('')
    const text = execFileSync('sh', ['-ec', `${reading}"$0"\n${shown}`, join(folder, 'build.env')], {
      encoding: 'utf8',
    })
    expect(text).toBe(`[Our town & its $(touch ${folder}/ran) ideas][a & "b" $HOME][it's here][of both][][\`id\`]`)
    expect(readdirSync(folder)).toEqual(['build.env'])
  })

  it('has the user, the program and the variables of the service', () => {
    const unit = 'analytics-build.service'
    const script = readFileSync(join(FOLDER, 'analytics-build'), 'utf8')
    const variables = [...script.matchAll(/^export (ANALYTICS_[A-Z_]+=.*)$/gm)].map(([, line]) =>
      line?.replace('$site', ''),
    )
    expect(variables).toEqual(valuesOf(unit, 'Environment').map((line) => line.replace('%S', '/var/lib')))
    // After them, as in the service: what the file says counts.
    expect(script).toMatch(
      /ANALYTICS_METRICS_FILE=.*\n(?!.*\bexport ANALYTICS)[^]*done < "\/etc\/analytics\$site\/build\.env"\n/,
    )
    const [command = ''] = valuesOf(unit, 'ExecStart')
    const [user = ''] = valuesOf(unit, 'User')
    expect(script).toContain(`exec runuser -u ${user} -- ${command.replace(/ build$/, '')} "$@"\n`)
  })
})

describe('the two services', () => {
  it('mean the same folder, which nginx can read', () => {
    const folders = SERVICES.map(([unit]) =>
      valuesOf(unit, 'Environment').find((line) => line.startsWith('ANALYTICS_SNAPSHOTS=')),
    )
    expect(folders).toEqual(Array(2).fill('ANALYTICS_SNAPSHOTS=%S/analytics/snapshots'))
    const builder = 'analytics-build.service'
    // A dynamic user's state is below /var/lib/private, which only root may enter.
    expect(valuesOf(builder, 'DynamicUser')).toEqual([])
    expect([valuesOf(builder, 'StateDirectoryMode'), valuesOf(builder, 'UMask')]).toEqual([['0755'], ['0022']])
    const user = valuesOf(builder, 'User')[0] ?? ''
    expect(textOf('sysusers.conf')).toContain(`\nu ${user} - `)
  })

  it('start with the machine: the proxy and nginx themselves, the builder by its timer', () => {
    expect(Object.fromEntries(UNITS.map((unit) => [unit, valuesOf(unit, 'WantedBy')]))).toEqual({
      'analytics-build.service': [],
      'analytics-build.timer': ['timers.target'],
      'analytics-nginx.service': ['multi-user.target'],
      'analytics-proxy.service': ['multi-user.target'],
    })
  })

  it('bound memory and threads, and leave room for what the proxy allows its clients', () => {
    const bytesOf = (unit: string, key: string): number => {
      const found = /^(\d+)([MG])$/.exec(valuesOf(unit, key)[0] ?? '')
      return Number(found?.[1]) * (found?.[2] === 'G' ? 2 ** 30 : 2 ** 20)
    }
    const proxy = 'analytics-proxy.service'
    // 65 MiB at rest, 0.33 for each large answer, 128 for the clients of the limiter, 180 for requests sent ahead.
    const { cache } = PROXY_OPTIONS
    const needed = (65 + 0.33 * MAX_STREAMS + 128 + 180) * 2 ** 20 + Number(cache.defaultValue)
    expect(bytesOf(proxy, 'MemoryHigh')).toBeGreaterThan(needed)
    expect(bytesOf(proxy, 'MemoryMax')).toBeGreaterThan(bytesOf(proxy, 'MemoryHigh'))
    expect(bytesOf('analytics-build.service', 'MemoryMax')).toBeGreaterThan(2 ** 30)
    for (const [unit] of SERVICES) expect(Number(valuesOf(unit, 'TasksMax')[0])).toBeGreaterThanOrEqual(32)
  })

  it('outlast what the programs allow themselves', () => {
    const ms = (text: string): number => {
      const parsed = duration(0, Number.MAX_SAFE_INTEGER)(text)
      return 'value' in parsed ? parsed.value : Number.NaN
    }
    const [start] = valuesOf('analytics-build.service', 'TimeoutStartSec')
    const [stop] = valuesOf('analytics-proxy.service', 'TimeoutStopSec')
    expect(ms(start ?? '')).toBeGreaterThan(Number(OPTIONS.build.deadline.defaultValue))
    expect(ms(stop ?? '')).toBeGreaterThan(DRAIN_MS + 1000)
  })
})

/** With these capabilities and no others, as systemd starts it; where root runs this. */
function bounded(capabilities: string): string[] {
  if (process.getuid?.() !== 0) return []
  const names = capabilities.split(' ').map((name) => `+${name.replace('CAP_', '').toLowerCase()}`)
  expect(names.length).toBeGreaterThan(1)
  return ['setpriv', '--no-new-privs', '--inh-caps=-all', `--bounding-set=-all,${names.join(',')}`]
}

describeWithComponent('nginx', nginxAvailable(), (bin) => {
  test('analytics-nginx.service writes through no link that the builder’s user planted', async () => {
    const unit = 'analytics-nginx.service'
    const folder = temporaryFolder()
    chmodSync(folder, 0o755)
    const placeOf = (name: string): string => join(folder, name)
    const [state, runtime, kept] = [placeOf('state'), placeOf('run'), placeOf('kept')]
    const analytics = join(state, 'analytics')
    for (const one of [join(analytics, 'snapshots'), kept]) mkdirSync(one, { recursive: true })
    // As systemd does it before the commands.
    for (const name of valuesOf(unit, 'RuntimeDirectory')) mkdirSync(join(runtime, name), { recursive: true })
    const manifest = await publishRelease(join(analytics, 'snapshots'))
    writeFileSync(join(kept, 'file'), 'kept')
    symlinkSync(join(kept, 'file'), join(analytics, 'nginx.pid'))
    for (const name of ['body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'])
      symlinkSync(kept, join(analytics, `nginx-temp-${name}`))
    const before = statSync(kept)
    const port = await freePort()
    const conf = join(folder, 'nginx.conf')
    writeFileSync(conf, readFileSync(packagePath('nginx.conf'), 'utf8').replace('listen 8000', `listen ${port}`))
    const placed = (text: string): string[] =>
      text
        .replaceAll('%S', state)
        .replaceAll('/var/lib', state)
        .replaceAll('%t', runtime)
        .replace('/opt/analytics/nginx.conf', conf)
        .replace('/usr/sbin/nginx', bin)
        .match(/"[^"]*"|\S+/g)
        ?.map((word) => word.replaceAll('"', '')) ?? []
    for (const text of valuesOf(unit, 'ExecStartPre')) execFileSync('env', placed(text))
    const server = supervise(
      [...bounded(valuesOf(unit, 'CapabilityBoundingSet')[0] ?? ''), ...placed(valuesOf(unit, 'ExecStart')[0] ?? '')],
      { folder, signal: 'TERM', env: process.env },
    )
    try {
      await untilUp(server, 'nginx', () => listens(port))
      expect((await ask(port, '/snapshots/current/manifest.json')).json()).toMatchObject({ id: manifest.id })
      expect(readFileSync(join(kept, 'file'), 'utf8')).toBe('kept')
      expect([statSync(kept).uid, readdirSync(kept)]).toEqual([before.uid, ['file']])
      expect(readdirSync(runtime).length).toBeGreaterThan(0)
    } finally {
      await server.stop()
    }
  })
})

/** `security --offline` came with 250. */
function systemdAnalyze(): RealComponent {
  const found = findProgram('systemd-analyze', 'systemd')
  if (!found.ok) return found
  const { stdout } = spawnSync(found.bin, ['--version'], { encoding: 'utf8' })
  const version = Number(/^systemd (\d+)/.exec(stdout)?.[1])
  return version >= 250 ? found : { ok: false, how: `systemd is ${version}; these tests need 250 or later` }
}

describeWithComponent('systemd-analyze', systemdAnalyze(), (bin) => {
  const analyze = (...args: string[]): { status: number | null; said: string } => {
    const { status, stdout, stderr } = spawnSync(bin, args, {
      encoding: 'utf8',
      env: { ...process.env, LC_ALL: 'C.UTF-8' },
    })
    return { status, said: stdout + stderr }
  }

  it('verifies the units', () => {
    // verify looks for the command; where node stands is the machine's affair.
    const folder = temporaryFolder()
    for (const unit of ALL_UNITS)
      writeFileSync(
        join(folder, unit),
        textOf(unit).replaceAll('/usr/bin/node', process.execPath).replaceAll('/usr/sbin/nginx', process.execPath),
      )
    const files = ALL_UNITS.map((unit) => join(folder, unit.replace('@.', '@town.')))
    const { status, said } = analyze('verify', '--man=no', '--recursive-errors=no', ...files)
    // It also says what is wrong with units that the machine has beside ours.
    expect([status, said.match(/^.*analytics-.*$/gm)]).toEqual([0, null])
  })

  it.each([
    ...SERVICES.map(([unit, , , maxExposure]) => [unit, maxExposure] as const),
    ['analytics-nginx.service', 2.6] as const,
  ])('%s is exposed little enough', (unit, maxExposure) => {
    const { said } = analyze('security', '--offline=true', '--no-pager', join(FOLDER, unit))
    const exposure = Number(/Overall exposure level for [\w.-]+: ([\d.]+)/.exec(said)?.[1])
    expect(exposure).toBeGreaterThan(0)
    expect(exposure).toBeLessThanOrEqual(maxExposure)
  })

  it('the timer fires as often as the builder declares', () => {
    const [calendar = ''] = valuesOf('analytics-build.timer', 'OnCalendar')
    const { said } = analyze('calendar', '--iterations=3', '--base-time=2026-05-20 09:30:00 UTC', calendar)
    const times = [...said.matchAll(/(?:Next elapse|Iter\. #\d+): \w+ ([\d-]+ [\d:]+) UTC/g)].map(([, time]) =>
      Date.parse(`${time?.replace(' ', 'T')}Z`),
    )
    const [first = Number.NaN, second = Number.NaN, third = Number.NaN] = times
    const declared = valuesOf('analytics-build.service', 'Environment').find((line) =>
      line.startsWith('ANALYTICS_EVERY='),
    )
    expect([second - first, third - second]).toEqual([300_000, 300_000])
    expect(OPTIONS.build.every.parseArg?.(declared?.split('=')[1] ?? '', null)).toBe(second - first)
  })
})

describe('the lines that setup prints for systemd', () => {
  it('the options of a site that the units have already are not replaced', () => {
    const folder = temporaryFolder()
    const places = { root: '/opt/analytics', real: '/opt/analytics', node: '/usr/bin/node', folder: '/srv/x' }
    const [{ lines } = { lines: [] }] = waysToRun({ ...places, file: '/srv/x/analytics.env', source: './mine.sql' })
    const own = lines.find((line) => line.includes('build.env')) ?? ''
    const here = own.replaceAll('/etc/analytics', join(folder, 'etc')).replaceAll('/srv/x', folder)
    writeFileSync(join(folder, 'mine.sql'), 'SELECT 1')
    const type = (url: string): number | null => {
      writeFileSync(
        join(folder, 'analytics.env'),
        `DATABASE_URL='${url}'\nANALYTICS_SNAPSHOTS=x\nANALYTICS_SOURCE=./mine.sql\n`,
      )
      return spawnSync('bash', ['-c', here], { stdio: 'ignore' }).status
    }
    expect(type('first')).toBe(0)
    const etc = (name: string): string => join(folder, 'etc', name)
    expect(readFileSync(etc('build.env'), 'utf8')).toBe(
      `DATABASE_URL='first'\nANALYTICS_SOURCE=${etc('mapping.sql')}\n`,
    )
    expect(statSync(etc('build.env')).mode & 0o777).toBe(0o600)
    writeFileSync(join(folder, 'mine.sql'), 'SELECT 2')
    expect(type('second')).not.toBe(0)
    expect(readFileSync(etc('build.env'), 'utf8')).toContain('first')
    expect(readFileSync(etc('mapping.sql'), 'utf8')).toBe('SELECT 1')
  })
})
