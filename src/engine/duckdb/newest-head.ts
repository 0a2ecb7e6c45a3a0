import type { Cursor, SearchPlan, SortKey } from '../../query/plan.ts'
import type { Bound, Predicate } from '../../query/predicate.ts'
import type { DocumentPlace } from './found-documents.ts'
import type { IndexTable } from './index-table.ts'
import type { RankedKeys } from './ranked-keys.ts'

/**
 * The first rows of the copy that has the newest first, in memory: every document that is not among them is older, or has
 * no date. Looking through all of them takes less time than handing a statement to the database.
 */
export interface NewestHead {
  /** Descending. */
  readonly dates: Float64Array
  readonly at: Float64Array
  readonly sizes: Uint32Array
  /** By path; NO_RANK where there is no value. */
  readonly ranks: ReadonlyMap<string, Uint32Array>
}

export const NO_RANK = 0

/** A row of the head and what it is ordered by: the lesser comes first, key by key. */
interface Candidate {
  readonly row: number
  readonly keys: readonly number[]
}

/**
 * The page of a plan that asks for the newest first and looks at nothing the copy has not; undefined where the head does
 * not hold all of it.
 */
export function pageInHead(
  { predicate, sort, cursor, from, size }: SearchPlan,
  copy: IndexTable,
  head: NewestHead,
  ranked: RankedKeys,
): readonly DocumentPlace[] | undefined {
  // Before a cursor, those without a date come first.
  if (cursor?.direction === 'before') return undefined
  const after = cursor && keysOfCursor(cursor, sort, ranked)
  if (cursor && !after) return undefined
  const matches = compileMatch(predicate, copy, head)
  const keysOf = compileKeys(sort, head)
  const { dates } = head
  const wanted = from + size
  const found: Candidate[] = []
  for (let row = after ? firstFrom(dates, after[0] ?? 0) : 0; row < dates.length; row++) {
    // Only the other keys order those of one moment.
    if (found.length >= wanted && dates[row] !== dates[row - 1]) break
    if (!matches(row)) continue
    const keys = keysOf(row)
    if (!after || compareKeys(keys, after) > 0) found.push({ row, keys })
  }
  if (found.length < wanted) return undefined
  return found
    .sort((a, b) => compareKeys(a.keys, b.keys))
    .slice(from, wanted)
    .map(({ row }) => ({ table: copy, at: head.at[row] ?? 0, size: head.sizes[row] ?? 0 }))
}

/** Number of the first row that is not newer. */
function firstFrom(dates: Float64Array, newest: number): number {
  let [low, high] = [0, dates.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (-(dates[middle] ?? 0) < newest) low = middle + 1
    else high = middle
  }
  return low
}

function compareKeys(a: readonly number[], b: readonly number[]): number {
  for (const [i, key] of a.entries()) {
    const other = b[i] ?? 0
    if (key !== other) return key < other ? -1 : 1
  }
  return 0
}

/** Of a rank; those without value are last in both directions. */
const keyOfRank = (rank: number, descending: boolean): number =>
  rank === NO_RANK ? Number.POSITIVE_INFINITY : descending ? -rank : rank

function compileKeys(sort: readonly SortKey[], { dates, ranks }: NewestHead): (row: number) => readonly number[] {
  const columns = sort.slice(1).map(({ field, descending }) => ({ ranks: ranks.get(field.path), descending }))
  return (row) => [
    -(dates[row] ?? 0),
    ...columns.map((column) => keyOfRank(column.ranks?.[row] ?? NO_RANK, column.descending)),
  ]
}

/** Undefined where the cursor stands behind all that have a date. */
function keysOfCursor({ values }: Cursor, sort: readonly SortKey[], ranked: RankedKeys): readonly number[] | undefined {
  const [date, ...others] = values
  if (date === null || date === undefined) return undefined
  return [
    -Number(date),
    ...others.map((_, i) => keyOfRank(Number(ranked.get(i + 1) ?? NO_RANK), sort[i + 1]?.descending === true)),
  ]
}

type Match = (row: number) => boolean

/** For the predicates whose columns the copy has: its date, which every row of the head has, and ranks of terms. */
function compileMatch(p: Predicate, copy: IndexTable, head: NewestHead): Match {
  switch (p.kind) {
    case 'everything':
    case 'exists':
      return () => true
    case 'nothing':
      return () => false
    case 'and': {
      const members = p.members.map((member) => compileMatch(member, copy, head))
      return (row) => members.every((matches) => matches(row))
    }
    case 'or': {
      const members = p.members.map((member) => compileMatch(member, copy, head))
      return (row) => members.some((matches) => matches(row))
    }
    case 'not': {
      const matches = compileMatch(p.member, copy, head)
      return (row) => !matches(row)
    }
    case 'equals': {
      const terms = copy.terms.get(p.field.path)
      const sought = p.values.flatMap((value) => (terms ? (terms.get(String(value))?.rank ?? []) : Number(value)))
      return isAmong(terms ? head.ranks.get(p.field.path) : head.dates, sought)
    }
    case 'range': {
      const { dates } = head
      const isAbove = compileBound(p.lower, (date, bound) => date > bound)
      const isBelow = compileBound(p.upper, (date, bound) => date < bound)
      return (row) => isAbove(dates[row] ?? 0) && isBelow(dates[row] ?? 0)
    }
    default:
      throw new Error(`the head of the newest cannot tell '${p.kind}'`)
  }
}

function isAmong(column: Float64Array | Uint32Array | undefined, values: readonly number[]): Match {
  const [only, ...others] = values
  if (only === undefined || !column) return () => false
  if (others.length === 0) return (row) => column[row] === only
  const all = new Set(values)
  return (row) => all.has(column[row] ?? Number.NaN)
}

function compileBound(
  bound: Bound | undefined,
  isBeyond: (date: number, bound: number) => boolean,
): (date: number) => boolean {
  if (!bound) return () => true
  const value = Number(bound.value)
  return (date) => isBeyond(date, value) || (bound.inclusive && date === value)
}
