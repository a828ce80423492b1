// deploy/kubernetes, without a cluster: each manifest has the form that the API has (kubernetes-types, checked by tsc), asks for
// nothing that a restricted namespace forbids or the programs do not know. That the programs run by such variables, and are healthy, is
// in compose.test.ts.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Deployment } from 'kubernetes-types/apps/v1.js'
import type { CronJob } from 'kubernetes-types/batch/v1.js'
import type { Container, PersistentVolumeClaim, PodSpec, Service } from 'kubernetes-types/core/v1.js'
import type { NetworkPolicy } from 'kubernetes-types/networking/v1.js'
import type { PodDisruptionBudget } from 'kubernetes-types/policy/v1.js'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { longestGapMs } from '../../src/builder/commands/schedule.ts'
import { OPTIONS } from '../../src/builder/options/build-options.ts'
import { PARAM_VARIABLE } from '../../src/process/variables.ts'
import type { Options } from '../../src/process/option.ts'
import { packagePath } from '../../src/process/package-root.ts'
import { DRAIN_MS, PROXY_OPTIONS } from '../../src/proxy/options.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { bucketAt } from '../support/memory-s3.ts'

interface Manifest {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: { readonly name: string }
}

interface Kustomization {
  readonly resources: readonly string[]
  readonly images: readonly { readonly name: string }[]
  readonly configMapGenerator: readonly { readonly name: string; readonly literals: readonly string[] }[]
}

const FOLDER = packagePath('deploy', 'kubernetes')
const kustomization = parse(readFileSync(join(FOLDER, 'kustomization.yaml'), 'utf8')) as Kustomization
const manifests = kustomization.resources.flatMap((file) =>
  parseAllDocuments(readFileSync(join(FOLDER, file), 'utf8')).map((one) => one.toJS() as Manifest),
)

function named(kind: string, name: string): unknown {
  const found = manifests.find((one) => one.kind === kind && one.metadata.name === name)
  if (found === undefined) throw new Error(`there is no ${kind} ${name}`)
  return found
}

const cronJob = named('CronJob', 'builder') as CronJob
const deployment = named('Deployment', 'proxy') as Deployment
const jobPods = cronJob.spec?.jobTemplate.spec?.template
const proxyPods = deployment.spec?.template
const NO_POD: PodSpec = { containers: [] }
const PODS: readonly [name: string, pod: PodSpec, options: Options][] = [
  ['builder', jobPods?.spec ?? NO_POD, OPTIONS.build],
  ['proxy', proxyPods?.spec ?? NO_POD, PROXY_OPTIONS],
]
const containerOf = ({ containers }: PodSpec): Container => containers[0] ?? { name: '' }

/** All of a container: those of its config map first, as Kubernetes does. */
function variablesOf(pod: PodSpec): Record<string, string> {
  const { envFrom = [], env = [] } = containerOf(pod)
  const maps = envFrom.map(({ configMapRef }) =>
    kustomization.configMapGenerator.find(({ name }) => name === configMapRef?.name),
  )
  const literals = maps.flatMap((one) => one?.literals ?? []).map((line) => line.split(/=(.*)/s).slice(0, 2))
  const own = env.map(({ name, value = '' }) => [name, value])
  return Object.fromEntries([...literals, ...own]) as Record<string, string>
}

/** Where kubernetes-types has the type of each kind. */
const TYPES: Readonly<Record<string, string>> = { v1: 'core/v1', 'networking.k8s.io/v1': 'networking/v1' }

function compile(text: string): string {
  const folder = temporaryFolder()
  symlinkSync(packagePath('node_modules'), join(folder, 'node_modules'))
  const compilerOptions = { module: 'preserve', strict: true, noEmit: true, types: [], skipLibCheck: true }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['manifests.ts'] }))
  writeFileSync(join(folder, 'manifests.ts'), text)
  const tsc = packagePath('node_modules', 'typescript', 'bin', 'tsc')
  return spawnSync(process.execPath, [tsc, '-p', folder], { encoding: 'utf8' }).stdout
}

const typed = (one: Manifest, i: number): string =>
  `export const manifest${i}: import('kubernetes-types/${TYPES[one.apiVersion] ?? one.apiVersion}').${one.kind} = ${JSON.stringify(one)}`

