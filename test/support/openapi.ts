// Compares answers of the proxy with the OpenAPI document that the same proxy serves: status, headers, type, body.
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { expect } from 'vitest'
import { ask, type Answered, type Asking } from './proxy.ts'

interface Media {
  readonly schema: object
}
interface Response {
  readonly headers: Readonly<Record<string, Media>>
  readonly content?: Readonly<Record<string, Media>>
}
interface Described {
  readonly paths: Readonly<Record<string, { readonly get: { readonly responses: Readonly<Record<string, Response>> } }>>
  readonly components: object
}

/** Headers that an answer need not have. */
const SOMETIMES: ReadonlySet<string> = new Set(['X-Data-Stale', 'X-Data-Closed', 'X-Demo-Data', 'Content-Disposition'])

/** For JSON Schema 2020-12, as OpenAPI 3.1 uses it. */
export function jsonSchemas(): Ajv2020 {
  const ajv = new Ajv2020({ strict: true, strictTypes: false, allErrors: true })
  formats.default(ajv)
  return ajv
}

export interface Contract {
  readonly document: Described
  /** Fails the test unless the answer is one that the document describes. */
  check(target: string, answer: Answered): void
  /** One request whose answer is checked. */
  ask(target: string, asking?: Asking): Promise<Answered>
}

export async function contractOf(port: number): Promise<Contract> {
  const served = await ask(port, '/api/openapi.json')
  expect(served.status).toBe(200)
  const document = served.json() as unknown as Described
  const ajv = jsonSchemas()
  ajv.addVocabulary(['components'])
  const names = new Set(
    Object.values(document.paths).flatMap(({ get }) =>
      Object.values(get.responses).flatMap((response) => Object.keys(response.headers)),
    ),
  )
  const compiled = new Map<object, ValidateFunction>()
  const expectValid = (schema: object, value: unknown, what: string): void => {
    let validate = compiled.get(schema)
    if (validate === undefined)
      compiled.set(schema, (validate = ajv.compile({ ...schema, components: document.components })))
    if (!validate(value))
      expect.fail(`${what}: ${ajv.errorsText(validate.errors)}\n${JSON.stringify(value).slice(0, 500)}`)
  }
  const check = (target: string, answer: Answered): void => {
    const response = document.paths[pathOf(target)]?.get.responses[String(answer.status)]
    const what = `${answer.status} of ${target}`
    if (response === undefined) expect.fail(`${what}: not described`)
    for (const [name, { schema }] of Object.entries(response.headers)) {
      const given = answer.headers[name.toLowerCase()]
      if (given === undefined && SOMETIMES.has(name)) continue
      const isNumber = (schema as { type?: string }).type === 'integer' && /^\d+$/.test(String(given))
      expectValid(schema, isNumber ? Number(given) : given, `${name} of ${what}`)
    }
    for (const name of names)
      if (answer.headers[name.toLowerCase()] !== undefined && !(name in response.headers))
        expect.fail(`${name} of ${what}: not described`)
    const type = (answer.headers['content-type'] ?? '').split(';')[0] ?? ''
    expect(Object.keys(response.content ?? { '': null }), what).toContain(type)
    if (answer.body.length === 0) return
    const schema = response.content?.[type]?.schema ?? expect.fail(`${what}: has a body`)
    expectValid(schema, type === 'application/json' ? answer.json() : answer.text, what)
  }
  return {
    document,
    check,
    async ask(target, asking) {
      const answer = await ask(port, target, asking)
      check(target, answer)
      return answer
    },
  }
}

function pathOf(target: string): string {
  return target.split('?')[0] ?? ''
}
