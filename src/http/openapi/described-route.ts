/** What the schema of a route may say about it beside what the framework knows; the OpenAPI document is made from it. */
declare module 'fastify' {
  interface FastifySchema {
    readonly tags?: readonly string[]
    /** Name of the operation in generated clients: unique, and stable between releases. */
    readonly operationId?: string
    readonly summary?: string
    readonly description?: string
    readonly deprecated?: boolean
    /** Media types of the body; `application/json` unless given. */
    readonly consumes?: readonly string[]
    /** False: a request without body is fine. */
    readonly bodyRequired?: boolean
    /** Routes that are not described: those of other methods, and aliases. */
    readonly hide?: boolean
  }
}

/** A JSON Schema, or a part of one, as plain data. */
export type Schema = { readonly [keyword: string]: unknown }

/** One schema for JSON, or `content` with one for each media type. */
export interface Contents extends Schema {
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>
}

/** A route as the document sees it. */
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
  readonly body?: Contents
  readonly bodyRequired: boolean
  readonly consumes: readonly string[]
  readonly response: Readonly<Record<string, Contents>>
}

export const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
