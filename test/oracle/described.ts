// Whether the answers that a file holds are as the served OpenAPI document describes them, whatever was asked of the build.
import type { ValidateFunction } from 'ajv/dist/2020.js'
import { expect } from 'vitest'
import type { CategoryFile } from '../../src/contract/kinds/register.ts'
import { outcomesIn } from '../../src/contract/kinds/outcomes.ts'
import type { Combination } from '../../src/contract/kinds/register.ts'
import { timelineIn } from '../../src/contract/kinds/timeline.ts'
import { exportSchemaName } from '../../src/contract/kinds/export.ts'
import { SCHEMAS } from '../../src/contract/schemas.ts'
import { PERIODS } from '../../src/contract/windows.ts'
import { jsonSchemas } from '../support/openapi.ts'

/** Each with the name of its schema. */
function answersIn(combination: Combination, file: object): (readonly [schema: string, document: object | null])[] {
  const { endpoint } = combination
  if (endpoint === 'export') return [[exportSchemaName(combination.type), file]]
  if (endpoint !== 'category') return [[endpoint.charAt(0).toUpperCase() + endpoint.slice(1), file]]
  const timelines = PERIODS.map((period) => ['Timeline', timelineIn(file as CategoryFile, period)] as const)
  return [...timelines, ['Outcomes', outcomesIn(file as CategoryFile)]]
}

const ajv = jsonSchemas()
const compiled = new Map<string, ValidateFunction>()

/**
 * Fails the test unless each answer is one that its schema allows.
 * @param file the document without what ends it
 */
export function expectDescribed(combination: Combination, file: object, ending: object): void {
  for (const [schema, document] of answersIn(combination, file)) {
    const validate = compiled.get(schema) ?? ajv.compile(SCHEMAS[schema] ?? expect.fail(`no schema ${schema}`))
    compiled.set(schema, validate)
    if (!validate({ ...document, ...ending }))
      expect.fail(`${JSON.stringify(combination)}: ${ajv.errorsText(validate.errors)}`)
  }
}
