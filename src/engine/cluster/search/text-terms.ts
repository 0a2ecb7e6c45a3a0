import type { JsonObject } from '../../../model/json/document.ts'
import type { SuggestPlan } from '../../../query/plan/aggregation-plan.ts'
import { and, type Predicate } from '../../../query/plan/predicate.ts'
import { valuesAt } from '../../../query/schema/document-path.ts'
import type { Field } from '../../../query/schema/field.ts'
import { tokenize } from '../../../query/text/text-analysis.ts'
import { Turn } from '../../../turn.ts'
import type { ClusterContext } from '../request/cluster-context.ts'
import { readMatching } from '../selection/selection-scan.ts'
import { compareTerms, type Term } from './frequent-terms.ts'

const PRIMITIVE = 'suggestions from a text field'

/**
 * Returns the tokens of a TEXT field that start with a prefix. Reads the matching documents, because clusters cannot
 * list the tokens of a document. `sourcePath`: path of the text in the source.
 */
export async function readTextTerms(
  context: ClusterContext,
  { indices, predicate, prefix, size }: Pick<SuggestPlan, 'indices' | 'predicate' | 'prefix' | 'size'>,
  field: Field,
  sourcePath: string,
  signal?: AbortSignal,
): Promise<readonly Term[]> {
  const counts = new Map<string, number>()
  const turn = new Turn(signal)
  const selection = { indices, predicate: and([predicate, having(field, prefix)]) }
  for await (const batch of readMatching(context, selection, { primitive: PRIMITIVE, paths: [sourcePath] }, signal)) {
    for (const { source } of batch) {
      if (turn.isOver) await turn.next()
      for (const token of tokensOf(source, sourcePath)) {
        if (token.startsWith(prefix)) counts.set(token, (counts.get(token) ?? 0) + 1)
      }
    }
  }
  const terms = [...counts].map(([text, count]) => ({ text, count }))
  return terms.sort(compareTerms).slice(0, size)
}

function having(field: Field, prefix: string): Predicate {
  if (prefix === '') return { kind: 'exists', field }
  return { kind: 'phrase', field, tokens: [prefix], lastIsPrefix: true, slop: 0 }
}

/** Returns the distinct tokens of all values. */
function tokensOf(source: JsonObject, path: string): ReadonlySet<string> {
  const texts = valuesAt(source, path).filter((value) => typeof value !== 'object')
  return new Set(texts.flatMap((value) => tokenize(String(value))))
}
