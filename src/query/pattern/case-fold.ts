import type { PatternNode } from './keyword-pattern.ts'

/** Last code point with upper and lower case. */
const LAST_CASED = 0x1e943

const keyOf = (character: string): string => character.toUpperCase().toLowerCase()

let variants: ReadonlyMap<string, readonly number[]> | undefined

/** Code points that differ only in case, by their folded form; made on first use. */
function caseVariants(): ReadonlyMap<string, readonly number[]> {
  if (variants !== undefined) return variants
  const found = new Map<string, number[]>()
  for (let point = 0; point <= LAST_CASED; point++) {
    const character = String.fromCodePoint(point)
    if (character.toUpperCase() === character && character.toLowerCase() === character) continue
    const key = keyOf(character)
    const group = found.get(key)
    if (group === undefined) found.set(key, [point])
    else group.push(point)
  }
  variants = found
  return found
}

/** Returns the text without differences of case. */
export const foldCase = (text: string): string => Array.from(text, keyOf).join('')

/** Returns a pattern for a text in any case. */
export function anyCase(text: string): readonly PatternNode[] {
  const nodes: PatternNode[] = []
  for (const character of text) {
    const points = caseVariants().get(keyOf(character)) ?? []
    const last = nodes.at(-1)
    if (points.length > 1) {
      nodes.push({ kind: 'class', negated: false, ranges: points.map((point) => ({ from: point, to: point })) })
    } else if (last?.kind === 'literal') {
      nodes[nodes.length - 1] = { kind: 'literal', text: last.text + character }
    } else {
      nodes.push({ kind: 'literal', text: character })
    }
  }
  return nodes
}
