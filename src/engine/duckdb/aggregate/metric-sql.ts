import type { DuckDBValue } from '@duckdb/node-api'
import type { FieldType } from '../../../model/field-type.ts'
import type { MetricValue } from '../../../query/aggregation/bucket.ts'
import type { MetricPlan } from '../../../query/plan/aggregation-plan.ts'
import { type Field, isInteger } from '../../../query/schema/field.ts'
import { hasSeveral, listOf } from '../index/several-values.ts'
import { type FieldLayout, sqlTypeOf } from '../index/table-layout.ts'
import type { IndexTable } from '../table/index-table.ts'

/**
 * A metric that can be merged from parts: SQL aggregates over the rows of a part, how to merge them, and the result.
 */
export interface UnitedMetric {
  readonly partials: readonly { readonly sql: string; readonly unite: 'sum' | 'min' | 'max' }[]
  /** Computes the result from the merged partials, in their order. They are NULL if there are no rows. */
  readonly finish: (partials: readonly DuckDBValue[]) => MetricValue
}

/**
 * Distinct values cannot be merged from counts. `single` is the value of a row (NULL: none), `several` the values of
 * rows with more than one.
 */
interface DistinctValues {
  readonly single: string
  readonly several?: { readonly condition: string; readonly list: string }
}

export type UnitedKind = Exclude<MetricPlan['kind'], 'cardinality'>

/** Compiles the same number and SQL types of partials for every table. A table without the field yields NULLs. */
export function compileMetric(
  metric: { readonly kind: UnitedKind; readonly field: Pick<Field, 'path' | 'type'> },
  table: IndexTable,
): UnitedMetric {
  const { type } = metric.field
  const field = table.field(metric.field)
  const values = (suffix: '' | '_lon' | '_lat') => field && valuesOf(field, suffix)
  switch (metric.kind) {
    case 'avg':
      return { partials: [sum(values(''), type), count(values(''))], finish: ([s, n]) => mean(s, n) }
    case 'sum':
      return { partials: [sum(values(''), type)], finish: ([s]) => numberOf(s ?? 0n) }
    case 'min':
    case 'max':
      return { partials: [extreme(metric.kind, values(''), sqlTypeOf[type])], finish: ([v]) => numberOf(v) }
    case 'bounds':
      return { partials: edges(field), finish: toBox }
    case 'centroid': {
      const [lon, lat] = [values('_lon'), values('_lat')]
      const partials = [sum(lon, 'DOUBLE'), sum(lat, 'DOUBLE'), count(lon)]
      return { partials, finish: ([x, y, n]) => toPosition(mean(x, n), mean(y, n)) }
    }
  }
}

export function compileDistinct(metric: MetricPlan, table: IndexTable): DistinctValues {
  const field = table.field(metric.field)
  if (!field) return { single: `CAST(NULL AS ${sqlTypeOf[metric.field.type] ?? 'VARCHAR'})` }
  if (!field.several) return { single: field.column }
  return { single: field.column, several: { condition: hasSeveral(field), list: listOf(field) } }
}

/** Column of the first values. `several` has the condition and the value list of rows with more than one value. */
interface Values {
  readonly column: string
  readonly several?: { readonly condition: string; readonly list: string }
}

function valuesOf(field: FieldLayout, suffix: '' | '_lon' | '_lat'): Values {
  const column = field.column + suffix
  if (!field.several) return { column }
  const all = listOf(field)
  const list = suffix ? `list_transform(${all}, lambda p: p.${suffix.slice(1)})` : all
  return { column, several: { condition: hasSeveral(field), list } }
}

/** Lists are only read in rows that have one. Most have none, and list functions are slow even on NULLs. */
function gather(aggregate: string, { column, several }: Values): string {
  if (!several) return `${aggregate}(${column})`
  const { condition, list } = several
  return `${aggregate}(CASE WHEN ${condition} THEN list_aggregate(${list}, '${aggregate}') ELSE ${column} END)`
}

type Partial = UnitedMetric['partials'][number]

/** NULL as an aggregate. A plain NULL would not make a statement without other aggregates return one row. */
const noValue = (sqlType: string): string => `any_value(CAST(NULL AS ${sqlType}))`

/** Integers are summed exactly in 128 bits. Doubles are summed with error compensation, so row order hardly matters. */
function sum(values: Values | undefined, type: FieldType): Partial {
  const exact = isInteger(type) || type === 'DATE'
  if (!values) return { sql: noValue(exact ? 'HUGEINT' : 'DOUBLE'), unite: 'sum' }
  return { sql: gather(exact ? 'sum' : 'fsum', values), unite: 'sum' }
}

function count(values: Values | undefined): Partial {
  if (!values) return { sql: noValue('BIGINT'), unite: 'sum' }
  const { column, several } = values
  const more = several ? ` + coalesce(CAST(sum(len(${several.list}) - 1) AS BIGINT), 0)` : ''
  return { sql: `(count(${column})${more})`, unite: 'sum' }
}

function extreme(kind: 'min' | 'max', values: Values | undefined, sqlType = 'DOUBLE'): Partial {
  return { sql: values ? gather(kind, values) : noValue(sqlType), unite: kind }
}

/** West, south, east, north. */
function edges(field: FieldLayout | undefined): readonly Partial[] {
  if (field?.type === 'GEO_SHAPE') {
    const edge = (kind: 'min' | 'max', suffix: string): Partial => extreme(kind, { column: field.column + suffix })
    return [edge('min', '_west'), edge('min', '_south'), edge('max', '_east'), edge('max', '_north')]
  }
  const [lon, lat] = field ? [valuesOf(field, '_lon'), valuesOf(field, '_lat')] : []
  return [extreme('min', lon), extreme('min', lat), extreme('max', lon), extreme('max', lat)]
}

/** A sum that overflows a double is not a number (spec 2.1.7). */
function numberOf(value: DuckDBValue | undefined): number | null {
  if (typeof value !== 'number' && typeof value !== 'bigint') return null
  const number = Number(value)
  return Number.isFinite(number) ? number : null
}

function mean(sum: DuckDBValue | undefined, count: DuckDBValue | undefined): number | null {
  const [s, n] = [numberOf(sum), numberOf(count)]
  return s === null || n === null || n === 0 ? null : s / n
}

function toBox(partials: readonly DuckDBValue[]): MetricValue {
  const [west = null, south = null, east = null, north = null] = partials.map(numberOf)
  return west === null || south === null || east === null || north === null ? null : { west, south, east, north }
}

const toPosition = (lon: number | null, lat: number | null): MetricValue =>
  lon === null || lat === null ? null : [lon, lat]
