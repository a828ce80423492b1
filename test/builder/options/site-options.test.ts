// The options of the website: what each takes, what becomes of it, and what a schedule makes of a change. real test: it reads
// files.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { buildRequest } from '../../../src/builder/commands/build-request.ts'
import { OPTIONS, type Values } from '../../../src/builder/options/build-options.ts'
import type { BuildRequest } from '../../../src/builder/run/context.ts'
import { DEFAULT_SITE } from '../../../src/contract/site-options.ts'
import { CliError } from '../../../src/process/cli-error.ts'
import { runCommandLine } from '../../../src/process/command-line.ts'
import { SILENT } from '../../../src/process/log.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

afterEach(() => void vi.unstubAllEnvs())

async function request(...argv: string[]): Promise<BuildRequest> {
  let values: Values<'build'> | null = null
  const build = {
    name: 'build',
    summary: '',
    example: '',
    options: OPTIONS.build,
    action: async (given: Values<'build'>) => {
      values = given
      return 0
    },
  }
  const program = { name: 'program', summary: '', commands: [build] }
  const effects = { out: () => undefined, log: { warn: () => undefined } }
  await runCommandLine(program, ['--database-url', 'postgresql://u@localhost/d', ...argv], effects)
  return buildRequest(values!, { env: {}, log: SILENT }, 60_000)
}

const site = async (...argv: string[]) => (await request(...argv)).site
const refusal = (...argv: string[]): Promise<string> =>
  site(...argv).then(
    () => 'taken',
    (error: unknown) => {
      if (error instanceof CliError && error.exitCode === 2) return error.message
      throw error
    },
  )

describe('the time zone', () => {
  it('is of the numbers, and no other mapping', async () => {
    const [utc, madrid] = [await request(), await request('--time-zone', 'europe/madrid')]
    expect([utc, madrid, await request('--time-zone', 'Etc/UTC')].map(({ timeZone }) => timeZone)).toEqual([
      'UTC',
      'Europe/Madrid',
      'UTC',
    ])
    expect(madrid.mapping).toEqual(utc.mapping)
  })

  it('is a name of the list', async () => {
    expect(await refusal('--time-zone', 'Madrid')).toMatch(
      /--time-zone.*Madrid.*name of the IANA list, such as Europe\/Madrid/,
    )
  })
})

describe('the options of the site', () => {
  it('have defaults that claim nothing', async () => {
    expect(await site()).toEqual({ options: DEFAULT_SITE, logo: null })
  })

  it.each([
    ['--title', ' Ideas of Springfield ', { title: 'Ideas of Springfield' }],
    ['--publisher', 'City of Springfield', { publisher: 'City of Springfield' }],
    ['--contact', 'data@example.org', { contact: 'mailto:data@example.org' }],
    ['--contact', 'mailto:open.data@sub.example.org', { contact: 'mailto:open.data@sub.example.org' }],
    ['--contact', 'mailto:a%20b@x.example', { contact: 'mailto:a%20b@x.example' }],
    // RFC 6068: otherwise the name would end there.
    ['--contact', 'open+data&x|y@example.org', { contact: 'mailto:open+data%26x%7Cy@example.org' }],
    ['--contact', 'https://example.org/contact/', { contact: 'https://example.org/contact' }],
    ['--license', 'cc-by-4.0', { license: 'CC-BY-4.0' }],
    ['--accent', '#0D5C8F', { accent: '#0d5c8f' }],
    ['--accent', '#057', { accent: '#005577' }],
    ['--accent', '#000', { accent: '#000000' }],
    ['--languages', 'de,en', { languages: ['de', 'en'] }],
    ['--languages', 'FR', { languages: ['fr'] }],
    ['--public-url', 'https://data.example.org/ideas/', { publicUrl: 'https://data.example.org/ideas' }],
  ])('%s %s', async (flag, given, expected) => {
    const options = { ...DEFAULT_SITE, ...expected }
    expect(await site(flag, given)).toEqual({ options, logo: null })
    vi.stubEnv(`ANALYTICS_${flag.slice(2).toUpperCase().replaceAll('-', '_')}`, given)
    expect(await site()).toEqual({ options, logo: null })
  })

  it.each([
    ['--title', ' ', 'one line of at most 120 characters'],
    ['--title', 'two\nlines', 'one line'],
    ['--title', 'x'.repeat(121), 'one line'],
    ['--publisher', 'a\u2028b', 'one line'],
    ['--contact', 'nobody', 'data@example.org'],
    ['--contact', 'a@b?subject=x', 'data@example.org'],
    ['--contact', 'javascript:alert(1)', 'data@example.org'],
    ['--license', 'Free', 'SPDX'],
    ['--license', 'GPL-2.0', 'SPDX'],
    ['--accent', 'blue', '#0d5c8f'],
    ['--accent', '#12345', '#0d5c8f'],
    // On #f5f5f2: 1.3106, computed from the definition of WCAG apart from the code.
    ['--accent', '#ffd400', 'has 1.31, so a darker one is needed'],
    ['--accent', '#fff', 'at least 3 to the light background #f5f5f2'],
    ['--languages', 'en,xx', 'en,de,fr,es'],
    ['--languages', 'en,en', 'each once'],
    ['--languages', ',', 'en,de,fr,es'],
    ['--public-url', 'example.org', 'https://'],
  ])('%s %j is refused', async (flag, given, allowed) => {
    const said = await refusal(flag, given)
    expect(said).toContain(flag)
    expect(said).toContain(allowed)
  })

  it('are not asked for with --no-site, nor with its variable', async () => {
    expect(await site('--no-site', '--title', 'x')).toBeNull()
    vi.stubEnv('ANALYTICS_NO_SITE', 'true')
    expect(await site()).toBeNull()
    vi.stubEnv('ANALYTICS_NO_SITE', 'false')
    expect(await site()).not.toBeNull()
    vi.stubEnv('ANALYTICS_NO_SITE', 'maybe')
    expect(await refusal()).toContain('ANALYTICS_NO_SITE')
  })
})

describe('--logo', () => {
  const SVG = '<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0"/></svg>\n'
  const file = (content: string | Buffer): string => {
    const path = join(temporaryFolder(), 'logo.svg')
    writeFileSync(path, content)
    return path
  }

  it('is read, and its hash is among the options', async () => {
    const found = await site('--logo', file(SVG))
    expect(found?.logo).toBe(SVG)
    expect(found?.options.logo).toMatch(/^[0-9a-f]{64}$/)
    expect((await site('--logo', file(`${SVG}\n`)))?.options.logo).not.toBe(found?.options.logo)
  })

  it.each([
    ['another image', 'GIF89a'],
    ['what is too large', SVG + ' '.repeat(65_537 - SVG.length)],
    ['what is no text', Buffer.from(`${SVG}\xff`, 'latin1')],
  ])('%s is refused with what is allowed', async (_, content) => {
    const path = file(content)
    expect(await refusal('--logo', path)).toContain(
      `--logo: ${path}: allowed is an SVG image in UTF-8 of at most 64 KiB`,
    )
  })

  it('of 64 KiB is taken', async () => {
    expect(await refusal('--logo', file(SVG + ' '.repeat(65_536 - SVG.length)))).toBe('taken')
  })

  it('that is not there is an error that names it', async () => {
    expect(await refusal('--logo', '/nowhere/logo.svg')).toMatch(/^--logo: cannot read \/nowhere\/logo\.svg: /)
    expect(await refusal('--logo', temporaryFolder())).toContain('cannot read')
  })
})
