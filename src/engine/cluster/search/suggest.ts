import type { Query } from '../../../cluster-client/cluster-client.ts'
import type { SuggestPlan } from '../../../query/plan/aggregation-plan.ts'
import { lowerCaseToken } from '../../../query/text/text-analysis.ts'
import { beginsWord } from '../../../query/text/word-starts.ts'
import { compareCodePoints } from '../../../query/value/code-point-order.ts'
import type { Suggestion } from '../../engine.ts'
import { tokenStartPattern, wordStartPattern } from '../condition/word-start-pattern.ts'
import type { ClusterContext } from '../request/cluster-context.ts'
import { compileSelection } from '../selection/selection-query.ts'
import { frequentTerms, type Term, type TermSearch } from './frequent-terms.ts'
import { findTermSources, type TermSource } from './term-sources.ts'
import { readTextTerms } from './text-terms.ts'

/** Maximum number of fields searched concurrently. */
const AT_ONCE = 4

/**
 * Returns the terms of the fields that start with a prefix, with the number of documents in the selection (spec 5.10).
 */
export async function suggest(
  context: ClusterContext,
  plan: SuggestPlan,
  signal?: AbortSignal,
): Promise<readonly Suggestion[]> {
  const prefix = lowerCaseToken(plan.prefix)
  // Stored texts are always well-formed, so nothing can match.
  if (!prefix.isWellFormed() || plan.predicate.kind === 'nothing') return []
  const sources = await findTermSources(context, plan.indices, plan.fields, signal)
  const query = await compileSelection(context, plan, signal)
  const found = await sideBySide(
    sources.filter(({ indices }) => indices.length > 0),
    async (source, stopped) => {
      const terms = await termsOf(context, { ...plan, prefix, indices: source.indices }, source, query, stopped)
      return terms.map(({ text, count }): Suggestion => ({ field: source.field, text, count }))
    },
    signal,
  )
  // Sorting is stable, so equal suggestions stay in the order of the fields.
  return found
    .flat()
    .sort((a, b) => b.count - a.count || compareCodePoints(a.text, b.text))
    .slice(0, plan.size)
}

async function termsOf(
  context: ClusterContext,
  plan: SuggestPlan,
  { field, listed, sourcePath }: TermSource,
  query: Query,
  signal: AbortSignal,
): Promise<readonly Term[]> {
  const { indices, prefix, size } = plan
  const search = { indices, query, path: field.path, size }
  if (field.type === 'KEYWORD') return await frequentTerms(context, { ...search, ...wordsWith(prefix) }, signal)
  // Tokens never contain whitespace.
  if (/[ \n]/.test(prefix)) return []
  if (listed) return await frequentTerms(context, { ...search, ...tokensWith(prefix) }, signal)
  return await readTextTerms(context, plan, field, sourcePath, signal)
}

type Wanted = Pick<TermSearch, 'pattern' | 'isWanted'>

const all: Wanted = { isWanted: () => true }

const wordsWith = (prefix: string): Wanted =>
  prefix === '' ? all : { pattern: wordStartPattern(prefix), isWanted: (text) => beginsWord(text, prefix) }

const tokensWith = (prefix: string): Wanted =>
  prefix === '' ? all : { pattern: tokenStartPattern(prefix), isWanted: (text) => text.startsWith(prefix) }

/**
 * Runs `work` for all items with limited concurrency. Returns results in order; the first failure aborts the others.
 */
async function sideBySide<T, R>(
  items: readonly T[],
  work: (item: T, signal: AbortSignal) => Promise<R>,
  signal: AbortSignal | undefined,
): Promise<readonly R[]> {
  const failed = new AbortController()
  const stopped = signal ? AbortSignal.any([signal, failed.signal]) : failed.signal
  const results: R[] = []
  const waiting = items.entries()
  const worker = async (): Promise<void> => {
    for (const [i, item] of waiting) {
      stopped.throwIfAborted()
      results[i] = await work(item, stopped)
    }
  }
  try {
    await Promise.all(Array.from({ length: AT_ONCE }, worker))
  } catch (error) {
    failed.abort(error)
    throw error
  }
  return results
}
