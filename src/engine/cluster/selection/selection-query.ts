import type { Query } from '../../../cluster-client/cluster-client.ts'
import type { Selection } from '../../../query/plan/plan.ts'
import { and, type Predicate } from '../../../query/plan/predicate.ts'
import { leavesOf, readFieldHomes } from '../condition/field-homes.ts'
import { largeConditions, narrowing } from '../condition/large-filter.ts'
import { compilePredicate } from '../condition/predicate-query.ts'
import type { ClusterContext } from '../request/cluster-context.ts'
import { scanBounded } from './bounded-scan.ts'
import { centroidReading, isByCentroid, nearCell } from './centroid-answer.ts'
import { DocumentIds, type Reading } from './document-ids.ts'
import { nearArea, relationReading } from './relation-answer.ts'

/**
 * Compiles a selection to a query for a `filter` clause. Conditions the cluster cannot evaluate are evaluated first, by
 * reading documents, and become lists of ids.
 */
export async function compileSelection(
  context: ClusterContext,
  selection: Selection,
  signal?: AbortSignal,
): Promise<Query> {
  const answers = await answerBeforehand(context, selection, signal)
  const homes = await readFieldHomes(context, selection, signal)
  return compilePredicate(selection.predicate, { dialect: context.dialect, answers, homes })
}

/** A condition to evaluate in advance, what to read for it, and the predicates of the documents to read. */
interface Question {
  readonly condition: Predicate
  readonly reading: Reading
  readonly parts: readonly Predicate[]
}

async function answerBeforehand(
  context: ClusterContext,
  { indices, predicate }: Selection,
  signal: AbortSignal | undefined,
): Promise<ReadonlyMap<Predicate, Query>> {
  const questions = questionsOf(predicate)
  // The other conditions of the selection reduce the documents to read. They must hold anyway, so the result is the
  // same.
  const others = narrowing(predicate, new Set(questions.map(({ condition }) => condition)))
  const answers = new Map<Predicate, Query>()
  for (const { condition, reading, parts } of questions) {
    const ids = new DocumentIds()
    for (const part of parts) {
      const query = await compileSelection(context, { indices, predicate: and([others, part]) }, signal)
      await ids.add(scanBounded(context, indices, query, reading, signal), reading)
    }
    answers.set(condition, ids.toQuery(indices))
  }
  return answers
}

function questionsOf(predicate: Predicate): readonly Question[] {
  const leaves = leavesOf(predicate)
  const cells = leaves.filter(isByCentroid)
  const relations = leaves.filter((leaf) => leaf.kind === 'relates')
  if (cells.length + relations.length > 0) {
    return [
      ...cells.map((cell) => ({ condition: cell, reading: centroidReading(cell), parts: [nearCell(cell)] })),
      ...relations.map((p) => ({ condition: p, reading: relationReading(p), parts: [nearArea(p)] })),
    ]
  }
  return largeConditions(predicate).map(({ predicate: condition, parts }) => ({
    condition,
    reading: { primitive: MANY_CONDITIONS, paths: [], holds: () => true },
    parts,
  }))
}

const MANY_CONDITIONS = 'a filter with more conditions than indices.query.bool.max_clause_count of the cluster'
