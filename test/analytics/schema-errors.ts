// Owns holding a document, which lacks what each answer ends with, against its definition in the public API.
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { documentText } from '../../src/contract/document-text.ts'
import { SCHEMAS } from '../../src/contract/schemas.ts'

const ajv = new Ajv2020({ strict: true, strictTypes: false })
formats.default(ajv)

/** @returns null = it is as the schema says */
export function schemaErrors(schema: string, document: object): unknown {
  const validate = ajv.compile(SCHEMAS[schema]!)
  validate(JSON.parse(documentText(document, '2026-05-20T09:30:00.000Z')))
  return validate.errors
}
