import { H3_TILES_LATITUDE, MOST_TILES_OF_CELL, tileZoomOfH3 } from '../../../geo/grid/h3-tiles.ts'
import { tileShift } from '../../../geo/grid/morton-key.ts'
import { checkBucketCount } from '../../../query/aggregation/bucket-limits.ts'
import { pointColumns } from '../condition/cell-sql.ts'
import { unsigned } from '../condition/grid-sql.ts'
import { compileSelection } from '../condition/selection-sql.ts'
import { withSql } from '../database/sql-builder.ts'
import type { TableAggregation } from './table-aggregation.ts'

/**
 * Throws if the points lie in so many tiles that they must exceed the bucket limit in H3 cells. The database counts
 * tiles quickly; cells are computed one by one in JavaScript.
 */
export async function refuseManyHexagons({ reader, tables, plan }: TableAggregation): Promise<void> {
  const [level] = plan.levels
  if (level?.grouping.kind !== 'geohex' || level.size !== undefined || level.grouping.scope) return
  const { grouping } = level
  const zoom = tileZoomOfH3(grouping.level)
  const most = MOST_TILES_OF_CELL * plan.limits.buckets
  if (4 ** zoom <= most) return
  const [row] = await withSql((sql) => {
    const parts = tables.flatMap((table) => {
      const field = table.field(grouping.field)
      if (!field) return []
      // Only the first of several points is counted, which gives a lower bound.
      const { lat, key } = pointColumns(field)
      const tile = `${key} >> ${unsigned(tileShift(zoom))} AS tile`
      const condition = compileSelection(plan.predicate, table, sql)
      return [`SELECT ${tile} FROM ${table.table} WHERE ${condition} AND abs(${lat}) < ${H3_TILES_LATITUDE}`]
    })
    if (parts.length === 0) return Promise.resolve([])
    return reader.rows(`SELECT count(DISTINCT tile) FROM (${parts.join(' UNION ALL ')})`, sql.values)
  })
  if (Number(row?.[0] ?? 0) > most) checkBucketCount(plan.limits.buckets + 1, plan.limits)
}
