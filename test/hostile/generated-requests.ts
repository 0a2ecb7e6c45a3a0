import type { Call } from '../support/http-client.ts'

/** The subset of JSON Schema used by the OpenAPI document of the server. */
interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | Schema
  readonly items?: Schema
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly minimum?: number
}

interface Parameter {
  readonly name: string
  readonly in: string
  readonly schema?: Schema
}

interface Operation {
  readonly parameters?: readonly (Parameter | { readonly $ref: string })[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema?: Schema }>> }
}

export interface OpenApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

/** A request with one large list, text or number of keys, which is built when it is asked for. */
interface GeneratedRequest {
  readonly name: string
  readonly call: () => Call
}

/** Returns numbers from 0 to 1, the same for the same seed. */
type Random = () => number

const LONGEST_TEXT = 1_500_000
const LONGEST_LIST = 300_000
const LONGEST_QUERY = 60_000
const LEAST = 1_000
const DEEPEST = 8

/** Pieces of which texts are built. Each is special for some parser. */
const PIECES = [
  'a',
  'ab ',
  ',',
  '(',
  '"',
  '-',
  '*',
  '\\',
  '0',
  ':',
  '.',
  'é',
  '\u0000',
  '😀',
  'a~ ',
  '1,',
  'a.b,',
  'now-1d||',
]

/** Values of path parameters: the existing collection, or names that do no harm. */
const NAMES: Readonly<Record<string, string>> = { collection: 'crowd', index: 'generated', id: 'generated' }

/** Yields one request for each list, text and open object of each schema, and for each query parameter. */
export function* generatedRequests(document: OpenApiDocument, random: Random): Iterable<GeneratedRequest> {
  const large = new LargeValues(document, random)
  for (const [template, methods] of Object.entries(document.paths)) {
    const path = template.replace(/\{(\w+)\}/g, (_, name: string) => NAMES[name] ?? '1')
    for (const [method, operation] of Object.entries(methods)) {
      if (method === 'delete') continue
      const request = `${method.toUpperCase()} ${template}`
      for (const [type, { schema = {} }] of Object.entries(operation.requestBody?.content ?? {})) {
        const isJson = type.includes('json') && !type.includes('ndjson')
        for (const [at, make] of large.of(schema)) {
          const call = (): Call => {
            const body = isJson ? JSON.stringify(make()) : String(make())
            return { method: method.toUpperCase(), path, headers: { 'content-type': type }, body }
          }
          yield { name: `${request}, ${type}, ${at || 'all of it'}`, call }
        }
      }
      for (const { name, in: place } of large.parameters(operation)) {
        if (place !== 'query') continue
        const ask = (query: string): Call => ({ method: method.toUpperCase(), path: `${path}?${query}` })
        const again = (): string => `${name}=1&`.repeat(Math.floor(LONGEST_QUERY / (name.length + 3))).slice(0, -1)
        yield { name: `${request}, ?${name}`, call: () => ask(`${name}=${large.query()}`) }
        yield { name: `${request}, ?${name} again and again`, call: () => ask(again()) }
      }
    }
  }
}

/** Path of the large part in a value, and a function that makes the value. */
type Large = readonly [at: string, make: () => unknown]

class LargeValues {
  readonly #document: OpenApiDocument
  readonly #random: Random

  constructor(document: OpenApiDocument, random: Random) {
    this.#document = document
    this.#random = random
  }

  *of(given: Schema, depth = 0): Iterable<Large> {
    const schema = this.#resolve(given)
    if (depth > DEEPEST || schema.const !== undefined || schema.enum !== undefined) return
    for (const one of schema.anyOf ?? []) yield* this.of(one, depth + 1)
    if (has(schema, 'string')) yield ['', () => this.#text(LONGEST_TEXT)]
    if (has(schema, 'array') || schema.items !== undefined) {
      const item = this.#sample(schema.items ?? {}, depth)
      yield ['[]', () => Array.from({ length: this.#size(LONGEST_LIST) }, () => item)]
      for (const [at, make] of this.of(schema.items ?? {}, depth + 1)) yield [`[]${at}`, () => [make()]]
    }
    if (!has(schema, 'object') && schema.properties === undefined) return
    const rest = this.#sampleObject(schema, depth)
    for (const [name, member] of Object.entries(schema.properties ?? {})) {
      for (const [at, make] of this.of(member, depth + 1)) yield [`.${name}${at}`, () => ({ ...rest, [name]: make() })]
    }
    const keys = () => Array.from({ length: this.#size(LONGEST_LIST) }, (_, i) => [`k${i}`, 'x'])
    yield ['{}', () => ({ ...rest, ...Object.fromEntries(keys()) })]
  }

  parameters({ parameters = [] }: Operation): readonly Parameter[] {
    return parameters.map((one) => ('$ref' in one ? (this.#named(one.$ref) as Parameter) : one))
  }

  /** Returns a text, encoded for a query. */
  query(): string {
    const piece = encodeURIComponent(this.#piece())
    return piece.repeat(Math.floor(this.#size(LONGEST_QUERY) / piece.length))
  }

  #text(most: number): string {
    const piece = this.#piece()
    return piece.repeat(Math.ceil(this.#size(most) / piece.length))
  }

  #piece(): string {
    return PIECES[Math.floor(this.#random() * PIECES.length)] ?? 'a'
  }

  /** Returns a random size on a logarithmic scale, because every order of magnitude may have its own limits. */
  #size(most: number): number {
    return Math.floor(LEAST * (most / LEAST) ** this.#random())
  }

  /** Returns a small valid value. */
  #sample(given: Schema, depth: number): unknown {
    const schema = this.#resolve(given)
    if (schema.const !== undefined) return schema.const
    if (schema.enum !== undefined) return schema.enum[0]
    if (schema.anyOf?.[0] !== undefined) return this.#sample(schema.anyOf[0], depth)
    if (has(schema, 'object') || schema.properties !== undefined) return this.#sampleObject(schema, depth)
    if (has(schema, 'array')) return depth > DEEPEST ? [] : [this.#sample(schema.items ?? {}, depth + 1)]
    if (has(schema, 'integer') || has(schema, 'number')) return schema.minimum ?? 1
    if (has(schema, 'boolean')) return true
    return 'x'
  }

  #sampleObject({ properties = {}, required = [] }: Schema, depth: number): Record<string, unknown> {
    if (depth > DEEPEST) return {}
    return Object.fromEntries(required.map((name) => [name, this.#sample(properties[name] ?? {}, depth + 1)]))
  }

  #resolve(schema: Schema): Schema {
    if (schema.$ref !== undefined) return this.#resolve(this.#named(schema.$ref) as Schema)
    const { allOf, ...rest } = schema
    return (allOf ?? []).map((one) => this.#resolve(one)).reduce(merged, rest)
  }

  #named(ref: string): unknown {
    const [, , kind = '', name = ''] = ref.split('/')
    return this.#document.components[kind]?.[name]
  }
}

const merged = (a: Schema, b: Schema): Schema => ({
  ...a,
  ...b,
  properties: { ...a.properties, ...b.properties },
  required: [...(a.required ?? []), ...(b.required ?? [])],
})

const has = ({ type }: Schema, name: string): boolean =>
  typeof type === 'string' ? type === name : type?.includes(name) === true
