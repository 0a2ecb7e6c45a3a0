import type { SuggestPlan } from '../../../../query/plan/aggregation-plan.ts'
import type { Field } from '../../../../query/schema/field.ts'
import { lowerCaseToken } from '../../../../query/text/text-analysis.ts'
import { compareCodePoints } from '../../../../query/value/code-point-order.ts'
import type { Turn } from '../../../../turn.ts'
import type { Suggestion } from '../../../engine.ts'
import type { Dictionary } from '../../segment/dictionary.ts'
import type { PartOutline } from '../../segment/part.ts'
import { compileFilter, type Filter } from '../filter/filter.ts'
import type { NumberedPart } from '../numbered-part.ts'
import { TopRows } from '../top-rows.ts'
import { countTerms } from './suggest-counts.ts'
import { matchingCodes } from './suggest-matches.ts'

/** Terms between two looks at the clock. */
const TURN_TERMS = 256

/** Returns the terms of the fields that start with a prefix, and how many selected rows have each (spec 5.10). */
export async function suggestParts(
  plan: SuggestPlan,
  parts: readonly NumberedPart[],
  turn: Turn,
): Promise<readonly Suggestion[]> {
  if (plan.size <= 0) return []
  const prefix = lowerCaseToken(plan.prefix)
  const filters = parts.map(({ part }) => compileFilter(plan.predicate, part))
  const suggestions: Suggestion[] = []
  for (const field of plan.fields) {
    const counted: CountedTerms[] = []
    for (const [i, numbered] of parts.entries()) {
      const filter = filters[i]
      const terms = filter && (await countPart(field, prefix, numbered, filter, turn))
      if (terms && terms.codes.length > 0) counted.push(terms)
    }
    const terms = await mostFrequent(counted, plan.size, turn)
    suggestions.push(...terms.map(({ text, count }) => ({ field, text, count })))
  }
  // The sort is stable, so equal terms stay in field order.
  return suggestions.sort((a, b) => b.count - a.count || compareCodePoints(a.text, b.text)).slice(0, plan.size)
}

/** Returns why the terms of a plan cannot be read from the parts. Does not look at the predicate. */
export function suggestGap(plan: SuggestPlan, parts: readonly NumberedPart<PartOutline>[]): string | undefined {
  for (const field of plan.fields) {
    if (field.type === 'KEYWORD' || field.type === 'TEXT') continue
    if (parts.some(({ part }) => part.column(field))) return `terms of ${field.type}`
  }
  return undefined
}

/** Some terms of a part with the number of their rows. */
interface CountedTerms {
  readonly dictionary: Dictionary
  readonly codes: Uint32Array
  /** By code. */
  readonly counts: Uint32Array
}

async function countPart(
  field: Field,
  prefix: string,
  { part }: NumberedPart,
  filter: Filter,
  turn: Turn,
): Promise<CountedTerms | undefined> {
  const column = part.column(field)
  if (column?.kind !== 'code' && column?.kind !== 'text') return undefined
  const { dictionary } = column
  const codes = await matchingCodes(dictionary, field.type, prefix, turn)
  return { dictionary, codes, counts: await countTerms(column, codes, part, filter, turn) }
}

interface TextCount {
  readonly text: string
  readonly count: number
}

/** Adds the counts of the parts, and returns the `size` most frequent terms in no particular order. */
async function mostFrequent(counted: readonly CountedTerms[], size: number, turn: Turn): Promise<readonly TextCount[]> {
  // The terms of the other parts are looked up in the part that has most of them.
  const largest = counted.reduce<CountedTerms | undefined>(
    (a, b) => (a && a.codes.length >= b.codes.length ? a : b),
    undefined,
  )
  if (!largest) return []
  const { dictionary, codes, counts } = largest
  const others = new Map<string, number>()
  for (const terms of counted) if (terms !== largest) await addCounts(terms, largest, others, turn)
  const tie = dictionary.sorted
    ? (a: number, b: number) => a - b
    : (a: number, b: number) => compareCodePoints(dictionary.term(a), dictionary.term(b))
  const top = new TopRows(size, tie, -1)
  for (let i = 0; i < codes.length; i++) {
    const code = codes[i] ?? 0
    const rank = -(counts[code] ?? 0)
    if (rank <= top.threshold) top.add(code, rank)
  }
  const best = Array.from(top.sorted(), (code) => ({ text: dictionary.term(code), count: counts[code] ?? 0 }))
  return [...best, ...mostFrequentOf(others, size)]
}

async function addCounts(
  { dictionary, codes, counts }: CountedTerms,
  to: CountedTerms,
  others: Map<string, number>,
  turn: Turn,
): Promise<void> {
  for (let i = 0; i < codes.length; i++) {
    const code = codes[i] ?? 0
    const count = counts[code] ?? 0
    if (count > 0) {
      const term = dictionary.term(code)
      const known = to.dictionary.codeOf(term)
      if (known === 0) others.set(term, (others.get(term) ?? 0) + count)
      else to.counts[known] = (to.counts[known] ?? 0) + count
    }
    if (i % TURN_TERMS === TURN_TERMS - 1 && turn.isOver) await turn.next()
  }
}

function mostFrequentOf(counts: ReadonlyMap<string, number>, size: number): readonly TextCount[] {
  const terms = Array.from(counts, ([text, count]) => ({ text, count }))
  const top = new TopRows(size, (a, b) => compareCodePoints(terms[a]?.text ?? '', terms[b]?.text ?? ''), -1)
  for (const [i, { count }] of terms.entries()) if (-count <= top.threshold) top.add(i, -count)
  return Array.from(top.sorted(), (i) => terms[i] ?? { text: '', count: 0 })
}
