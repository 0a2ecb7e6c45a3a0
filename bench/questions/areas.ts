import { aggregated, counted, filtered, inBox, inRing, tiles } from './opensearch-parts.ts'
import type { Draw } from './question.ts'
import { agg, boxText, explore, f, inGroup, ringText } from './question-parts.ts'
import { countRows, rowsInBox } from './sql-parts.ts'

const withinRing = (d: Draw): string => f('location', 'within', ringText(d))

/** Of some hundred thousand documents inside a polygon, about one is this close to its border. */
const AT_BORDER = 2

/** Points in boxes and polygons. */
export const areaQuestions = inGroup('areas', [
  {
    name: 'count in a box',
    expects: 'count',
    periplus: (d) => explore('_count', f('location', 'within', boxText(d))),
    opensearch: (d) => ({ ...counted, ...filtered(inBox(d)) }),
    sql: (d) => countRows(rowsInBox(d)),
  },
  {
    name: 'count in a polygon of 24 vertices',
    atBorder: AT_BORDER,
    expects: 'count',
    periplus: (d) => explore('_count', withinRing(d)),
    opensearch: (d) => ({ ...counted, ...filtered(inRing(d)) }),
  },
  {
    name: 'count in a polygon of 200 vertices',
    atBorder: AT_BORDER,
    ringVertices: 200,
    expects: 'count',
    periplus: (d) => explore('_count', withinRing(d)),
    opensearch: (d) => ({ ...counted, ...filtered(inRing(d)) }),
  },
  {
    name: 'geotile z10 inside a polygon of 200 vertices',
    atBorder: AT_BORDER,
    ringVertices: 200,
    expects: 'buckets',
    periplus: (d) => explore('_aggregate', agg('geotile:location:interval-10'), withinRing(d)),
    opensearch: (d) => aggregated(tiles(10), inRing(d)),
  },
])
