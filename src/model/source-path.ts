import type { Json, JsonObject } from './json/document.ts'

/**
 * A dotted path, split once for many documents. `names[i]` holds the possible source keys at step i: the plain segment,
 * then keys that contain dots, each one segment longer than the one before (spec 2.1.1: `{"a.b": 1}` and `{"a": {"b":
 * 1}}` have the same path).
 */
export interface SourcePath {
  readonly path: string
  readonly names: readonly (readonly string[])[]
}

export function sourcePath(path: string): SourcePath {
  const segments = path.split('.')
  const names = segments.map((_, from) => segments.slice(from).map((_, length) => keyOf(segments, from, length + 1)))
  return { path, names }
}

const keyOf = (segments: readonly string[], from: number, length: number): string =>
  segments.slice(from, from + length).join('.')

/**
 * Returns the first non-null value at the path. Arrays along the path are searched; one at its end is returned whole.
 */
export function firstAt(source: JsonObject, path: SourcePath): Json | undefined {
  return readFirstAt(source, path, (value) => value)
}

/** Returns the first value at the path that `read` accepts; values are found as in `firstAt`. */
export function readFirstAt<T>(
  source: JsonObject,
  path: SourcePath,
  read: (value: Json) => T | undefined,
): T | undefined {
  return firstIn(source, path.names, 0, read)
}

function firstIn<T>(
  value: Json,
  names: SourcePath['names'],
  step: number,
  read: (value: Json) => T | undefined,
): T | undefined {
  const keys = names[step]
  if (keys === undefined) return value === null ? undefined : read(value)
  if (isArray(value)) {
    for (const item of value) {
      const found = firstIn(item, names, step, read)
      if (found !== undefined) return found
    }
    return undefined
  }
  if (value === null || typeof value !== 'object') return undefined
  let next = step
  for (const key of keys) {
    next++
    const child = Object.hasOwn(value, key) ? value[key] : undefined
    const found = child === undefined ? undefined : firstIn(child, names, next, read)
    if (found !== undefined) return found
  }
  return undefined
}

/** Returns the document without the value at the path, and without parents that become empty. */
export function removeAt(source: JsonObject, path: SourcePath): JsonObject {
  const rest = removeIn(source, path.names, 0)
  return rest === undefined || isArray(rest) || rest === null || typeof rest !== 'object' ? {} : rest
}

function removeIn(value: Json, names: SourcePath['names'], step: number): Json | undefined {
  if (isArray(value)) return removeInArray(value, names, step)
  if (value === null || typeof value !== 'object') return value
  let object = value
  let changed = false
  let next = step
  for (const key of names[step] ?? []) {
    next++
    const child = Object.hasOwn(object, key) ? object[key] : undefined
    if (child === undefined) continue
    const rest = next === names.length ? undefined : removeIn(child, names, next)
    if (rest === child) continue
    changed = true
    if (rest === undefined) {
      const { [key]: _, ...others } = object
      object = others
    } else {
      object = { ...object, [key]: rest }
    }
  }
  return changed && Object.keys(object).length === 0 ? undefined : object
}

function removeInArray(items: readonly Json[], names: SourcePath['names'], step: number): Json | undefined {
  let changed = false
  const kept: Json[] = []
  for (const item of items) {
    const rest = removeIn(item, names, step)
    if (rest !== item) changed = true
    if (rest !== undefined) kept.push(rest)
  }
  if (!changed) return items
  return kept.length === 0 ? undefined : kept
}

const isArray = (value: Json): value is readonly Json[] => Array.isArray(value)
