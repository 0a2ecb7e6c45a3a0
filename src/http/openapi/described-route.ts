/** Route schema keywords that Fastify does not know, used for the OpenAPI document. */
declare module 'fastify' {
  interface FastifySchema {
    readonly tags?: readonly string[]
    /** Name of the operation in generated clients: unique, and stable between releases. */
    readonly operationId?: string
    readonly summary?: string
    readonly description?: string
    readonly deprecated?: boolean
    /** Media types of the body; `application/json` by default. */
    readonly consumes?: readonly string[]
    /** False: the body is optional. */
    readonly bodyRequired?: boolean
    /** True for routes left out of the document: those of other methods, and aliases. */
    readonly hide?: boolean
  }
}

/** A JSON Schema, or a part of one, as plain data. */
export type Schema = { readonly [keyword: string]: unknown }

/** One schema for JSON, or `content` with one schema per media type. */
export interface Contents extends Schema {
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>
}

/** A route as input of the OpenAPI document. */
export interface DescribedRoute {
  readonly method: string
  /** With parameters in braces: `/collections/{collection}`. */
  readonly path: string
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  readonly description?: string
  readonly deprecated?: boolean
  readonly params?: Schema
  readonly querystring?: Schema
  readonly headers?: Schema
  readonly body?: Contents
  readonly bodyRequired: boolean
  readonly consumes: readonly string[]
  readonly response: Readonly<Record<string, Contents>>
}

export const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
