import { patternMatcher } from '../../../../query/pattern/keyword-pattern-matcher.ts'
import type {
  EqualsPredicate,
  FuzzyPredicate,
  PatternPredicate,
  PrefixPredicate,
  RangePredicate,
} from '../../../../query/plan/predicate.ts'
import { isWithinEdits } from '../../../../query/text/edit-distance.ts'
import { compareCodePoints } from '../../../../query/value/code-point-order.ts'
import type { Dictionary } from '../../segment/dictionary.ts'
import { type CodeSet, codeList, codeRange } from './filter-codes.ts'
import { codesOfPattern, requiredText } from './pattern-terms.ts'

export type TermPredicate = EqualsPredicate | RangePredicate | PrefixPredicate | PatternPredicate | FuzzyPredicate

/** Returns the codes of the terms that satisfy a predicate. */
export function matchingCodes(p: TermPredicate, dictionary: Dictionary): CodeSet {
  switch (p.kind) {
    case 'equals': {
      const codes = p.values.map((value) => dictionary.codeOf(String(value))).filter((code) => code !== 0)
      return codeList(new Uint32Array(new Set(codes)).sort())
    }
    case 'range':
      return dictionary.sorted ? codesBetween(p, dictionary) : scanTerms(p, dictionary)
    case 'prefix':
      return dictionary.sorted ? codesWithPrefix(p.prefix.toWellFormed(), dictionary) : scanTerms(p, dictionary)
    case 'pattern':
      return matchPattern(p, dictionary)
    case 'fuzzy':
      return scanTerms(p, dictionary)
  }
}

interface CodeSpan {
  readonly first: number
  readonly last: number
}

const allCodes = ({ size }: Dictionary): CodeSpan => ({ first: 1, last: size })

function codesBetween({ lower, upper }: RangePredicate, dictionary: Dictionary): CodeSet {
  const after = (term: string): number => dictionary.firstFrom(term) + (dictionary.codeOf(term) === 0 ? 0 : 1)
  const low = lower === undefined ? undefined : String(lower.value)
  const high = upper === undefined ? undefined : String(upper.value)
  const first = low === undefined ? 1 : lower?.inclusive ? dictionary.firstFrom(low) : after(low)
  const end = high === undefined ? dictionary.size + 1 : upper?.inclusive ? after(high) : dictionary.firstFrom(high)
  return codeRange(first, end - 1)
}

function codesWithPrefix(prefix: string, dictionary: Dictionary): CodeSpan & CodeSet {
  const first = dictionary.firstFrom(prefix)
  let low = first
  let high = dictionary.size + 1
  while (low < high) {
    const middle = (low + high) >>> 1
    if (dictionary.term(middle).startsWith(prefix)) low = middle + 1
    else high = middle
  }
  return { kind: 'range', first, last: low - 1 }
}

function matchPattern(p: PatternPredicate, dictionary: Dictionary): CodeSet {
  const { data } = dictionary
  if (dictionary.sorted && p.pattern.anchoredStart) return scanTerms(p, dictionary, codesOfStart(p, dictionary))
  if (data === undefined || requiredText(p.pattern) === '') return scanTerms(p, dictionary)
  return remembered(p, dictionary, () => codeList(codesOfPattern(p.pattern, data, (code) => dictionary.term(code))))
}

/** The codes a pattern can match: those with the literal it starts with. */
function codesOfStart({ pattern: { anchoredStart, node } }: PatternPredicate, dictionary: Dictionary): CodeSpan {
  const start = node.kind === 'sequence' ? node.members[0] : node
  if (!anchoredStart || start?.kind !== 'literal') return allCodes(dictionary)
  return codesWithPrefix(start.text.toWellFormed(), dictionary)
}

function scanTerms(
  p: Exclude<TermPredicate, EqualsPredicate>,
  dictionary: Dictionary,
  { first, last }: CodeSpan = allCodes(dictionary),
): CodeSet {
  return remembered(p, dictionary, () => {
    const matches = compileTermTest(p)
    const codes: number[] = []
    for (let code = first; code <= last; code++) if (matches(dictionary.term(code))) codes.push(code)
    return codeList(Uint32Array.from(codes))
  })
}

function compileTermTest(p: Exclude<TermPredicate, EqualsPredicate>): (term: string) => boolean {
  switch (p.kind) {
    case 'range': {
      const low = p.lower && { term: String(p.lower.value), least: p.lower.inclusive ? 0 : 1 }
      const high = p.upper && { term: String(p.upper.value), most: p.upper.inclusive ? 0 : -1 }
      return (term) =>
        (low === undefined || Math.sign(compareCodePoints(term, low.term)) >= low.least) &&
        (high === undefined || Math.sign(compareCodePoints(term, high.term)) <= high.most)
    }
    case 'prefix': {
      const prefix = p.prefix.toWellFormed()
      return (term) => term.startsWith(prefix)
    }
    case 'pattern':
      return patternMatcher(p.pattern)
    case 'fuzzy':
      return (term) => isWithinEdits(term, p.word, p.edits)
  }
}

/** Sets by predicate, the most recently used last. Reading millions of terms can take a second. */
const sets = new WeakMap<Dictionary, Map<string, CodeSet>>()
/** Total size of the sets of a dictionary, in codes. */
const MOST_CODES = 2 ** 21
/** Size of a set without codes. */
const EMPTY_SIZE = 64

function remembered(p: TermPredicate, dictionary: Dictionary, find: () => CodeSet): CodeSet {
  const { field: _, ...question } = p
  const key = JSON.stringify(question)
  const known = sets.get(dictionary) ?? new Map<string, CodeSet>()
  sets.set(dictionary, known)
  const set = known.get(key) ?? find()
  known.delete(key)
  known.set(key, set)
  let size = 0
  for (const each of known.values()) size += sizeOf(each)
  for (const [oldest, each] of known) {
    if (size <= MOST_CODES) break
    known.delete(oldest)
    size -= sizeOf(each)
  }
  return set
}

const sizeOf = (set: CodeSet): number => EMPTY_SIZE + (set.kind === 'list' ? set.codes.length : 0)
