/** Headers that narrow a view. Permissions can set them (spec 9.1 to 9.3). */
const accessHeaders = ['partition-filter', 'column-filter', 'arlas-organization'] as const
export type AccessHeader = (typeof accessHeaders)[number]

/** HTTP methods in upper case, or `all` for any method. */
export type Verbs = 'all' | ReadonlySet<string>

/** A parsed permission (spec 9.6). Variables are not substituted yet. */
export type Permission =
  | { readonly kind: 'rule'; readonly expression: string; readonly verbs: Verbs }
  | { readonly kind: 'header'; readonly name: AccessHeader; readonly value: string }
  | { readonly kind: 'variable'; readonly name: string; readonly value: string }

/** An invalid permission. The message omits its value because it may contain a user's filter. */
export class PermissionFault extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'PermissionFault'
  }
}

const KINDS: ReadonlyMap<string, Permission['kind']> = new Map([
  ['rule', 'rule'],
  ['r', 'rule'],
  ['header', 'header'],
  ['h', 'header'],
  ['variable', 'variable'],
  ['var', 'variable'],
  ['v', 'variable'],
])

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

export function parsePermission(text: string): Permission {
  const [word, rest] = cutAtFirst(text.trim())
  const kind = KINDS.get(word)
  if (kind === undefined || rest === undefined) {
    throw new PermissionFault('a permission must start with rule:, header: or variable:')
  }
  if (kind === 'rule') return { kind, ...parseRule(rest) }
  const [name, value] = cutAtFirst(rest)
  if (value === undefined || name.trim() === '') throw new PermissionFault(`a ${kind} must have a name and a value`)
  if (kind === 'variable') return { kind, name: name.trim(), value }
  const header = accessHeaders.find((known) => known === name.trim().toLowerCase())
  if (header === undefined) throw new PermissionFault(`a header must be one of ${accessHeaders.join(', ')}`)
  return { kind, name: header, value }
}

/**
 * Parses from the right because expressions may contain colons: an optional priority (ignored), the verbs, the
 * expression.
 */
function parseRule(text: string): { readonly expression: string; readonly verbs: Verbs } {
  const parts = text.split(':')
  if (parts.length > 2 && /^\s*[+-]?\d+\s*$/.test(parts.at(-1) ?? '')) parts.pop()
  const verbs = parts.length < 2 ? undefined : parseVerbs(parts.pop() ?? '')
  if (verbs === undefined) throw new PermissionFault('a rule must have an expression and verbs: rule:explore/.*:GET')
  return { expression: parts.join(':'), verbs }
}

/** Parses `*`, or methods separated by `,` or `/`. Returns undefined for anything else. */
export function parseVerbs(text: string): Verbs | undefined {
  if (text.trim() === '*') return 'all'
  const verbs = text.split(/[,/]/).map((verb) => verb.trim().toUpperCase())
  return verbs.every((verb) => METHODS.has(verb)) ? new Set(verbs) : undefined
}

/** HEAD counts as GET. */
export function coversVerb(verbs: Verbs, method: string): boolean {
  return verbs === 'all' || verbs.has(method) || (method === 'HEAD' && verbs.has('GET'))
}

function cutAtFirst(text: string): readonly [string, string | undefined] {
  const colon = text.indexOf(':')
  return colon < 0 ? [text, undefined] : [text.slice(0, colon), text.slice(colon + 1)]
}
