/** Tokens of a q text (spec 3.11.4), unescaped. */
export type FullTextToken =
  | { readonly kind: 'word'; readonly text: string; readonly form: 'whole' | 'prefix' }
  | { readonly kind: 'word'; readonly text: string; readonly form: 'fuzzy'; readonly edits: number }
  | { readonly kind: 'phrase'; readonly text: string; readonly slop: number }
  | { readonly kind: 'open' | 'close' | 'and' | 'or' | 'not' }

const operators: Readonly<Record<string, FullTextToken>> = {
  '(': { kind: 'open' },
  ')': { kind: 'close' },
  '+': { kind: 'and' },
  '|': { kind: 'or' },
}

const BLANK = /\s/
const WIDEST_SLOP = 1_000_000

/** Splits a q text into tokens. Never fails: parts without meaning are dropped. */
export function tokenizeFullText(text: string): readonly FullTextToken[] {
  const tokens: FullTextToken[] = []
  let at = 0
  while (at < text.length) {
    const character = text.charAt(at)
    const operator = operators[character]
    if (operator !== undefined) {
      tokens.push(operator)
      at += 1
    } else if (BLANK.test(character)) {
      at += 1
    } else if (character === '-') {
      const end = endOfDashes(text, at)
      // Two negations cancel out; one before a blank negates nothing.
      if ((end - at) % 2 === 1 && end < text.length && !BLANK.test(text.charAt(end))) tokens.push({ kind: 'not' })
      at = end
    } else if (character === '"') {
      const phrase = readPhrase(text, at)
      if (phrase === undefined) at += 1
      else {
        if (phrase.text !== '') tokens.push({ kind: 'phrase', text: phrase.text, slop: phrase.slop })
        at = phrase.end
      }
    } else {
      const word = readWord(text, at)
      const token = toWord(word)
      if (token !== undefined) tokens.push(token)
      at = word.end
    }
  }
  return tokens
}

function endOfDashes(text: string, start: number): number {
  let end = start
  while (text[end] === '-') end++
  return end
}

/** Parses the phrase whose opening quote is at `start`; undefined if it is not closed. */
function readPhrase(text: string, start: number): { text: string; slop: number; end: number } | undefined {
  let inner = ''
  for (let at = start + 1; at < text.length; at++) {
    const character = text.charAt(at)
    if (character === '\\') {
      at += 1
      inner += text.charAt(at)
    } else if (character === '"') {
      const slop = /^~(\d+)(?=[\s"|+()]|$)/.exec(text.slice(at + 1, at + 32))
      const end = at + 1 + (slop?.[0].length ?? 0)
      return { text: inner, slop: Math.min(Number(slop?.[1] ?? 0), WIDEST_SLOP), end }
    } else inner += character
  }
  return undefined
}

interface RawWord {
  /** The unescaped characters. */
  readonly text: string
  /** The same with every escaped character blanked out, to distinguish operators from literals. */
  readonly mask: string
  readonly end: number
}

function readWord(text: string, start: number): RawWord {
  let word = ''
  let mask = ''
  let at = start
  while (at < text.length) {
    const character = text.charAt(at)
    if (character === '\\') {
      const literal = text.charAt(at + 1)
      word += literal
      mask += literal === '' ? '' : '\0'
      at += 2
      continue
    }
    if (character === '"' || operators[character] !== undefined || BLANK.test(character)) break
    word += character
    mask += character
    at += 1
  }
  return { text: word, mask, end: at }
}

/** Undefined if the word consists of operators without operands. */
function toWord({ text, mask }: RawWord): FullTextToken | undefined {
  if (/^[*~]*$/.test(mask)) return undefined
  const fuzzy = /~(\d*)$/.exec(mask)
  if (fuzzy !== null) {
    const body = text.slice(0, fuzzy.index)
    if (body === '') return undefined
    const edits = fuzzy[1] === '' ? 2 : Math.min(2, Number(fuzzy[1]))
    return edits === 0
      ? { kind: 'word', text: body, form: 'whole' }
      : { kind: 'word', text: body, form: 'fuzzy', edits }
  }
  if (mask.endsWith('*')) return { kind: 'word', text: text.slice(0, -1), form: 'prefix' }
  return { kind: 'word', text, form: 'whole' }
}
