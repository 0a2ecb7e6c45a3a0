import { acceptNull } from './accept-null.ts'
import { isSchema, type Schema } from './described-route.ts'

interface Component {
  /** As the model states it, to tell whether two schemas of one name are the same. */
  readonly stated: string
  readonly schema: Schema
  isSent: boolean
}

/**
 * Keyword of the model that holds what the document says and the validator of requests does not ask for: the operation
 * does, with a code or a message of its own.
 */
const DOCUMENTED = 'x-documented'

/** Texts about one use of a schema; they are no part of what it is. */
const REMARKS = ['examples', 'description', 'default', 'deprecated'] as const

/** Schemas with an `$id` become components; every place that uses one gets a reference. */
export class Components {
  readonly #components = new Map<string, Component>()

  /** A schema of requests with references in it; `null` is allowed where it counts as absent. */
  sent(schema: Schema): Schema {
    return acceptNull(this.#hoist(schema, true))
  }

  /** A schema of answers with references in it. */
  answered(schema: Schema): Schema {
    return this.#hoist(schema, false)
  }

  schemas(): Readonly<Record<string, Schema>> {
    const entries = [...this.#components].map(([name, { schema, isSent }]) => [
      name,
      isSent ? acceptNull(schema) : schema,
    ])
    return Object.fromEntries(entries)
  }

  #hoist(schema: Schema, isSent: boolean): Schema {
    const { $id: name, ...rest } = schema
    if (typeof name !== 'string') return this.#inside(rest, isSent)
    const { remarks, plain } = splitRemarks(rest)
    this.#register(name, plain, remarks, isSent)
    return { ...remarks, $ref: `#/components/schemas/${name}` }
  }

  #register(name: string, plain: Schema, { description }: Schema, isSent: boolean): void {
    const stated = JSON.stringify(plain)
    const known = this.#components.get(name)
    if (known !== undefined && known.stated !== stated) throw new Error(`two schemas are named ${name}`)
    if (known !== undefined && (known.isSent || !isSent)) return
    const schema = { ...(description === undefined ? {} : { description }), ...this.#inside(plain, isSent) }
    this.#components.set(name, { stated, schema, isSent: isSent || known?.isSent === true })
  }

  /** The schema with those inside it hoisted. */
  #inside({ [DOCUMENTED]: more, ...schema }: Schema, isSent: boolean): Schema {
    const hoist = (value: unknown): unknown => (isSchema(value) ? this.#hoist(value, isSent) : value)
    const entries = Object.entries(schema).map(([keyword, value]): [string, unknown] => {
      if (MAPS.has(keyword) && isSchema(value)) {
        return [keyword, Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, hoist(inner)]))]
      }
      if (LISTS.has(keyword) && Array.isArray(value)) return [keyword, value.map(hoist)]
      return [keyword, SINGLE.has(keyword) ? hoist(value) : value]
    })
    return { ...typeOfWords(schema), ...Object.fromEntries(entries), ...(isSchema(more) ? more : {}) }
  }
}

const MAPS = new Set(['properties', 'patternProperties'])
const LISTS = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems'])
const SINGLE = new Set(['items', 'additionalProperties', 'not'])

/** An enumeration of words is told to be one of texts: generators look for a type first. */
export function typeOfWords({ type, enum: words }: Schema): Schema {
  const isWords = type === undefined && Array.isArray(words) && words.every((word) => typeof word === 'string')
  return isWords ? { type: 'string' } : {}
}

function splitRemarks(schema: Schema): { readonly remarks: Schema; readonly plain: Schema } {
  const isRemark = (keyword: string): boolean => REMARKS.some((remark) => remark === keyword)
  const entries = Object.entries(schema)
  return {
    remarks: Object.fromEntries(entries.filter(([keyword]) => isRemark(keyword))),
    plain: Object.fromEntries(entries.filter(([keyword]) => !isRemark(keyword))),
  }
}
