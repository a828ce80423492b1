// Whether the answers that a file holds are as the served OpenAPI document describes them, whatever was asked of the build.
import type { ValidateFunction } from 'ajv/dist/2020.js'
import { expect } from 'vitest'
import type { CategoryFile } from '../../src/contract/kinds/tables.ts'
import { outcomesIn } from '../../src/contract/kinds/outcomes.ts'
import type { Combination } from '../../src/contract/kinds/register.ts'
import { timelineIn } from '../../src/contract/kinds/timeline.ts'
import { exportSchemaName, SCHEMAS } from '../../src/contract/schemas.ts'
import { PERIODS } from '../../src/contract/windows.ts'
import { jsonSchemas } from '../support/openapi.ts'

interface Answer {
  readonly schema: string
  readonly document: object | null
}

function answersIn(combination: Combination, file: object): Answer[] {
  switch (combination.endpoint) {
    case 'stats':
      return [{ schema: 'Stats', document: file }]
    case 'trending':
      return [{ schema: 'Trending', document: file }]
    case 'categories':
      return [{ schema: 'Categories', document: file }]
    case 'timeline':
      return [{ schema: 'Timeline', document: file }]
    case 'outcomes':
      return [{ schema: 'Outcomes', document: file }]
    case 'category':
      return [
        ...PERIODS.map((period) => ({ schema: 'Timeline', document: timelineIn(file as CategoryFile, period) })),
        { schema: 'Outcomes', document: outcomesIn(file as CategoryFile) },
      ]
    case 'export':
      return combination.format === 'csv' ? [] : [{ schema: exportSchemaName(combination.type), document: file }]
  }
}

const ajv = jsonSchemas()
const compiled = new Map<string, ValidateFunction>()

/**
 * Fails the test unless each answer is one that its schema allows.
 * @param file the document without what ends it
 */
export function expectDescribed(combination: Combination, file: object, ending: object): void {
  for (const { schema, document } of answersIn(combination, file)) {
    const validate = compiled.get(schema) ?? ajv.compile(SCHEMAS[schema] ?? expect.fail(`no schema ${schema}`))
    compiled.set(schema, validate)
    if (!validate({ ...document, ...ending }))
      expect.fail(`${JSON.stringify(combination)}: ${ajv.errorsText(validate.errors)}`)
  }
}
