const LONGEST_NAME = 10

interface NamedProperty {
  readonly property: string
  /** From display_names.shape_columns. */
  readonly given?: string
}

/**
 * Returns a unique column name per property, in order: 10 characters that all readers accept. Given names have
 * priority.
 */
export function columnNames(properties: readonly NamedProperty[]): ReadonlyMap<string, string> {
  const taken = new Set<string>()
  const names = new Map<string, string>()
  const place = (name: string, property: string): void => {
    const free = freeName(plainName(name), taken)
    taken.add(free.toLowerCase())
    names.set(property, free)
  }
  for (const { property, given } of properties) if (given !== undefined) place(given, property)
  for (const { property, given } of properties) if (given === undefined) place(property, property)
  return names
}

function plainName(name: string): string {
  const plain = Array.from(name, (character) => (/^[A-Za-z0-9_]$/.test(character) ? character : '_')).join('')
  return (plain === '' ? 'column' : plain).slice(0, LONGEST_NAME)
}

function freeName(name: string, taken: ReadonlySet<string>): string {
  for (let n = 0; ; n++) {
    const suffix = n === 0 ? '' : `_${n}`
    const candidate = name.slice(0, LONGEST_NAME - suffix.length) + suffix
    if (!taken.has(candidate.toLowerCase())) return candidate
  }
}
