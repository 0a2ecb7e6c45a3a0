import type { DuckDBConnection } from '@duckdb/node-api'
import type { FieldType } from '../../../model/field-type.ts'
import type { MetricPlan } from '../../../query/plan/aggregation-plan.ts'
import type { Predicate } from '../../../query/plan/predicate.ts'
import { type Field, isNumber } from '../../../query/schema/field.ts'
import { presenceColumn } from '../condition/predicate-sql.ts'
import type { Extremes } from '../index/index-definition.ts'
import type { IndexTable } from '../index/index-table.ts'
import { compileMetric } from './metric-sql.ts'

const NO_VALUES = { documents: 0, ends: [null, null, null, null] }

type ExtremeKind = 'min' | 'max' | 'bounds'

const kindsFor = (type: FieldType): readonly ExtremeKind[] => {
  if (type === 'GEO_POINT' || type === 'GEO_SHAPE') return ['bounds']
  return isNumber(type) || type === 'DATE' ? ['min', 'max'] : []
}

/**
 * Computes the extremes of all fields of an arranged table. Clients request the bounds of a collection first, and
 * without stored extremes that takes a full scan.
 */
export async function readExtremes(connection: DuckDBConnection, table: IndexTable): Promise<readonly Extremes[]> {
  const measured = table.definition.layout.fields.flatMap((field) => {
    const partials = kindsFor(field.type).flatMap((kind) => compileMetric({ kind, field }, table).partials)
    if (partials.length === 0) return []
    return [{ path: field.path, sql: [`count(${presenceColumn(field)})`, ...partials.map(({ sql }) => sql)] }]
  })
  if (measured.length === 0) return []
  const columns = measured.flatMap(({ sql }) => sql)
  const [row = []] = await (await connection.run(`SELECT ${columns.join(', ')} FROM ${table.table}`)).getRows()
  let next = 0
  return measured.map(({ path, sql }) => {
    const [documents, ...ends] = row.slice(next, next + sql.length)
    next += sql.length
    return { path, documents: Number(documents), ends: ends.map((end) => (end === null ? null : Number(end))) }
  })
}

/** Metric values over the arranged documents of a table that a predicate selects. */
interface KnownEnds {
  readonly documents: number
  /** In the order of the metrics' partials. */
  readonly ends: Extremes['ends']
}

/**
 * Returns undefined if the values are unknown: the predicate is something other than a test that the field exists, a
 * metric is of another kind, its field is new or was edited, or documents were removed since the arrangement.
 */
export function knownEnds(
  predicate: Predicate,
  metrics: readonly MetricPlan[],
  table: IndexTable,
): KnownEnds | undefined {
  const { extremes, documents, nextSeq, arrangedSeq } = table.definition
  if (documents !== nextSeq) return undefined
  const extremesOf = (field: Field): Omit<Extremes, 'path'> | undefined =>
    table.field(field) ? extremes?.find(({ path }) => path === field.path) : NO_VALUES
  const demanded = predicate.kind === 'exists' ? predicate.field : undefined
  if (!demanded && predicate.kind !== 'everything') return undefined
  const selected = demanded ? extremesOf(demanded)?.documents : arrangedSeq
  if (selected === undefined) return undefined
  const ends: (number | null)[] = []
  for (const { kind, field } of metrics) {
    const known = extremesOf(field)
    if (known === undefined || (demanded && demanded.path !== field.path)) return undefined
    const [least = null, greatest = null] = known.ends
    if (kind === 'bounds') ends.push(...known.ends)
    else if (kind === 'min') ends.push(least)
    else if (kind === 'max') ends.push(greatest)
    else return undefined
  }
  return { documents: selected, ends }
}
