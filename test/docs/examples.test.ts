// The examples of README.md and docs/: curl lines are run against a proxy that serves the demo.
import { readFile } from 'node:fs/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import { packagePath } from '../../src/process/package-root.ts'
import { demoOnce } from '../support/demo.ts'
import { startProgram, type ProxyProgram } from '../support/proxy.ts'
import { DOCUMENTS } from './documents.ts'

describe('the curl examples', () => {
  let proxy: ProxyProgram | undefined
  const examples = DOCUMENTS.flatMap(({ path, text }) =>
    [...text.matchAll(/```console\n\$ (curl [^\n]+)\n([\s\S]*?)\n```/g)].map(([, command = '', output = '']) => ({
      path,
      command,
      output,
    })),
  )

  beforeAll(async () => {
    proxy = await startProgram(['--snapshots', await demoOnce()])
    return () => proxy?.kill()
  })

  test('are there for each kind of answer', () => {
    expect(examples.filter(({ path }) => path === 'docs/api.md').length).toBeGreaterThanOrEqual(4)
    expect(examples.map(({ path }) => path)).toContain('README.md')
  })

  test.each(examples)('$path: $command', async ({ command, output }) => {
    const url = /http:\/\/127\.0\.0\.1:8080([^\s']*)/.exec(command)?.[1] ?? ''
    const answer = (await (await fetch(`${proxy?.base ?? ''}${url}`)).text()).trimEnd()
    // A long list ends in `…`.
    if (output.startsWith('{'))
      expect(shapeOf(JSON.parse(answer))).toEqual(shapeOf(JSON.parse(output.replaceAll(',…]', ']'))))
    else expect(answer.replaceAll('\r', '').split('\n').map(firstCell)).toEqual(output.split('\n').map(firstCell))
  })
})

test('lines to copy name the release that this is or becomes, and the upgrade the one after it', async () => {
  const read = (...path: string[]): Promise<string> => readFile(packagePath(...path), 'utf8')
  const { version } = JSON.parse(await read('package.json')) as { version: string }
  const [release = ''] = version.split('-')
  const [major = '', minor = ''] = release.split('.')
  const manifests = { path: 'kustomization.yaml', text: await read('deploy', 'kubernetes', 'kustomization.yaml') }
  const named = [...DOCUMENTS.filter(({ path }) => path !== 'CHANGELOG.md'), manifests].flatMap(({ path, text }) =>
    [...text.matchAll(/(?:VERSION=|newTag: |public-analytics[-:])(\d+\.\d+\.\d+)/g)].map(([, one]) => `${path} ${one}`),
  )
  expect(named.filter((one) => !one.endsWith(` ${release}`))).toEqual([
    `docs/deployment.md ${major}.${Number(minor) + 1}.0`,
  ])
  for (const { path } of [manifests, { path: 'README.md' }, { path: 'docs/containers.md' }])
    expect(named).toContain(`${path} ${release}`)
})

test('an example in which the proxy is reached from elsewhere says whom it trusts', () => {
  const blocks = DOCUMENTS.flatMap(({ text }) =>
    [...text.matchAll(/^```\w+\n(.*?)^```/gms)].map(([, block = '']) => block),
  )
  const open = blocks.filter(
    (block) => /analytics-proxy|public-analytics/.test(block) && /0\.0\.0\.0|"::"|docker run .* -p /.test(block),
  )
  expect(open.length).toBeGreaterThan(0)
  for (const block of open) expect(block).toContain('--trust-proxy')
})

/** Keys in order, and of a list the shape of its first element: the demo's values differ from day to day. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return [shapeOf(value[0])]
  if (value === null || typeof value !== 'object') return 'value'
  return Object.entries(value).map(([key, one]) => [key, shapeOf(one)])
}

function firstCell(line: string): string | undefined {
  return line.split(',')[0]
}
