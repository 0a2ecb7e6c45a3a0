/** Pointers used in the vectors: `/hits/*\/md/id`, `/links/-1`, `/features/[properties.id=x]/geometry`. */

export const missing: unique symbol = Symbol('missing')

const isObject = (v: unknown): v is Readonly<Record<string, unknown>> => typeof v === 'object' && v !== null

/** Splits a pointer at `/` outside brackets; `~1` is a slash, `~0` a tilde. */
function splitPointer(pointer: string): string[] {
  if (pointer !== '' && !pointer.startsWith('/')) throw new Error(`pointer '${pointer}' must start with /`)
  const segments = pointer.match(/(?:\[[^\]]*\]|[^/[])+/g) ?? []
  return segments.map((s) => s.replaceAll('~1', '/').replaceAll('~0', '~'))
}

function valueAtPath(value: unknown, path: string): unknown {
  let current = value
  for (const key of path.split('.')) current = isObject(current) ? current[key] : undefined
  return current
}

function step(value: unknown, segment: string): readonly unknown[] {
  if (!isObject(value)) return [missing]
  if (segment === '*') return Object.values(value)
  const where = /^\[([^=\]]+)=(.*)\]$/.exec(segment)
  if (where) {
    const found = Object.values(value).find((m) => String(valueAtPath(m, where[1] ?? '')) === where[2])
    return [found === undefined ? missing : found]
  }
  const key = Array.isArray(value) && segment === '-1' ? String(value.length - 1) : segment
  return [Object.hasOwn(value, key) ? value[key] : missing]
}

/** Returns all values that a pointer selects. Branches that end early yield `missing`. */
export function select(root: unknown, pointer: string): readonly unknown[] {
  let current: readonly unknown[] = [root]
  for (const segment of splitPointer(pointer)) {
    current = current.flatMap((v) => (v === missing ? [missing] : step(v, segment)))
  }
  return current
}
