import type { TagAction, TagValue } from '../tag-request.ts'
import { keyIn, kindOf, mismatch, objectMismatch, type TagEffect, unchanged } from './tag-effect.ts'
import { elementsOf, membersOf, type Span } from './tag-text-places.ts'

/** Effect of a request on the source of a document. */
type TextEffect = Exclude<TagEffect, { kind: 'changed' }> | ChangedText

export interface ChangedText {
  readonly kind: 'changed'
  readonly text: string
  /** Keys of the path to the field. */
  readonly keys: readonly string[]
  /** The new value of the field, as JSON. */
  readonly value: string
  /** True if keys with dots may name the same field elsewhere in the document. */
  readonly ambiguous: boolean
}

/**
 * Applies `applyTag` to the source of a document. Only the value of the field is replaced, so large numbers, key order
 * and white space elsewhere are kept. Of duplicate keys the last one counts.
 */
export function tagText(text: string, path: string, action: TagAction, value?: TagValue | null): TextEffect {
  const keys: string[] = []
  const printed = JSON.stringify(value ?? null)
  let ambiguous = false
  let object: Span = { start: text.indexOf('{'), end: text.lastIndexOf('}') + 1 }
  for (let rest = path; ; ) {
    const { found, last, others } = membersOf(text, object.start, rest)
    ambiguous ||= others || found.size > 1
    const key = keyIn(rest, (name) => found.has(name))
    keys.push(key)
    const place = found.get(key)
    const remaining = key === rest ? [] : rest.slice(key.length + 1).split('.')
    if (place === undefined || (remaining.length > 0 && isNull(text, place))) {
      if (action !== 'ADD') return unchanged
      const way = { keys: [...keys, ...remaining], ambiguous }
      if (place) return changed(text, place, nest(remaining, printed), way, `[${printed}]`)
      const member = `${last === undefined ? '' : ','}${JSON.stringify(key)}:${nest(remaining, printed)}`
      const at = last ?? object.start + 1
      return changed(text, { start: at, end: at }, member, way, `[${printed}]`)
    }
    if (key === rest) return effectOn(text, place, action, printed, { keys, ambiguous })
    if (text[place.start] !== '{') return mismatch(keys, kindOf(JSON.parse(text.slice(place.start, place.end))))
    rest = remaining.join('.')
    object = place
  }
}

type Way = Pick<ChangedText, 'keys' | 'ambiguous'>

function effectOn(text: string, place: Span, action: TagAction, printed: string, way: Way): TextEffect {
  if (text[place.start] === '{') return objectMismatch(way.keys)
  if (isNull(text, place)) return action === 'ADD' ? changed(text, place, `[${printed}]`, way) : unchanged
  if (action === 'REMOVEALL') return changed(text, place, 'null', way)
  const isValue = equality(printed)
  if (text[place.start] !== '[') {
    const old = text.slice(place.start, place.end)
    if (isValue(old)) return changed(text, place, action === 'ADD' ? `[${printed}]` : '[]', way)
    return action === 'ADD' ? changed(text, place, `[${old},${printed}]`, way) : unchanged
  }
  const elements = elementsOf(text, place.start)
  const kept = elements.filter(({ start, end }) => !isValue(text.slice(start, end)))
  const holds = kept.length < elements.length
  if (action === 'ADD') {
    if (holds) return unchanged
    const end = elements.at(-1)?.end
    const at = end ?? place.start + 1
    const added = `${end === undefined ? '' : ','}${printed}`
    const list = text.slice(place.start, at) + added + text.slice(at, place.end)
    return changed(text, { start: at, end: at }, added, way, list)
  }
  if (!holds) return unchanged
  return changed(text, place, `[${kept.map(({ start, end }) => text.slice(start, end)).join(',')}]`, way)
}

/** Returns a test whether a JSON text equals a printed scalar, by type and value. */
function equality(printed: string): (text: string) => boolean {
  const value: unknown = JSON.parse(printed)
  const [first = ''] = printed
  if (first === '"') return (text) => text === printed || (text.startsWith('"') && JSON.parse(text) === value)
  if (typeof value === 'number') return (text) => text === printed || (isNumber(text) && Number(text) === value)
  return (text) => text === printed
}

const isNumber = (text: string): boolean => /^[-0-9]/.test(text)

const isNull = (text: string, { start }: Span): boolean => text[start] === 'n'

function changed(
  text: string,
  { start, end }: Span,
  replacement: string,
  { keys, ambiguous }: Way,
  value = replacement,
): TextEffect {
  return { kind: 'changed', text: text.slice(0, start) + replacement + text.slice(end), keys, value, ambiguous }
}

/** Prints nested objects around an array of the one value. */
const nest = (keys: readonly string[], printed: string): string =>
  keys.reduceRight((inner, key) => `{${JSON.stringify(key)}:${inner}}`, `[${printed}]`)