describe('the manifests', () => {
  test('are all that the kustomization names, and have the form of their kinds', () => {
    const files = readdirSync(FOLDER).filter((name) => name !== 'kustomization.yaml')
    expect([...kustomization.resources].sort()).toEqual(files.sort())
    const kinds =
      'CronJob Deployment Namespace NetworkPolicy NetworkPolicy PersistentVolumeClaim PodDisruptionBudget Service'
    expect(manifests.map(({ kind }) => kind).sort()).toEqual(kinds.split(' '))
    expect(compile(manifests.map(typed).join('\n'))).toBe('')
  })

  test('select the pods that they mean', () => {
    const labels = proxyPods?.metadata?.labels
    expect(deployment.spec?.selector.matchLabels).toEqual(labels)
    expect((named('Service', 'proxy') as Service).spec?.selector).toEqual(labels)
    const budget = named('PodDisruptionBudget', 'proxy') as PodDisruptionBudget
    expect(budget.spec?.selector?.matchLabels).toEqual(labels)
    expect(Number(budget.spec?.minAvailable)).toBeLessThan(deployment.spec?.replicas ?? 0)
    const policies = ['proxy', 'builder'].map((name) => (named('NetworkPolicy', name) as NetworkPolicy).spec)
    expect(policies.map((spec) => spec?.podSelector.matchLabels)).toEqual([labels, jobPods?.metadata?.labels])
    for (const spec of policies) expect(spec?.policyTypes).toEqual(['Ingress', 'Egress'])
    expect(policies.map((spec) => [spec?.ingress?.length ?? 0, spec?.egress?.length ?? 0])).toEqual([
      [2, 1],
      [0, 2],
    ])
  })

  test('agree on ports and on times', () => {
    const [port] = containerOf(PODS[1]?.[1] ?? NO_POD).ports ?? []
    expect(port?.containerPort).toBe(PROXY_OPTIONS.port.defaultValue)
    expect((named('Service', 'proxy') as Service).spec?.ports?.[0]?.targetPort).toBe(port?.name)
    const asked = (named('NetworkPolicy', 'proxy') as NetworkPolicy).spec?.ingress?.[0]?.ports?.[0]?.port
    expect(asked).toBe(port?.containerPort)
    const { ANALYTICS_ADMIN_PORT, ANALYTICS_TRUST_PROXY = '' } = variablesOf(PODS[1]?.[1] ?? NO_POD)
    const metrics = containerOf(PODS[1]?.[1] ?? NO_POD).ports?.[1]?.containerPort
    const rules = (named('NetworkPolicy', 'proxy') as NetworkPolicy).spec?.ingress ?? []
    expect([ANALYTICS_ADMIN_PORT, rules[1]?.ports?.[0]?.port]).toEqual([`0.0.0.0:${metrics}`, metrics])
    const { livenessProbe, readinessProbe } = containerOf(PODS[1]?.[1] ?? NO_POD)
    expect([livenessProbe, readinessProbe].map((probe) => probe?.httpGet?.path)).toEqual(['/healthz', '/readyz'])
    expect(proxyPods?.metadata?.annotations).toMatchObject({ 'prometheus.io/port': String(metrics) })
    // Not all pods may ask, and no network of pods is believed.
    for (const from of rules.flatMap((rule) => rule.from ?? []))
      expect(Object.keys(from.namespaceSelector?.matchLabels ?? {})).toEqual(['kubernetes.io/metadata.name'])
    expect(ANALYTICS_TRUST_PROXY).not.toContain('/')
    expect(1000 * (proxyPods?.spec?.terminationGracePeriodSeconds ?? 0)).toBeGreaterThan(DRAIN_MS)
    const limitMs = 1000 * (cronJob.spec?.jobTemplate.spec?.activeDeadlineSeconds ?? 0)
    expect(limitMs).toBeGreaterThan(Number(OPTIONS.build.deadline.defaultValue))
    const every = OPTIONS.build.every.parseArg?.(variablesOf(jobPods?.spec ?? NO_POD)['ANALYTICS_EVERY'] ?? '', null)
    expect(every).toBe(longestGapMs(cronJob.spec?.schedule ?? ''))
    expect(cronJob.spec?.concurrencyPolicy).toBe('Forbid')
  })
})

