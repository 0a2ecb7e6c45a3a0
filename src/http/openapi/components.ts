import { acceptNull } from './accept-null.ts'
import { isSchema, type Schema } from './described-route.ts'

interface Component {
  /** The schema as written in the model, to detect two different schemas with one name. */
  readonly stated: string
  readonly schema: Schema
  isSent: boolean
}

/**
 * Keyword of the model with constraints that are documented but not validated by the schema. The operation checks them,
 * to answer with a specific code or message.
 */
const DOCUMENTED = 'x-documented'

/** Annotations of one use of a schema; ignored when schemas are compared. */
const REMARKS = ['examples', 'description', 'default', 'deprecated'] as const

/** Turns schemas with an `$id` into components and replaces each use by a reference. */
export class Components {
  readonly #components = new Map<string, Component>()

  /** Returns a request schema with references; allows `null` where it counts as absent. */
  sent(schema: Schema): Schema {
    return acceptNull(this.#hoist(schema, true))
  }

  /** Returns a response schema with references. */
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
    if (known !== undefined && known.stated !== stated) throw new Error(`two schemas have the name ${name}`)
    if (known !== undefined && (known.isSent || !isSent)) return
    const schema = { ...(description === undefined ? {} : { description }), ...this.#inside(plain, isSent) }
    this.#components.set(name, { stated, schema, isSent: isSent || known?.isSent === true })
  }

  /** Returns the schema with its nested schemas hoisted. */
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

/** Adds `type: string` to an enumeration of strings, because client generators look for a type first. */
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
