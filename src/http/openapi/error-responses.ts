import { type ErrorCode, errorKinds } from '../../errors.ts'
import { JSON_TYPE } from '../route-config.ts'
import type { Schema } from './described-route.ts'
import { errorHeaders } from './response-headers.ts'

export const errorSchema: Schema = {
  type: 'object',
  description: 'The body of all error responses.',
  required: ['status', 'message', 'error'],
  properties: {
    status: { type: 'integer', description: 'The HTTP status.' },
    message: { type: 'string', description: 'Description of the error: parameter, value and rule.' },
    error: { type: 'string', enum: Object.keys(errorKinds), description: 'Stable code of the error.' },
  },
}

/** Error responses as components: one per status and set of codes. */
export class ErrorResponses {
  readonly #responses = new Map<string, Schema>()

  reference(status: number, codes: readonly ErrorCode[]): Schema {
    const name = `${status}.${codes.join('.')}`
    if (!this.#responses.has(name)) this.#responses.set(name, errorResponse(status, codes))
    return { $ref: `#/components/responses/${name}` }
  }

  responses(): Readonly<Record<string, Schema>> {
    return Object.fromEntries([...this.#responses].toSorted(([a], [b]) => a.localeCompare(b)))
  }
}

function errorResponse(status: number, codes: readonly ErrorCode[]): Schema {
  const one = { properties: { status: { const: status }, error: { enum: codes } } }
  return {
    description: codes.map((code) => `\`${code}\`: ${errorKinds[code].meaning}`).join('\n\n'),
    headers: errorHeaders(status),
    content: { [JSON_TYPE]: { schema: { allOf: [{ $ref: '#/components/schemas/Error' }, one] } } },
  }
}
