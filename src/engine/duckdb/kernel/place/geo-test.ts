import { prepareArea } from '../../../../geo/area/prepared-area.ts'
import type { GeoPredicate } from '../../../../query/plan/predicate.ts'
import type { PointColumn, ShapeColumn } from '../../segment/column.ts'
import type { Part } from '../../segment/part.ts'
import type { RowTest } from '../row-test.ts'
import { bordersOf } from './geo-border.ts'
import { compilePointTest } from './geo-points.ts'
import { areaOfShapes, compileShapeTest } from './shape-test.ts'

/** Compiles `within` or `intersects` for the rows of a part. For points they are the same. */
export function compileGeoTest(p: GeoPredicate, column: PointColumn | ShapeColumn, part: Part): RowTest {
  if (column.kind === 'shape') return compileShapeTest(column, part.rows, areaOfShapes(p))
  const area = prepareArea(p.area, 'many')
  return compilePointTest(column, part.rows, part.sortedBy === p.field.path, {
    bounds: area.bounds,
    inner: area.inner,
    locate: area.locateBox,
    ...(area.isBoxes ? {} : { covers: area.coversPoint, edges: bordersOf(p.area) }),
  })
}
