import fc from 'fast-check'
import { addUnits, floorTo, lastOf, units } from './dates.ts'
import { decimal, idOf, instant, integer, keyword, type RandomDocument, word } from './documents.ts'
import { compareCodePoints, hasAnyToken, hasPhrase } from './texts.ts'

/** One triplet of the filter language and the documents it selects. */
export interface Clause {
  readonly field: string
  readonly op: string
  readonly value: string
  readonly holds: (document: RandomDocument) => boolean
}

type ValuesOf<T> = (document: RandomDocument) => readonly T[]

const escapeList = (items: readonly string[]): string => items.map((i) => i.replaceAll(',', '\\,')).join(',')
/** A list item must not end with a backslash, which would escape the separator. */
const listable = (text: string): boolean => text !== '' && !text.endsWith('\\')

/** eq and its negation ne, with a list of values. */
function equality<T>(
  field: string,
  values: ValuesOf<T>,
  item: fc.Arbitrary<{ readonly text: string; readonly matches: (value: T) => boolean }>,
): fc.Arbitrary<Clause> {
  const few = fc.array(item, { minLength: 1, maxLength: 3 })
  const many = fc.array(item, { minLength: 70, maxLength: 90 })
  return fc
    .tuple(fc.oneof({ weight: 5, arbitrary: few }, { weight: 1, arbitrary: many }), fc.boolean())
    .map(([items, negated]) => ({
      field,
      op: negated ? 'ne' : 'eq',
      value: escapeList(items.map((i) => i.text)),
      holds: (d) => values(d).some((v) => items.some((i) => i.matches(v))) !== negated,
    }))
}

interface BoundText<T> {
  readonly text: string
  /** Returns the bound for an operator, because rounding depends on it (spec 3.7.3). */
  readonly at: (op: 'gte' | 'gt' | 'lte' | 'lt') => T
}

/** The four comparisons, and ranges of one or two items with all kinds of brackets. */
function comparison<T>(
  field: string,
  values: ValuesOf<T>,
  bound: fc.Arbitrary<BoundText<T>>,
  compare: (a: T, b: T) => number,
): fc.Arbitrary<Clause> {
  const test = { gte: 0, gt: 1, lte: 0, lt: 1 } as const
  const satisfies = (v: T, op: keyof typeof test, b: BoundText<T>): boolean => {
    const c = compare(v, b.at(op))
    return op === 'gte' ? c >= 0 : op === 'gt' ? c > 0 : op === 'lte' ? c <= 0 : c < 0
  }
  const single = fc
    .tuple(fc.constantFrom('gte', 'gt', 'lte', 'lt'), bound)
    .map(([op, b]): Clause => ({ field, op, value: b.text, holds: (d) => values(d).some((v) => satisfies(v, op, b)) }))
  const item = fc.record({ min: bound, max: bound, opens: fc.boolean(), closes: fc.boolean(), bare: fc.boolean() })
  const range = fc.array(item, { minLength: 1, maxLength: 2 }).map(
    (items): Clause => ({
      field,
      op: 'range',
      value: escapeList(
        items.map(({ min, max, opens, closes, bare }) =>
          bare ? `${min.text}<${max.text}` : `${opens ? '[' : ']'}${min.text}<${max.text}${closes ? ']' : '['}`,
        ),
      ),
      holds: (d) =>
        values(d).some((v) =>
          items.some(({ min, max, opens, closes, bare }) => {
            const [lower, upper] = [opens || bare, closes || bare]
            return satisfies(v, lower ? 'gte' : 'gt', min) && satisfies(v, upper ? 'lte' : 'lt', max)
          }),
        ),
    }),
  )
  return fc.oneof(single, range)
}

const sameAlways = <T>(text: string, value: T): BoundText<T> => ({ text, at: () => value })

