import type { AggregationPlan, MeasurePlan, SuggestPlan } from '../../../query/plan/aggregation-plan.ts'
import type { SearchPlan, Selection } from '../../../query/plan/plan.ts'
import { Turn } from '../../../turn.ts'
import type {
  AggregationResult,
  BucketList,
  FoundDocument,
  MeasureResult,
  SearchResult,
  StoredDocument,
  Suggestion,
} from '../../engine.ts'
import { countParts } from '../kernel/filter/count.ts'
import { type GroupedList, groupParts } from '../kernel/group/group-parts.ts'
import { measureParts } from '../kernel/group/measure-parts.ts'
import type { NumberedPart, RowRef } from '../kernel/numbered-part.ts'
import { pageOfParts } from '../kernel/page/page.ts'
import { suggestParts } from '../kernel/suggest/suggest.ts'
import { storedRow } from '../parts/index-parts.ts'
import { type DocumentPlace, fetchDocuments } from '../table/found-documents.ts'
import type { IndexTable } from '../table/index-table.ts'

/** Answers of the kernels. All of them read the parts the tables have when they are called. */

export const numberedParts = (tables: readonly IndexTable[]): readonly NumberedPart[] =>
  tables.flatMap(({ parts }, table) => parts.parts.map((part) => ({ part, table })))

export async function searchWithKernels(
  tables: readonly IndexTable[],
  plan: SearchPlan,
  signal: AbortSignal | undefined,
): Promise<SearchResult> {
  const parts = numberedParts(tables)
  const { rows, total } = await pageOfParts(plan, parts, new Turn(signal))
  const hits = await fetchDocuments(placesOf(rows, parts, tables))
  return total === undefined ? { hits } : { total, hits }
}

export function countWithKernels(
  tables: readonly IndexTable[],
  { predicate }: Selection,
  signal: AbortSignal | undefined,
): Promise<number> {
  return countParts(predicate, numberedParts(tables), new Turn(signal))
}

export async function aggregateWithKernels(
  tables: readonly IndexTable[],
  plan: AggregationPlan,
  signal: AbortSignal | undefined,
): Promise<AggregationResult> {
  const parts = numberedParts(tables)
  const grouped = await groupParts(plan, parts, new Turn(signal))
  const refs: RowRef[] = []
  visitTops(grouped, (ref) => refs.push(ref))
  // A document may be picked for several buckets.
  const distinct = new Map(refs.map((ref) => [`${ref.part}/${ref.row}`, ref]))
  const documents = await fetchDocuments(placesOf([...distinct.values()], parts, tables))
  const found = new Map([...distinct.keys()].map((key, i) => [key, documents[i]]))
  return { total: grouped.total, ...withDocuments(grouped, found) }
}

function visitTops(list: GroupedList, visit: (ref: RowRef) => void): void {
  for (const { tops, children } of list.buckets) {
    for (const top of tops) for (const ref of top) visit(ref)
    if (children) visitTops(children, visit)
  }
}

function withDocuments(list: GroupedList, found: ReadonlyMap<string, FoundDocument | undefined>): BucketList {
  return {
    others: list.others,
    buckets: list.buckets.map(({ key, count, metrics, tops, children }) => ({
      key,
      count,
      metrics,
      tops: tops.map((top) => top.flatMap(({ part, row }) => found.get(`${part}/${row}`) ?? [])),
      ...(children && { children: withDocuments(children, found) }),
    })),
  }
}

export function measureWithKernels(
  tables: readonly IndexTable[],
  plan: MeasurePlan,
  signal: AbortSignal | undefined,
): Promise<MeasureResult> {
  return measureParts(plan, numberedParts(tables), new Turn(signal))
}

export function suggestWithKernels(
  tables: readonly IndexTable[],
  plan: SuggestPlan,
  signal: AbortSignal | undefined,
): Promise<readonly Suggestion[]> {
  return suggestParts(plan, numberedParts(tables), new Turn(signal))
}

/** Returns the document stored under an identifier. */
export async function documentWithKernels(table: IndexTable, id: string): Promise<StoredDocument | undefined> {
  const row = table.parts.find(id)
  const [found] = row ? await fetchDocuments([{ ...row, table }]) : []
  return found && { ...found, id }
}

function placesOf(
  rows: readonly RowRef[],
  parts: readonly NumberedPart[],
  tables: readonly IndexTable[],
): readonly DocumentPlace[] {
  return rows.map(({ part: number, row }) => {
    const found = parts[number]
    const table = found && tables[found.table]
    if (!table) throw new Error('a kernel returned a row of an unknown part')
    const { at, size } = storedRow(found.part, row)
    return { table, at, size }
  })
}
