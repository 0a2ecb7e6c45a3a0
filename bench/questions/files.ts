import { idOf } from '../data/documents.ts'
import { explore, explorer, f, inGroup, tilePath } from './question-parts.ts'

/** Documents of an export at most; ids are consecutive, so the filter selects exactly as many. */
const EXPORTED = 100_000
const exported = f('id', 'lt', idOf(EXPORTED))

/** Tiles as the explorer asks for them, and exports. */
export const fileQuestions = inGroup('files', [
  {
    name: 'vector tile of cells (z4)',
    tileZoom: 4,
    expects: 'bytes',
    periplus: (d) => explore(`_mvt/${tilePath(d)}.mvt`, 'layers=cells', 'interval=6'),
  },
  {
    name: 'vector tile of documents (z10)',
    tileZoom: 10,
    expects: 'bytes',
    periplus: (d) => explore(`_mvt/${tilePath(d)}.mvt`, 'layers=hits,meta', 'size=2000', 'include=kind,speed'),
  },
  {
    name: 'vector tile of areas (z8)',
    dataset: 'shapes',
    tileZoom: 8,
    expects: 'bytes',
    periplus: (d) => explorer('shapes')(`_mvt/${tilePath(d)}.mvt`, 'layers=hits,meta', 'size=2000', 'include=kind'),
  },
  {
    name: 'image tile (z6)',
    tileZoom: 6,
    expects: 'bytes',
    periplus: (d) => explore(`_tile/${tilePath(d)}.png`),
  },
  {
    name: 'GeoParquet of 100,000 documents',
    onlyAtRest: true,
    expects: 'bytes',
    periplus: () => explore('_search', 'format=geoparquet', exported),
  },
  {
    name: 'CSV of 100,000 documents',
    onlyAtRest: true,
    expects: 'bytes',
    periplus: () => explore('_search', 'format=csv', exported),
  },
])
