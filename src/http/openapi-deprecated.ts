interface Described {
  readonly paths?: Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>>
}

interface Parameter {
  deprecated?: boolean
  readonly schema?: { deprecated?: boolean }
}

/** Moves `deprecated` from the schemas of parameters to the parameters, where tools look for it. */
export function markDeprecatedParameters<T extends Described>(api: T): T {
  for (const operations of Object.values(api.paths ?? {})) {
    for (const operation of Object.values(operations ?? {})) {
      for (const parameter of (operation as { readonly parameters?: readonly Parameter[] }).parameters ?? []) {
        if (parameter.schema?.deprecated !== true) continue
        parameter.deprecated = true
        delete parameter.schema.deprecated
      }
    }
  }
  return api
}