const keywordClauses = (field: string, values: ValuesOf<string>): fc.Arbitrary<Clause> =>
  fc.oneof(
    equality(
      field,
      values,
      keyword.filter(listable).map((text) => ({ text, matches: (v: string) => v === text })),
    ),
    // Brackets, `<` and commas at the ends of a bound would change the structure of the range.
    comparison(
      field,
      values,
      keyword.filter((k) => /^[\p{L}\p{N}:.'" -]+$/u.test(k)).map((k) => sameAlways(k, k)),
      compareCodePoints,
    ),
    pattern(field, values),
  )

/** Patterns with the same meaning in JavaScript. */
const patternTexts = [
  'a',
  '^a',
  'b$',
  '^ab?$',
  'a.',
  '[a-b]+c',
  '[^a]',
  '(a|1)',
  '^-?\\d',
  '\\w{2,}',
  '\\.',
  '^.$',
  'a,b',
  '\\\\',
]

const pattern = (field: string, values: ValuesOf<string>): fc.Arbitrary<Clause> =>
  fc.constantFrom(...patternTexts).map((value) => {
    const compiled = new RegExp(value, 'su')
    return { field, op: 'like', value, holds: (d) => values(d).some((v) => compiled.test(v)) }
  })

const numberText = (n: number): fc.Arbitrary<string> =>
  fc.constantFrom(String(n), ` ${n} `, n.toExponential(20).replace(/\.?0+e/, 'e'), n >= 0 ? `+${n}` : String(n))

const numberClauses = (field: string, values: ValuesOf<number>): fc.Arbitrary<Clause> => {
  const written = fc.oneof(integer, decimal).chain((n) => numberText(n).map((text) => ({ n, text })))
  return fc.oneof(
    equality(
      field,
      values,
      written.map(({ n, text }) => ({ text, matches: (v: number) => v === n })),
    ),
    comparison(
      field,
      values,
      written.map(({ n, text }) => sameAlways(text, n)),
      (a, b) => a - b,
    ),
  )
}

const dateBound: fc.Arbitrary<BoundText<number>> = fc
  .record({
    ms: instant,
    steps: fc.array(fc.tuple(fc.integer({ min: -3, max: 3 }), fc.constantFrom(...units)), { maxLength: 2 }),
    rounding: fc.option(fc.constantFrom(...units), { nil: undefined }),
  })
  .map(({ ms, steps, rounding }) => {
    const kept = steps.filter(([n]) => n !== 0)
    const moved = kept.reduce((at, [n, unit]) => addUnits(at, n, unit), ms)
    const moves = kept.map(([n, unit]) => `${n < 0 ? '-' : '+'}${Math.abs(n)}${unit}`).join('')
    const math = `${moves}${rounding === undefined ? '' : `/${rounding}`}`
    return {
      text: math === '' ? String(ms) : `${ms}||${math}`,
      at: (op) => {
        if (rounding === undefined) return moved
        return op === 'gte' || op === 'lt' ? floorTo(moved, rounding) : lastOf(moved, rounding)
      },
    }
  })

/** A date with missing parts represents the whole period. */
const datePeriod = fc.tuple(instant, fc.constantFrom('y', 'M', 'd', 's', 'ms')).map(([ms, part]) => {
  if (part === 'ms') return { text: String(ms), matches: (v: number) => v === ms }
  const iso = new Date(ms).toISOString()
  const lengths = { y: 4, M: 7, d: 10, s: 19 } as const
  const text = `${iso.slice(0, lengths[part])}${part === 's' ? 'Z' : ''}`
  return { text, matches: (v: number) => floorTo(v, part) === floorTo(ms, part) }
})

const dateClauses = (field: string): fc.Arbitrary<Clause> =>
  fc.oneof(
    equality(field, (d) => d.seen, datePeriod),
    comparison(
      field,
      (d) => d.seen,
      dateBound,
      (a, b) => a - b,
    ),
  )

const booleanClauses: fc.Arbitrary<Clause> = equality(
  'flag',
  (d) => d.flag,
  fc.constantFrom('true', 'false', 'TRUE', 'False').map((text) => ({
    text,
    matches: (v: boolean) => String(v) === text.toLowerCase(),
  })),
)

const phrase = fc
  .tuple(fc.array(word, { minLength: 1, maxLength: 3 }), fc.integer({ min: 0, max: 3 }))
  .map(([parts, cut]) => parts.join(' ').slice(0, -cut || undefined))
  .filter((t) => t.trim() !== '')

const textClauses: fc.Arbitrary<Clause> = fc.oneof(
  phrase.map((value): Clause => ({ field: 'text', op: 'like', value, holds: (d) => hasPhrase(d.text, value) })),
  phrase.map((value): Clause => ({ field: 'text', op: 'eq', value, holds: (d) => hasAnyToken(d.text, value) })),
  phrase.map((value): Clause => ({ field: 'text', op: 'ne', value, holds: (d) => !hasAnyToken(d.text, value) })),
)

const unknownClauses: fc.Arbitrary<Clause> = fc.constantFrom<Clause>(
  { field: 'nowhere', op: 'eq', value: 'a', holds: () => false },
  { field: 'deep.nowhere', op: 'range', value: '[a<b]', holds: () => false },
  { field: 'nowhere', op: 'ne', value: 'a', holds: () => true },
)

/** Existing and missing ids. */
const idClauses: fc.Arbitrary<Clause> = equality(
  'id',
  (d) => [d.id],
  fc.nat(400).map((n) => ({ text: idOf(n), matches: (v: string) => v === idOf(n) })),
)

/** All operators on all types except the geographic ones. */
export const scalarClause: fc.Arbitrary<Clause> = fc.oneof(
  keywordClauses('kw', (d) => d.kw),
  keywordClauses('deep.kw', (d) => d.deep),
  numberClauses('n', (d) => d.n),
  numberClauses('x', (d) => d.x),
  dateClauses('seen'),
  dateClauses('$timestamp'),
  booleanClauses,
  textClauses,
  unknownClauses,
  idClauses,
)
