import type { DuckDBConnection } from '@duckdb/node-api'
import type { MetricPlan } from '../../query/aggregation-plan.ts'
import { type FieldType, isNumber } from '../../query/field.ts'
import type { IndexTable } from './index-table.ts'
import { compileMetric } from './metric-sql.ts'

/** The ends of what the arranged documents of a table have of a field. */
export interface Extremes {
  readonly path: string
  /** Least and greatest value; of places west, south, east and north. Null where no document has a value. */
  readonly ends: Ends
}

type Ends = readonly (number | null)[]

const NO_VALUES: Ends = [null, null, null, null]

type ExtremeKind = 'min' | 'max' | 'bounds'

const kindsFor = (type: FieldType): readonly ExtremeKind[] => {
  if (type === 'GEO_POINT' || type === 'GEO_SHAPE') return ['bounds']
  return isNumber(type) || type === 'DATE' ? ['min', 'max'] : []
}

/** Those of all fields of an arranged table: the frame of a collection is asked for first of all, and takes a scan. */
export async function readExtremes(connection: DuckDBConnection, table: IndexTable): Promise<readonly Extremes[]> {
  const measured = table.definition.layout.fields.flatMap((field) => {
    const partials = kindsFor(field.type).flatMap((kind) => compileMetric({ kind, field }, table).partials)
    return partials.length === 0 ? [] : [{ path: field.path, partials }]
  })
  if (measured.length === 0) return []
  const columns = measured.flatMap(({ partials }) => partials.map(({ sql }) => sql))
  const [row = []] = await (await connection.run(`SELECT ${columns.join(', ')} FROM ${table.table}`)).getRows()
  let next = 0
  return measured.map(({ path, partials }) => {
    const begin = next
    next += partials.length
    return { path, ends: row.slice(begin, next).map((value) => (value === null ? null : Number(value))) }
  })
}

/**
 * What the arranged documents of a table give to metrics, in the order of their partials. Undefined when it is not known:
 * a metric is of another kind, its field is new or was edited, or documents were removed since.
 */
export function knownEnds(metrics: readonly MetricPlan[], table: IndexTable): Ends | undefined {
  const { extremes, documents, nextSeq } = table.definition
  if (documents !== nextSeq) return undefined
  const known: (number | null)[] = []
  for (const { kind, field } of metrics) {
    const ends = table.field(field) ? extremes?.find(({ path }) => path === field.path)?.ends : NO_VALUES
    if (ends === undefined) return undefined
    const [least = null, greatest = null] = ends
    if (kind === 'bounds') known.push(...ends)
    else if (kind === 'min') known.push(least)
    else if (kind === 'max') known.push(greatest)
    else return undefined
  }
  return known
}
