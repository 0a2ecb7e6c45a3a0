import type { OpenCollection } from '../../collections/open-collection.ts'
import type { JsonObject } from '../../model/json/document.ts'
import { JSON_MEDIA, MVT_MEDIA, PNG_MEDIA } from '../link.ts'
import { collectionUrl, titleOf } from './collection-document.ts'

const NAME = 'WebMercatorQuad'
const URI = 'http://www.opengis.net/def/tilematrixset/OGC/1.0/WebMercatorQuad'
const CRS = 'http://www.opengis.net/def/crs/EPSG/0/3857'
const EDGE = 20_037_508.342789244
const PIXELS = 256
/** Metres per pixel of the standard. */
const PIXEL_SIZE = 0.00028
/** Deepest matrix; map clients enlarge tiles beyond. */
export const DEEPEST_MATRIX = 24

export const tileMatrixSets = (base: string): JsonObject => ({
  tileMatrixSets: [
    {
      id: NAME,
      title: 'Google Maps Compatible for the World',
      uri: URI,
      crs: CRS,
      links: [{ href: `${base}/ogc/tileMatrixSets/${NAME}`, rel: 'self', type: JSON_MEDIA }],
    },
  ],
})

/** The definition of the tile matrix set in the form of the standard (Two Dimensional Tile Matrix Set 2.0). */
export const webMercatorQuad: JsonObject = {
  id: NAME,
  title: 'Google Maps Compatible for the World',
  uri: URI,
  crs: CRS,
  orderedAxes: ['X', 'Y'],
  wellKnownScaleSet: 'http://www.opengis.net/def/wkss/OGC/1.0/GoogleMapsCompatible',
  tileMatrices: Array.from({ length: DEEPEST_MATRIX + 1 }, (_, z) => {
    const cellSize = (2 * EDGE) / PIXELS / 2 ** z
    return {
      id: String(z),
      scaleDenominator: cellSize / PIXEL_SIZE,
      cellSize,
      cornerOfOrigin: 'topLeft',
      pointOfOrigin: [-EDGE, EDGE],
      tileWidth: PIXELS,
      tileHeight: PIXELS,
      matrixWidth: 2 ** z,
      matrixHeight: 2 ** z,
    }
  }),
}

/** The tile sets of a collection. */
export function tileSets(collection: OpenCollection, base: string): JsonObject {
  const url = collectionUrl(base, collection.reference.collection_name)
  return {
    links: [{ href: `${url}/tiles`, rel: 'self', type: JSON_MEDIA }],
    tilesets: [
      {
        title: titleOf(collection),
        dataType: 'vector',
        crs: CRS,
        tileMatrixSetURI: URI,
        links: [{ href: `${url}/tiles/${NAME}`, rel: 'self', type: JSON_MEDIA }],
      },
    ],
  }
}

/** The metadata of the tile set of a collection, with the template of its tiles. */
export function tileSet(collection: OpenCollection, base: string): JsonObject {
  const { collection_name: name } = collection.reference
  const url = `${collectionUrl(base, name)}/tiles/${NAME}`
  const template = `${url}/{tileMatrix}/{tileRow}/{tileCol}`
  return {
    title: titleOf(collection),
    dataType: 'vector',
    crs: CRS,
    tileMatrixSetURI: URI,
    links: [
      { href: url, rel: 'self', type: JSON_MEDIA },
      { href: `${template}?f=mvt`, rel: 'item', type: MVT_MEDIA, templated: true },
      { href: `${template}?f=png`, rel: 'item', type: PNG_MEDIA, templated: true },
      {
        href: `${base}/explore/${encodeURIComponent(name.toWellFormed())}/_mvt?layers=hits`,
        rel: 'alternate',
        type: JSON_MEDIA,
        title: 'TileJSON',
      },
      {
        href: `${base}/ogc/tileMatrixSets/${NAME}`,
        rel: 'http://www.opengis.net/def/rel/ogc/1.0/tiling-scheme',
        type: JSON_MEDIA,
      },
    ],
  }
}
