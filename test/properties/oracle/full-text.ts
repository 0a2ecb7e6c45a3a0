import fc from 'fast-check'
import { type RandomDocument, word } from './documents.ts'
import { hasAllTokens, hasConsecutive, tokensOf } from './texts.ts'

/** A q and the documents it matches. */
export interface Words {
  readonly text: string
  readonly holds: (document: RandomDocument) => boolean
}

const keywordsOf = (d: RandomDocument): readonly string[] => [d.id, ...d.kw, ...d.deep]

/** Edit distance with insertions, deletions, substitutions and transpositions. */
function editDistance(a: string, b: string): number {
  const [x, y] = [[...a], [...b]]
  const rows: number[][] = [Array.from({ length: y.length + 1 }, (_, j) => j)]
  const at = (i: number, j: number): number => rows[i]?.[j] ?? Number.POSITIVE_INFINITY
  for (let i = 1; i <= x.length; i++) {
    rows[i] = [i]
    for (let j = 1; j <= y.length; j++) {
      const replaced = at(i - 1, j - 1) + (x[i - 1] === y[j - 1] ? 0 : 1)
      const swapped = i > 1 && j > 1 && x[i - 1] === y[j - 2] && x[i - 2] === y[j - 1] ? at(i - 2, j - 2) + 1 : replaced
      rows[i]?.push(Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, replaced, swapped))
    }
  }
  return at(x.length, y.length)
}

const plainWord: fc.Arbitrary<Words> = fc.oneof(word, fc.constantFrom('a', 'ab', '1', '2.5', 'nothing')).map((w) => ({
  text: w,
  holds: (d) => hasAllTokens(d.text, w) || keywordsOf(d).includes(w) || [...d.n, ...d.x].includes(Number(w)),
}))

const phrase: fc.Arbitrary<Words> = fc
  .oneof(
    fc.array(word, { minLength: 1, maxLength: 3 }).map((list) => list.join(' ')),
    fc.constantFrom('a b', 'a', ' a', 'Ab'),
  )
  .map((p) => ({ text: `"${p}"`, holds: (d) => hasConsecutive(d.text, p) || keywordsOf(d).includes(p) }))

const prefix: fc.Arbitrary<Words> = fc
  .constantFrom('al', 'ALP', 'ét', 'a', 'A', 'b', 'x_', 'ab1', 'alphabeti')
  .map((p) => ({
    text: `${p}*`,
    holds: (d) =>
      d.text.some((v) => tokensOf(v).some((t) => t.startsWith(p.toLowerCase()))) ||
      keywordsOf(d).some((v) => v.startsWith(p)),
  }))

const fuzzy: fc.Arbitrary<Words> = fc
  .tuple(fc.constantFrom('alpha', 'alhpa', 'betta', 'bet', 'abc', 'alphabte'), fc.constantFrom('~1', '~2', '~', '~9'))
  .map(([w, mark]) => {
    const edits = mark === '~1' ? 1 : 2
    const near = (t: string): boolean => editDistance(t, w) <= edits
    return { text: w + mark, holds: (d) => d.text.some((v) => tokensOf(v).some(near)) || keywordsOf(d).some(near) }
  })

const unit = fc.oneof({ weight: 4, arbitrary: plainWord }, phrase, prefix, { weight: 1, arbitrary: fuzzy })

/**
 * Terms joined with spaces, `+` and `|`, which have the same precedence, left to right. Any part may be negated or in
 * parentheses.
 */
const joined: fc.Arbitrary<Words> = fc
  .array(fc.tuple(fc.constantFrom(' ', ' + ', ' | '), fc.boolean(), unit, fc.option(unit, { nil: undefined })), {
    minLength: 1,
    maxLength: 3,
  })
  .map((parts) => {
    const members = parts.map(([join, negated, first, second]) => {
      const both =
        second === undefined ? first : { text: `(${first.text} | ${second.text})`, holds: either(first, second) }
      const member = negated ? { text: `-${both.text}`, holds: (d: RandomDocument) => !both.holds(d) } : both
      return { join, ...member }
    })
    return {
      text: members.map((m, i) => (i === 0 ? m.text : m.join + m.text)).join(''),
      holds: (d) =>
        members.reduce(
          (found, m, i) => (i === 0 ? m.holds(d) : m.join === ' | ' ? found || m.holds(d) : found && m.holds(d)),
          true,
        ),
    }
  })

const either =
  (a: Words, b: Words) =>
  (d: RandomDocument): boolean =>
    a.holds(d) || b.holds(d)

/** Full-text search without a field: all texts, keywords and numbers are searched. */
export const fullText: fc.Arbitrary<Words> = fc.oneof(plainWord, joined)
