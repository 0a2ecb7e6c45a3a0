/** An invalid part of a query string. `reason` is a clause about that part. */
export class FragmentFault extends Error {
  readonly reason: string

  constructor(reason: string) {
    super(reason)
    this.name = 'FragmentFault'
    this.reason = reason
  }
}

/** Parameters of a part of a query string. */
export interface QueryFragment {
  /** All values of a repeatable parameter, in order. */
  all(name: string): readonly string[]
  /** The value of a parameter that is not repeatable. */
  text(name: string): string | undefined
  boolean(name: string): boolean | undefined
}

/**
 * Parses a part of a query string like the query of a GET (spec 3.6): names are case-insensitive, blank values are
 * ignored. Throws for names not in `names`.
 */
export function readFragment(text: string, names: readonly string[]): QueryFragment {
  const values = new Map<string, string[]>()
  for (const part of text.split('&')) {
    const equals = part.indexOf('=')
    const name = decode(equals < 0 ? part : part.slice(0, equals)).toLowerCase()
    const value = equals < 0 ? '' : decode(part.slice(equals + 1))
    if (equals < 0 && name.trim() !== '' && !names.includes(name)) throw unknownName(part, names)
    if (value.trim() === '') continue
    if (!names.includes(name)) throw unknownName(name, names)
    values.set(name, [...(values.get(name) ?? []), value])
  }
  const all = (name: string): readonly string[] => values.get(name) ?? []
  const one = (name: string): string | undefined => {
    const [first, ...others] = all(name)
    if (others.some((other) => other !== first)) throw new FragmentFault(`must not have several values of ${name}`)
    return first
  }
  return { all, text: one, boolean: (name) => readBoolean(name, one(name)) }
}

const unknownName = (name: string, names: readonly string[]): FragmentFault =>
  new FragmentFault(`must contain only the parameters ${names.join(', ')}, not '${name.slice(0, 100)}'`)

function readBoolean(name: string, text: string | undefined): boolean | undefined {
  const lower = text?.toLowerCase()
  if (lower === undefined || lower === 'true' || lower === 'false')
    return lower === undefined ? lower : lower === 'true'
  throw new FragmentFault(`must have true or false for ${name}, not '${lower.slice(0, 100)}'`)
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    throw new FragmentFault(`must be percent-encoded UTF-8, which '${text.slice(0, 100)}' is not`)
  }
}
