import type { Json, JsonObject } from '../../model/json/document.ts'

/** A first step of a path: one source key, and the rest of the path below it. */
interface Step {
  readonly key: string
  readonly rest: readonly Step[] | undefined
  /** True if Object.prototype has such a member (constructor, toString), so an own property must be checked for. */
  readonly inherited: boolean
}

const step = (key: string, rest: readonly Step[] | undefined): Step => ({
  key,
  rest,
  inherited: key in Object.prototype,
})

const compiled = new Map<string, readonly Step[]>()
/** Maximum cached paths. Paths come from mappings; the limit only matters if mappings keep changing. */
const MOST_COMPILED = 10_000

/** `a.b.c` may start with the key `a`, `a.b` or `a.b.c`: source keys may contain dots (spec 2.1.1). */
function stepsOf(path: string): readonly Step[] {
  const known = compiled.get(path)
  if (known !== undefined) return known
  const steps: Step[] = []
  for (let dot = path.indexOf('.'); dot >= 0; dot = path.indexOf('.', dot + 1)) {
    steps.push(step(path.slice(0, dot), stepsOf(path.slice(dot + 1))))
  }
  steps.push(step(path, undefined))
  if (compiled.size >= MOST_COMPILED) compiled.clear()
  compiled.set(path, steps)
  return steps
}

export const isArray = (value: Json): value is readonly Json[] => Array.isArray(value)

/** Adds the values at the path below `value`; arrays along the path are searched. */
function collect(value: Json, steps: readonly Step[], found: Json[]): void {
  if (typeof value !== 'object' || value === null) return
  if (isArray(value)) {
    for (const member of value) collect(member, steps, found)
    return
  }
  for (const { key, rest, inherited } of steps) {
    const member = value[key]
    if (member === undefined || member === null || (inherited && !Object.hasOwn(value, key))) continue
    if (rest === undefined) found.push(member)
    else collect(member, rest, found)
  }
}

function addLeaves(value: Json, leaves: Json[]): void {
  if (value === null) return
  if (isArray(value)) for (const member of value) addLeaves(member, leaves)
  else leaves.push(value)
}

/** Returns every non-null value at a dotted path; arrays along it and at its end are flattened (spec 2.1.1, 2.1.3). */
export function valuesAt(source: JsonObject, path: string): readonly Json[] {
  const found: Json[] = []
  collect(source, stepsOf(path), found)
  if (!found.some((value) => typeof value === 'object')) return found
  const leaves: Json[] = []
  for (const value of found) addLeaves(value, leaves)
  return leaves
}

/** Returns the values at a dotted path, one per match of the path; arrays at its end are kept. */
export function placesAt(source: JsonObject, path: string): readonly Json[] {
  const found: Json[] = []
  collect(source, stepsOf(path), found)
  return found
}

/**
 * Returns the value at a dotted path as stored, arrays kept, as needed for geometries. Several values, from objects in
 * an array along the path, are returned as an array.
 */
export function rawAt(source: JsonObject, path: string): Json | undefined {
  const found = placesAt(source, path)
  return found.length > 1 ? found : found[0]
}
