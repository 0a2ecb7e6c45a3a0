import type { OpenCollection } from '../collections/open-collection.ts'
import type { Filter } from '../model/filter.ts'
import type { TagRequest } from '../model/tag-request.ts'
import { filterPaths } from '../query/filter/filter-paths.ts'
import { compilePatterns } from '../query/schema/field-pattern.ts'
import { checkColumns } from '../query/schema/visible-columns.ts'
import { filtersOf } from './tag-body.ts'

const TIMESTAMP = '$timestamp'

/**
 * Throws unless the caller may see every path the request names (spec tagging 1.3 row 9). Runs before filters and page
 * are parsed, so errors in them have no influence.
 */
export function checkTagColumns(request: TagRequest, { columns, reference }: OpenCollection): void {
  if (!columns.restricted) return
  const pathOf = (name: string): string => (name === TIMESTAMP ? reference.params.timestamp_path : name)
  const { tag, search, propagation } = request
  const single = [tag?.path, propagation?.field].flatMap((path) => (path === undefined || path === '' ? [] : [path]))
  const named = [
    ...single,
    ...filtersOf(request).flatMap(([, filter]) => pathsOf(filter)),
    ...sortPaths(search?.page?.sort),
    ...compilePatterns(search?.projection?.includes).patterns.filter((pattern) => !pattern.includes('*')),
    ...compilePatterns(search?.returned_geometries).patterns,
  ]
  checkColumns(columns, named.map(pathOf))
}

function pathsOf({ f = [], q = [] }: Filter): readonly string[] {
  const fields = f.flat().flatMap(({ field }) => (field === undefined || field === '' ? [] : [field]))
  const texts = q.map((group) => group.map((text) => ({ text, place: 'q' })))
  return [...fields, ...filterPaths({ f: [], q: texts }, (name) => name)]
}

/** Returns the fields named by sort items. Skips distances and malformed items. */
function sortPaths(sort = ''): readonly string[] {
  return sort
    .split(',')
    .map((item) => item.trim().replace(/^[+-]/, ''))
    .filter((path) => path !== '' && !/\s|^geodistance:/i.test(path))
}
