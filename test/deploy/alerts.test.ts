// The alert rules: Prometheus' own tool takes them, they fire when they should and not before, on metrics that exist.
// long test: Prometheus’ own tool for each rule
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { RESULTS } from '../../src/builder/report/exit-codes.ts'
import { buildMetricsText } from '../../src/builder/report/metrics-text.ts'
import { packagePath } from '../../src/process/package-root.ts'
import type { Manifest } from '../../src/release/format/manifest.ts'
import { aboutOf, AS_OF_MS } from '../release/sample-release.ts'
import { documentedType } from '../support/documented-metrics.ts'
import { describeWithComponent, findProgram } from '../support/real-component.ts'

const FOLDER = packagePath('deploy', 'prometheus')
const [RULES, RULES_TEST] = ['analytics.rules.yml', 'analytics.rules.test.yml']
const rules = readFileSync(join(FOLDER, RULES), 'utf8')
const EXPRESSIONS = rules.matchAll(/- alert: (\w+)\n\s+expr: (.+)\n/g)
const ALERTS = [...EXPRESSIONS].map(([, name = '', expr = '']) => ({ name, expr }))
const SUSPECT = { relation: 'votes', reason: 'any', rows: 5, of: 5, isAll: true } as const

async function builderText(): Promise<string> {
  const [startedMs, endedMs] = [AS_OF_MS, AS_OF_MS]
  const manifest: Manifest = {
    id: 'any',
    ...aboutOf(AS_OF_MS),
    source: { replayLagMs: 0, rowSecurity: 'off' },
    ignored: [{ relation: 'votes', reason: 'any', rows: 1 }],
    files: [],
  }
  const report = { manifest, revisions: [], suspects: [SUSPECT], afterPublish: true }
  return buildMetricsText({
    run: { result: 'published', exitCode: 0, startedMs, endedMs, report },
    before: '',
    current: manifest,
    due: false,
    held: false,
    newestDay: '2026-05-19',
    availableBytes: 0,
  })
}

describe('the alerts', () => {
  it('are all tested', () => {
    expect(ALERTS.length).toBe(rules.split('- alert:').length - 1)
    const tests = readFileSync(join(FOLDER, RULES_TEST), 'utf8')
    for (const { name } of ALERTS) expect(tests).toContain(`alertname="${name}",alertstate="firing"`)
  })

  it('ask for metrics and results of the builder that it writes', async () => {
    const text = await builderText()
    for (const { expr } of ALERTS) {
      for (const [metric] of expr.matchAll(/analytics_build_\w+/g)) expect(text).toContain(`\n# TYPE ${metric} `)
      for (const [, results = ''] of expr.matchAll(/result=~?"([^"]+)"/g))
        for (const result of results.split('|')) expect(RESULTS).toContain(result)
    }
  })

  it('ask for every result that an operator must act on', () => {
    const asked = ALERTS.flatMap(({ expr }) => /result=~?"([^"]+)"/.exec(expr)?.[1]?.split('|') ?? [])
    const others = ['published', 'held', 'locked', 'stopped']
    expect([...asked, ...others].sort()).toEqual([...RESULTS].sort())
  })
})

describe('docs/operations.md', () => {
  it('lists the metrics of the builder, each with its type, and no other', async () => {
    const typed = [...(await builderText()).matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name, type]) => [name, type])
    const documented = readFileSync(packagePath('docs', 'operations.md'), 'utf8')
    const names = [...documented.matchAll(/^\| `(analytics_build_\w+)[^|]*\|/gm)].map(([, name = '']) => name)
    const rows = names.map((name) => [name, documentedType(name)])
    expect(Object.fromEntries(rows)).toEqual(Object.fromEntries(typed))
  })
})

describeWithComponent('promtool', findProgram('promtool', 'prometheus'), (promtool) => {
  const run = (folder: string, ...args: string[]): { status: number | null; said: string } => {
    const { status, stdout, stderr } = spawnSync(promtool, args, { cwd: folder, encoding: 'utf8' })
    return { status, said: stdout + stderr }
  }

  it('takes the rules', () => {
    const { status, said } = run(FOLDER, 'check', 'rules', '--lint-fatal', RULES)
    expect(said).toContain(`SUCCESS: ${ALERTS.length} rules found`)
    expect(status).toBe(0)
  })

  it('sees them fire when they should', () => {
    expect(run(FOLDER, 'test', 'rules', RULES_TEST)).toMatchObject({ status: 0 })
  })
})
