/** Position of a syntax error. Line and column count from 1. */
export interface JsonPlace {
  readonly line: number
  /** In characters. */
  readonly column: number
}

/** Tokens allowed next. */
type Expected = 'value' | 'first element' | 'key' | 'first key' | 'colon' | 'comma' | 'nothing'

const SPACE = /[ \t\n\r]*/y
/** Matches up to the closing quote, or up to a character not allowed in strings. */
const STRING_BODY = /"(?:[ !#-[\]-\uffff]+|\\(?:["\\/bfnrt]|u[0-9A-Fa-f]{4}))*/y
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y
const WORD = /true|false|null/y

/** Finds the first character that RFC 8259 does not allow; the end of the text if it is truncated. */
export function findJsonFault(text: string): JsonPlace {
  return placeAt(text, faultOffset(text))
}

/** Returns line and column of an offset. */
export function placeAt(text: string, offset: number): JsonPlace {
  const before = text.slice(0, offset)
  const lineStart = before.lastIndexOf('\n') + 1
  return { line: before.split('\n').length, column: [...before.slice(lineStart)].length + 1 }
}

function faultOffset(text: string): number {
  const open: ('{' | '[')[] = []
  let expected: Expected = 'value'
  let at = after(SPACE, text, 0)
  const afterValue = (): Expected => (open.length === 0 ? 'nothing' : 'comma')

  while (at < text.length) {
    const sign = text[at] ?? ''
    const inside = open.at(-1)
    if (isEnd(sign, inside, expected)) {
      open.pop()
      expected = afterValue()
      at++
    } else if (expected === 'comma' && sign === ',') {
      expected = inside === '{' ? 'key' : 'value'
      at++
    } else if (expected === 'colon' && sign === ':') {
      expected = 'value'
      at++
    } else if (expected === 'key' || expected === 'first key') {
      const end = sign === '"' ? after(STRING_BODY, text, at) : at
      if (sign !== '"' || text[end] !== '"') return end
      expected = 'colon'
      at = end + 1
    } else if (expected === 'value' || expected === 'first element') {
      if (sign === '{' || sign === '[') {
        open.push(sign)
        expected = sign === '{' ? 'first key' : 'first element'
        at++
      } else {
        const end =
          sign === '"' ? after(STRING_BODY, text, at) : Math.max(after(NUMBER, text, at), after(WORD, text, at))
        if (sign === '"' ? text[end] !== '"' : end === at) return end
        expected = afterValue()
        at = sign === '"' ? end + 1 : end
      }
    } else return at
    at = after(SPACE, text, at)
  }
  return at
}

function isEnd(sign: string, inside: '{' | '[' | undefined, expected: Expected): boolean {
  if (inside === '{') return sign === '}' && (expected === 'comma' || expected === 'first key')
  return inside === '[' && sign === ']' && (expected === 'comma' || expected === 'first element')
}

/** Returns the offset after the match of the pattern at `at`; `at` if it does not match. */
function after(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : at
}
