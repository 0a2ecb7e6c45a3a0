import { Builder } from 'flatbuffers'
import { Column } from 'flatgeobuf/lib/mjs/flat-geobuf/column.js'
import { Crs } from 'flatgeobuf/lib/mjs/flat-geobuf/crs.js'
import { Header } from 'flatgeobuf/lib/mjs/flat-geobuf/header.js'
import type { HeaderMeta } from 'flatgeobuf/lib/mjs/header-meta.js'

/** Encodes the header of a file without index. That of the package names every layer `L1`. */
export function encodeHeader(layer: string, header: HeaderMeta, crsCode: number): Uint8Array {
  const builder = new Builder()
  const columns = (header.columns ?? []).map(({ name, type }) => {
    const nameOffset = builder.createString(name)
    Column.startColumn(builder)
    Column.addName(builder, nameOffset)
    Column.addType(builder, type)
    return Column.endColumn(builder)
  })
  const columnsOffset = Header.createColumnsVector(builder, columns)
  const layerOffset = builder.createString(layer)
  Crs.startCrs(builder)
  Crs.addCode(builder, crsCode)
  const crsOffset = Crs.endCrs(builder)
  Header.startHeader(builder)
  Header.addName(builder, layerOffset)
  Header.addGeometryType(builder, header.geometryType)
  Header.addColumns(builder, columnsOffset)
  Header.addFeaturesCount(builder, BigInt(header.featuresCount))
  Header.addIndexNodeSize(builder, 0)
  Header.addCrs(builder, crsOffset)
  builder.finishSizePrefixed(Header.endHeader(builder))
  return builder.asUint8Array()
}
