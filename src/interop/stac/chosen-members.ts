import type { Json, JsonObject } from '../../model/json/document.ts'
import { setOwn } from '../../model/json/json-object.ts'

/** What items contain: the Fields extension. */
export interface FieldChoice {
  /** Paths such as `properties.eo:cloud_cover`; absent: everything. */
  readonly include?: readonly string[] | undefined
  readonly exclude: readonly string[]
  /** True if `include` has the default members: `exclude` then applies to them. */
  readonly isDefault?: boolean
}

/** Members of an item if neither included nor excluded ones are named. */
export const DEFAULT_MEMBERS: readonly string[] = [
  ...['type', 'stac_version', 'id', 'geometry', 'bbox', 'links', 'assets', 'collection'],
  ...['properties.datetime', 'properties.start_datetime', 'properties.end_datetime'],
]
/** Members that clients need to tell items apart. */
const ALWAYS: readonly string[] = ['type', 'id', 'collection', 'links']

/** Returns a function that reduces an item to the chosen members. */
export function memberChooser({ include, exclude, isDefault = false }: FieldChoice): (item: JsonObject) => JsonObject {
  const kept = include === undefined ? undefined : [...include, ...ALWAYS]
  // A member that is both is included, and so is a part of an excluded one.
  const wanted = isDefault ? [] : (include ?? [])
  const removed = exclude.filter((path) => !wanted.some((other) => other === path || other.startsWith(`${path}.`)))
  const cut = removed.filter((path) => !ALWAYS.includes(path))
  return (item) => {
    const chosen = kept === undefined ? item : keep(item, kept)
    return cut.length === 0 ? chosen : drop(chosen, cut)
  }
}

const isObject = (value: Json): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The rests of the paths below a key, which may contain dots itself. */
const below = (paths: readonly string[], key: string): readonly string[] =>
  paths.filter((path) => path.startsWith(`${key}.`)).map((path) => path.slice(key.length + 1))

function keep(value: JsonObject, paths: readonly string[]): JsonObject {
  const kept: Record<string, Json> = {}
  for (const [key, member] of Object.entries(value)) {
    if (paths.includes(key)) {
      setOwn(kept, key, member)
      continue
    }
    const rest = below(paths, key)
    const inner = rest.length === 0 || !isObject(member) ? undefined : keep(member, rest)
    if (inner !== undefined && Object.keys(inner).length > 0) setOwn(kept, key, inner)
  }
  return kept
}

function drop(value: JsonObject, paths: readonly string[]): JsonObject {
  const kept: Record<string, Json> = {}
  for (const [key, member] of Object.entries(value)) {
    if (paths.includes(key)) continue
    const rest = below(paths, key)
    setOwn(kept, key, rest.length > 0 && isObject(member) ? drop(member, rest) : member)
  }
  return kept
}
