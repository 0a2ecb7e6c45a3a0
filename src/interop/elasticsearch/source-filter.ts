import type { Json, JsonObject } from '../../model/json/document.ts'
import { isRecord, setOwn } from '../../model/json/json-object.ts'
import { type FieldPatterns, fieldPatterns } from '../../query/schema/field-pattern.ts'
import { checkNames, fault, placeOf, readTexts } from './members.ts'

/** What of the documents is returned. */
export interface SourceFilter {
  /** False: nothing of a document, not even `_source`. */
  readonly isShown: boolean
  readonly includes: readonly string[]
  readonly excludes: readonly string[]
}

const wholeSource: SourceFilter = { isShown: true, includes: [], excludes: [] }

const MOST_PATTERNS = 1000

/** Reads `_source`: a boolean, patterns, or `{"includes":[],"excludes":[]}`. */
export function readSourceFilter(value: unknown, place: string): SourceFilter {
  if (value === undefined || value === true || value === 'true') return wholeSource
  if (value === false || value === 'false') return { ...wholeSource, isShown: false }
  if (!isRecord(value)) return checked({ ...wholeSource, includes: readTexts(value, place) }, place)
  checkNames(value, place, ['includes', 'include', 'excludes', 'exclude'])
  const list = (names: readonly string[]): readonly string[] =>
    names.flatMap((name) => (value[name] === undefined ? [] : readTexts(value[name], placeOf(place, name))))
  return checked(
    { isShown: true, includes: list(['includes', 'include']), excludes: list(['excludes', 'exclude']) },
    place,
  )
}

/** Adds the parameters `_source_includes` and `_source_excludes`. */
export function withParameters(
  filter: SourceFilter,
  includes: string | undefined,
  excludes: string | undefined,
): SourceFilter {
  if (includes === undefined && excludes === undefined) return filter
  const split = (text: string | undefined): readonly string[] => text?.split(',').map((name) => name.trim()) ?? []
  const given = { isShown: true, includes: split(includes), excludes: split(excludes) }
  return checked(given, '_source_includes')
}

function checked(filter: SourceFilter, place: string): SourceFilter {
  if (filter.includes.length + filter.excludes.length <= MOST_PATTERNS) return filter
  throw fault(place, `must have at most ${MOST_PATTERNS} names`)
}

/** Returns a function that keeps the chosen members of a document; undefined if all are kept. */
export function sourceProjection({
  includes,
  excludes,
}: SourceFilter): ((source: JsonObject) => JsonObject) | undefined {
  if (includes.length === 0 && excludes.length === 0) return undefined
  const included = includes.length === 0 ? undefined : fieldPatterns(includes)
  const excluded = fieldPatterns(excludes)
  return (source) => projectObject(source, '', included, excluded) ?? {}
}

/** Objects of which nothing is left are left out, unless they were chosen themselves. */
function projectObject(
  source: JsonObject,
  prefix: string,
  included: FieldPatterns | undefined,
  excluded: FieldPatterns,
): JsonObject | undefined {
  const kept: Record<string, Json> = {}
  for (const [name, value] of Object.entries(source)) {
    const path = `${prefix}${name}`
    if (excluded.selects(path)) continue
    const found = project(value, path, included, excluded)
    if (found !== undefined) setOwn(kept, name, found)
  }
  return Object.keys(kept).length > 0 || included?.selects(prefix.slice(0, -1)) !== false ? kept : undefined
}

function project(
  value: Json,
  path: string,
  included: FieldPatterns | undefined,
  excluded: FieldPatterns,
): Json | undefined {
  if (Array.isArray(value)) {
    const items = value.flatMap((item: Json) => project(item, path, included, excluded) ?? [])
    return items.length > 0 || included?.selects(path) !== false ? items : undefined
  }
  if (isRecord(value) && !JSON.isRawJSON(value)) return projectObject(value, `${path}.`, included, excluded)
  return included?.selects(path) !== false ? value : undefined
}