test('proxies read the bucket that the builder writes, by the same encrypted port, and hold nothing', () => {
  const [builder, proxy] = PODS.map(([, pod]) => variablesOf(pod))
  const { AWS_SECRET_ACCESS_KEY_FILE: _mounted, ...given } = builder ?? {}
  const { url, prefix } = bucketAt(given['ANALYTICS_PUBLISH'] ?? '', { ...given, AWS_SECRET_ACCESS_KEY: 'x' })
  expect(proxy?.['ANALYTICS_ORIGIN']).toBe(`${url}/${prefix}snapshots`)
  expect(proxyPods?.spec?.volumes).toBeUndefined()
  for (const name of ['proxy', 'builder'])
    expect((named('NetworkPolicy', name) as NetworkPolicy).spec?.egress?.[0]?.ports?.at(-1)).toEqual({ port: 443 })
})

test('on OpenShift no user and no group is fixed', () => {
  const file = packagePath('deploy', 'openshift', 'kustomization.yaml')
  const { resources, patches } = parse(readFileSync(file, 'utf8')) as {
    resources: string[]
    patches: { target: { kind: string; name: string }; patch: string }[]
  }
  expect(resources.map((one) => join(dirname(file), one))).toEqual([FOLDER])
  for (const { target, patch } of patches)
    for (const { op, path } of parse(patch) as { op: string; path: string }[]) {
      expect(op).toBe('remove')
      const steps = path.split('/').slice(1)
      const last = steps.pop() ?? ''
      const holder = steps.reduce(
        (at, step) => at[step] as Record<string, unknown>,
        named(target.kind, target.name) as Record<string, unknown>,
      )
      expect(Object.keys(holder)).toContain(last)
      delete holder[last]
    }
  expect(JSON.stringify(manifests)).not.toMatch(/runAsUser|runAsGroup|fsGroup"|supplementalGroups/)
})

describe.each(PODS)('the pod of the %s', (_, pod, options) => {
  test('may run in a restricted namespace, as the user of the image', () => {
    expect(pod.securityContext).toMatchObject({
      runAsNonRoot: true,
      seccompProfile: { type: 'RuntimeDefault' },
    })
    expect(pod.automountServiceAccountToken).toBe(false)
    for (const { securityContext } of pod.containers)
      expect(securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      })
  })

  test('starts a program that is there, with variables that it has and values that it takes', () => {
    const { args = [], image } = containerOf(pod)
    expect(image).toBe(kustomization.images[0]?.name)
    // What the image's entry point takes.
    expect(existsSync(packagePath('bin', `analytics-${args[0]}.js`)), args[0]).toBe(true)
    const given = Object.entries(variablesOf(pod)).filter(
      ([name]) => !PARAM_VARIABLE.test(name) && !name.startsWith('AWS_'),
    )
    onTestFinished(() => void vi.unstubAllEnvs())
    const { AWS_SECRET_ACCESS_KEY_FILE: _mounted, ...readable } = variablesOf(pod)
    for (const [name, value] of Object.entries({ ...readable, AWS_SECRET_ACCESS_KEY: 'x' })) vi.stubEnv(name, value)
    expect(given.length).toBeGreaterThan(2)
    for (const [name, value] of given) {
      const row = Object.values(options).find(({ envVar }) => [name, name.replace(/_FILE$/, '')].includes(envVar ?? ''))
      expect([name, row?.parseArg?.(value, null)]).toEqual([name, expect.anything()])
    }
  })

  test('mounts volumes that there are, where its variables say', () => {
    const { volumeMounts = [] } = containerOf(pod)
    const claims = (pod.volumes ?? []).flatMap(({ persistentVolumeClaim }) => persistentVolumeClaim?.claimName ?? [])
    for (const name of claims)
      expect((named('PersistentVolumeClaim', name) as PersistentVolumeClaim).spec?.accessModes).toEqual([
        'ReadWriteOnce',
      ])
    expect(volumeMounts.map(({ name }) => name)).toEqual((pod.volumes ?? []).map(({ name }) => name))
    const paths = volumeMounts.map(({ mountPath }) => mountPath)
    const variables = Object.entries(variablesOf(pod))
    const folders = variables.flatMap(([name, value]) =>
      name === 'ANALYTICS_SNAPSHOTS' ? value : name.endsWith('_FILE') ? dirname(value) : [],
    )
    expect(paths.toSorted()).toEqual([...new Set(folders)].sort())
  })
})
