import type { Bound, Predicate } from '../../../query/plan/predicate.ts'
import type { Field } from '../../../query/schema/field.ts'
import type { IndexTable } from '../index/index-table.ts'

/** Dates and ranks of some rows, column by column, in memory. */
export interface RowColumns {
  /** NaN for rows without a date. */
  readonly dates: Float64Array
  /** By path. NO_RANK for rows without a value. */
  readonly ranks: ReadonlyMap<string, Uint32Array>
}

/** True if the field is the date stored in the newest-first copy and the row file. */
export const isItsDate = (field: Field, table: IndexTable): boolean =>
  field.path === table.definition.newest?.path && table.field(field) !== undefined

/** True if the predicate only uses that date and term ranks. */
export function canMatch(predicate: Predicate, table: IndexTable): boolean {
  switch (predicate.kind) {
    case 'everything':
    case 'nothing':
      return true
    case 'and':
    case 'or':
      return predicate.members.every((member) => canMatch(member, table))
    case 'not':
      return canMatch(predicate.member, table)
    case 'equals':
      return isItsDate(predicate.field, table) || table.field(predicate.field)?.ranked === 'terms'
    case 'range':
    case 'exists':
      return isItsDate(predicate.field, table)
    default:
      return false
  }
}

/** Returns the paths such a predicate uses. */
export function pathsIn(predicate: Predicate): readonly string[] {
  switch (predicate.kind) {
    case 'everything':
    case 'nothing':
      return []
    case 'and':
    case 'or':
      return predicate.members.flatMap(pathsIn)
    case 'not':
      return pathsIn(predicate.member)
    default:
      return [predicate.field.path]
  }
}

/** True if a row, by index in the columns, matches. */
type Match = (row: number) => boolean

/** Only for predicates accepted by `canMatch`. */
export function compileMatch(p: Predicate, table: IndexTable, columns: RowColumns): Match {
  switch (p.kind) {
    case 'everything':
      return () => true
    case 'nothing':
      return () => false
    case 'exists': {
      const { dates } = columns
      return (row) => !Number.isNaN(dates[row])
    }
    case 'and': {
      const members = p.members.map((member) => compileMatch(member, table, columns))
      return (row) => members.every((matches) => matches(row))
    }
    case 'or': {
      const members = p.members.map((member) => compileMatch(member, table, columns))
      return (row) => members.some((matches) => matches(row))
    }
    case 'not': {
      const matches = compileMatch(p.member, table, columns)
      return (row) => !matches(row)
    }
    case 'equals': {
      const terms = table.terms.get(p.field.path)
      const sought = p.values.flatMap((value) => (terms ? (terms.get(String(value))?.rank ?? []) : Number(value)))
      return isAmong(terms ? columns.ranks.get(p.field.path) : columns.dates, sought)
    }
    case 'range': {
      const { dates } = columns
      const isAbove = compileBound(p.lower, (date, bound) => date > bound)
      const isBelow = compileBound(p.upper, (date, bound) => date < bound)
      return (row) => isAbove(dates[row] ?? Number.NaN) && isBelow(dates[row] ?? Number.NaN)
    }
    default:
      throw new Error(`'${p.kind}' cannot be evaluated with dates and ranks`)
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
  if (!bound) return (date) => !Number.isNaN(date)
  const value = Number(bound.value)
  return (date) => isBeyond(date, value) || (bound.inclusive && date === value)
}
