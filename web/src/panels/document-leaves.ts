interface Leaf {
  readonly path: string
  readonly value: unknown
}

/** Returns the values of a document by path. Objects are expanded, arrays and geometries are not. */
export function leavesOf(document: Readonly<Record<string, unknown>>, prefix = ''): readonly Leaf[] {
  return Object.entries(document).flatMap(([key, value]) => {
    const path = `${prefix}${key}`
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    if (!isObject || 'coordinates' in value || 'lat' in value) return [{ path, value }]
    return leavesOf(value as Readonly<Record<string, unknown>>, `${path}.`)
  })
}
