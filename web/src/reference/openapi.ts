/** The parts of an OpenAPI 3.1 document that the page shows. */
export interface OpenApi {
  readonly info: { readonly version: string; readonly description?: string }
  readonly tags: readonly { readonly name: string; readonly description?: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components?: unknown
}

export interface Operation {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary?: string
  readonly description?: string
  readonly deprecated?: boolean
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly required?: boolean; readonly content: Readonly<Record<string, Media>> }
  readonly responses: Readonly<Record<string, Answer>>
}

export interface Parameter extends Reference {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required?: boolean
  readonly deprecated?: boolean
  readonly description?: string
  readonly schema?: Schema
  readonly example?: unknown
}

export interface Media {
  readonly schema?: Schema
  readonly example?: unknown
}

export interface Answer extends Reference {
  readonly description?: string
  readonly content?: Readonly<Record<string, Media>>
}

interface Reference {
  readonly $ref?: string
}

export interface Schema extends Reference {
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly deprecated?: boolean
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly additionalProperties?: boolean | Schema
  readonly anyOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly default?: unknown
  readonly format?: string
  readonly minimum?: number
  readonly maximum?: number
}

/** Follows references within the document. */
export type Resolve = <T extends Reference>(node: T) => T

export function resolverOf(api: OpenApi): Resolve {
  return <T extends Reference>(node: T): T => {
    if (node.$ref === undefined) return node
    const found = node.$ref
      .split('/')
      .slice(1)
      .reduce<unknown>((level, key) => (level as Readonly<Record<string, unknown>> | undefined)?.[key], api)
    return (found ?? {}) as T
  }
}

/** The name of a component that a reference leads to. */
export const nameOf = ({ $ref }: Reference): string | undefined => $ref?.split('/').at(-1)
