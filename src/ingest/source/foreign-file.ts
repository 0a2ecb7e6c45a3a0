/** What a file is that is not a file of documents, with what to do; by its first bytes, at an offset if given. */
const FOREIGN: readonly (readonly [bytes: string, what: string, offset?: number])[] = [
  ['II*\u0000', 'a TIFF or GeoTIFF image: images are not documents'],
  ['MM\u0000*', 'a TIFF or GeoTIFF image: images are not documents'],
  ['II+\u0000', 'a TIFF or GeoTIFF image: images are not documents'],
  ['\u0089PNG', 'a PNG image: images are not documents'],
  ['\u00ff\u00d8\u00ff', 'a JPEG image: images are not documents'],
  ['GIF8', 'a GIF image: images are not documents'],
  ['WEBP', 'a WebP image: images are not documents', 8],
  ['%PDF', 'a PDF: export its table as CSV first'],
  ['\u00d0\u00cf\u0011\u00e0', 'an old Excel workbook (.xls) or another Office file: save it as .xlsx or CSV'],
  ['CDF\u0001', 'a NetCDF file: grids of values are not documents'],
  ['CDF\u0002', 'a NetCDF file: grids of values are not documents'],
  ['CDF\u0005', 'a NetCDF file: grids of values are not documents'],
  ['\u0089HDF', 'a NetCDF or HDF5 file: grids of values are not documents'],
  ['GRIB', 'a GRIB file: grids of values are not documents'],
  ['LASF', 'a LAS point cloud: convert its points to Parquet or CSV first'],
  ['PMTiles', 'a PMTiles archive: tiles are not documents; load the file they were made of'],
  ['7z\u00bc\u00af', 'an archive that is not zip: unpack it first'],
  ['Rar!', 'an archive that is not zip: unpack it first'],
  ['ustar', 'a tar archive: unpack it and load its files', 257],
  ['BZh', 'compressed with bzip2: decompress it, or use gzip, zstd or zip'],
  ['\u00fd7zXZ', 'compressed with xz: decompress it, or use gzip, zstd or zip'],
  ['OSMHeader', 'OpenStreetMap data (.osm.pbf): convert it with "ogr2ogr -f GPKG" first', 6],
  ['Obj\u0001', 'an Avro file: convert it to Parquet first'],
  ['ORC', 'an ORC file: convert it to Parquet first'],
  ['\u0080\u0004', 'a Python pickle: write it with to_parquet or to_csv first'],
  ['\u0080\u0005', 'a Python pickle: write it with to_parquet or to_csv first'],
  ['PK\u0003\u0004', 'a zip archive'],
]

const FOREIGN_XML: readonly (readonly [RegExp, string])[] = [
  [/<osm[\s>]/, 'OpenStreetMap data (.osm): convert it with "ogr2ogr -f GPKG" first'],
  [/<(!doctype )?html/i, 'a web page, perhaps an error of the site it was downloaded from'],
  [/opengis\.net\/(gml|wfs)/, 'a GML file: convert it with "ogr2ogr -f GeoJSON" first'],
  [/<svg[\s>]/, 'an SVG image: images are not documents'],
]

/** Returns what a file is, as the end of a sentence that begins with "this is"; undefined if unknown. */
export function describeForeign(name: string, head: Buffer): string | undefined {
  const start = head.toString('latin1')
  const binary = FOREIGN.find(([bytes, , offset = 0]) => start.startsWith(bytes, offset))
  if (binary !== undefined) return binary[1]
  if (/^\s*</.test(start))
    return FOREIGN_XML.find(([root]) => root.test(start))?.[1] ?? 'an XML file of an unknown kind'
  if (/\.(shx|dbf|prj|cpg|sbn|sbx)$/i.test(name)) return 'a part of a shapefile: load the .shp file beside it'
  if (start.includes('\0')) return 'a binary file of an unknown kind'
  return undefined
}
