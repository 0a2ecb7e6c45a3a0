/**
 * Returns the tokens of a text of letters, digits, `_`, spaces, `-` and `/`: runs of word characters, and single Han
 * characters.
 */
export function tokensOf(text: string): string[] {
  const found = text.match(/\p{Script=Han}|(?:(?!\p{Script=Han})[\p{L}\p{N}\p{M}_])+/gu) ?? []
  return found.filter((t) => /[\p{L}\p{N}]/u.test(t)).map((t) => t.toLowerCase())
}

/** True if the tokens are consecutive in one value; the last one may be a prefix. */
export function hasPhrase(values: readonly string[], phrase: string): boolean {
  const wanted = tokensOf(phrase)
  if (wanted.length === 0) return false
  return values.some((value) => {
    const tokens = tokensOf(value)
    return tokens.some((_, at) =>
      wanted.every((w, i) => {
        const token = tokens[at + i]
        return token !== undefined && (i === wanted.length - 1 ? token.startsWith(w) : token === w)
      }),
    )
  })
}

/** True if the complete tokens are consecutive in one value. */
export function hasConsecutive(values: readonly string[], phrase: string): boolean {
  const wanted = tokensOf(phrase)
  if (wanted.length === 0) return false
  return values.some((value) => {
    const tokens = tokensOf(value)
    return tokens.some((_, at) => wanted.every((w, i) => tokens[at + i] === w))
  })
}

export const hasAnyToken = (values: readonly string[], text: string): boolean => {
  const present = new Set(values.flatMap(tokensOf))
  return tokensOf(text).some((t) => present.has(t))
}

export const hasAllTokens = (values: readonly string[], text: string): boolean => {
  const present = new Set(values.flatMap(tokensOf))
  const wanted = tokensOf(text)
  return wanted.length > 0 && wanted.every((t) => present.has(t))
}

/** Compares by Unicode code points. */
export function compareCodePoints(a: string, b: string): number {
  const [x, y] = [[...a], [...b]]
  for (let i = 0; i < Math.min(x.length, y.length); i++) {
    const d = (x[i]?.codePointAt(0) ?? 0) - (y[i]?.codePointAt(0) ?? 0)
    if (d !== 0) return d
  }
  return x.length - y.length
}
