import { aggregated, counted, filtered, tiles, touching } from './opensearch-parts.ts'
import { agg, boxOf, boxText, explorer, f, inGroup, ringText } from './question-parts.ts'

const explore = explorer('shapes')

/** Documents with an area. */
export const shapeQuestions = inGroup('shapes', [
  {
    name: 'areas: count of those that intersect a box',
    dataset: 'shapes',
    expects: 'count',
    periplus: (d) => explore('_count', f('area', 'intersects', boxText(d))),
    opensearch: (d) => {
      const { west, south, east, north } = boxOf(d)
      const corners = {
        type: 'envelope',
        coordinates: [
          [west, north],
          [east, south],
        ],
      }
      return { ...counted, ...filtered(touching(corners)) }
    },
  },
  {
    name: 'areas: count of those that intersect a polygon',
    dataset: 'shapes',
    ringVertices: 200,
    expects: 'count',
    periplus: (d) => explore('_count', f('area', 'intersects', ringText(d))),
    opensearch: (d) => ({ ...counted, ...filtered(touching({ type: 'polygon', coordinates: [d.ring] })) }),
  },
  {
    name: 'areas: geotile z6, world',
    dataset: 'shapes',
    expects: 'buckets',
    periplus: () => explore('_aggregate', agg('geotile:area:interval-6')),
    opensearch: () => aggregated(tiles(6, undefined, 'area')),
  },
])
