import type { Json, JsonObject } from '../../model/document.ts'

/** A way to begin a path: one key of the source, and what of the path is left below it. */
interface Step {
  readonly key: string
  readonly rest: readonly Step[] | undefined
  /** Every object has such a member (constructor, toString): whether the document has it must be asked. */
  readonly inherited: boolean
}

const step = (key: string, rest: readonly Step[] | undefined): Step => ({
  key,
  rest,
  inherited: key in Object.prototype,
})

const compiled = new Map<string, readonly Step[]>()
/** Paths come from mappings; the bound only guards against mappings that come and go. */
const MOST_COMPILED = 10_000

/** `a.b.c` may begin with the key `a`, `a.b` or `a.b.c`: source keys may hold dots (spec 2.1.1). */
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

/** Adds what stands at the path below `value`, looking into arrays on the way. */
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

/** Every value at a dotted path, arrays on the way and at the end opened, nulls left out (spec 2.1.1, 2.1.3). */
export function valuesAt(source: JsonObject, path: string): readonly Json[] {
  const found: Json[] = []
  collect(source, stepsOf(path), found)
  if (!found.some((value) => typeof value === 'object')) return found
  const leaves: Json[] = []
  for (const value of found) addLeaves(value, leaves)
  return leaves
}

/** What stands at a dotted path, once for every place the path leads to; arrays at its end are kept. */
export function placesAt(source: JsonObject, path: string): readonly Json[] {
  const found: Json[] = []
  collect(source, stepsOf(path), found)
  return found
}

/**
 * The value at a dotted path as the document has it, arrays kept: what geometries need. Several values, from objects
 * in an array on the way, are an array of them.
 */
export function rawAt(source: JsonObject, path: string): Json | undefined {
  const found = placesAt(source, path)
  return found.length > 1 ? found : found[0]
}
