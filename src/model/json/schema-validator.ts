import { Ajv, type ValidateFunction } from 'ajv'
import type { TSchema } from 'typebox'

const validators = new WeakMap<TSchema, ValidateFunction>()

/** Returns the compiled form of a schema. */
export function validatorOf(schema: TSchema): ValidateFunction {
  let validate = validators.get(schema)
  if (validate === undefined) {
    validate = new Ajv({ strict: false, verbose: true }).compile(withoutIds(schema))
    validators.set(schema, validate)
  }
  return validate
}

/** The ids name the schemas in the OpenAPI document; ajv rejects an id that occurs twice in a schema. */
function withoutIds(schema: TSchema): object {
  return JSON.parse(JSON.stringify(schema, (key, value) => (key === '$id' ? undefined : value)))
}
