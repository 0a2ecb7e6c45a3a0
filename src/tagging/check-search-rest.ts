import type { OpenCollection } from '../collections/open-collection.ts'
import type { Limits } from '../config/settings.ts'
import { Problem, problem } from '../errors.ts'
import type { Search } from '../model/search.ts'
import { resolvePage } from '../query/page/page.ts'
import { resolveProjection } from '../query/page/projection.ts'

interface SearchRestContext {
  readonly collection: OpenCollection
  readonly limits: Limits
  readonly window?: number | undefined
}

/**
 * Validates page, projection and returned geometries. They have no effect on a tag but must be valid (spec tagging 1.3
 * row 14a).
 */
export function checkSearchRest(search: Search | undefined, context: SearchRestContext): void {
  if (search === undefined) return
  const here = { ...context, origin: 'body' } as const
  inSearch(() => {
    resolvePage(search.page, here)
    resolveProjection(search.projection, search.returned_geometries, here)
  })
}

/** Prefixes the parameter of an error with `search.`, its path in the whole body. */
function inSearch(check: () => void): void {
  try {
    check()
  } catch (error) {
    if (!(error instanceof Problem) || error.details.parameter === undefined) throw error
    throw problem(error.code, { ...error.details, parameter: `search.${error.details.parameter}` }, error.headers)
  }
}
