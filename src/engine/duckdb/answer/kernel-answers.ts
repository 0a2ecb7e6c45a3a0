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
import { type DocumentPlace, fetchDocuments, fetchParsed } from '../table/found-documents.ts'
import type { IndexTable } from '../table/index-table.ts'
import { wantedOf, withParts } from './opened-tables.ts'

/** Answers of the kernels. All of them read the parts the tables have when they are called. */

export async function searchWithKernels(
  tables: readonly IndexTable[],
  plan: SearchPlan,
  signal: AbortSignal | undefined,
): Promise<SearchResult> {
  const { places, total } = await withParts(tables, wantedOf.page(plan), signal, async (parts) => {
    const { rows, total: counted } = await pageOfParts(plan, parts, new Turn(signal))
    const found = placesOf(rows, parts, tables)
    return { places: plan.wantsIds ? withIds(found, rows, parts) : found, total: counted }
  })
  const hits = await fetchDocuments(places)
  return total === undefined ? { hits } : { total, hits }
}

export function countWithKernels(
  tables: readonly IndexTable[],
  selection: Selection,
  signal: AbortSignal | undefined,
): Promise<number> {
  return withParts(tables, wantedOf.selection(selection), signal, (parts) =>
    countParts(selection.predicate, parts, new Turn(signal)),
  )
}

export async function aggregateWithKernels(
  tables: readonly IndexTable[],
  plan: AggregationPlan,
  signal: AbortSignal | undefined,
): Promise<AggregationResult> {
  const { grouped, distinct, places } = await withParts(tables, wantedOf.groups(plan), signal, async (parts) => {
    const lists = await groupParts(plan, parts, new Turn(signal))
    const refs: RowRef[] = []
    visitTops(lists, (ref) => refs.push(ref))
    // A document may be picked for several buckets.
    const picked = new Map(refs.map((ref) => [`${ref.part}/${ref.row}`, ref]))
    return { grouped: lists, distinct: picked, places: placesOf([...picked.values()], parts, tables) }
  })
  const documents = await fetchParsed(places)
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
  return withParts(tables, wantedOf.measures(plan), signal, (parts) => measureParts(plan, parts, new Turn(signal)))
}

export function suggestWithKernels(
  tables: readonly IndexTable[],
  plan: SuggestPlan,
  signal: AbortSignal | undefined,
): Promise<readonly Suggestion[]> {
  return withParts(tables, wantedOf.suggestions(plan), signal, (parts) => suggestParts(plan, parts, new Turn(signal)))
}

/** Returns the document stored under an identifier. */
export async function documentWithKernels(
  table: IndexTable,
  id: string,
  signal: AbortSignal | undefined,
): Promise<StoredDocument | undefined> {
  const row = (await table.parts.findAll([id], signal)).get(id)
  const [found] = row ? await fetchParsed([{ ...row, table }]) : []
  return found && { ...found, id }
}

const withIds = (
  places: readonly DocumentPlace[],
  rows: readonly RowRef[],
  parts: readonly NumberedPart[],
): readonly DocumentPlace[] =>
  rows.flatMap(({ part, row }, i) => {
    const place = places[i]
    return place ? [{ ...place, id: parts[part]?.part.ids.id(row) ?? '' }] : []
  })

function placesOf(
  rows: readonly RowRef[],
  parts: readonly NumberedPart[],
  tables: readonly IndexTable[],
): readonly DocumentPlace[] {
  return rows.map(({ part: number, row }) => {
    const found = parts[number]
    const table = found && tables[found.table]
    if (!table) throw new Error('a kernel returned a row of an unknown part')
    const { at, size } = found.part.extents
    return { table, at: at[row] ?? 0, size: size[row] ?? 0 }
  })
}
