import { Type } from 'typebox'
import { inputFormats } from '../../ingest/read/shared/input-format.ts'
import { LoadAnswer, LoadLine } from '../../model/answer/load-answer.ts'
import { prettyParameter } from './explore-parameters.ts'

/** OpenAPI descriptions of the routes that load files. */

export const LINES_TYPE = 'application/x-ndjson'

const text = (description: string) => Type.Optional(Type.String({ description }))
const flag = (value: boolean, description: string) => Type.Optional(Type.Boolean({ default: value, description }))

const parameters = {
  name: text('Name of the index and the collection. Default: made from the name of the file.'),
  collection: flag(true, 'false: load into the index only.'),
  replace: flag(false, 'Replace the index if it exists.'),
  append: flag(false, 'Add to the index if it exists.'),
  dryRun: flag(false, 'Return what would be done, without loading.'),
  format: Type.Optional(Type.Enum([...inputFormats], { description: 'Format of the file. Default: detected.' })),
  idPath: text('Field that identifies a document.'),
  geometryPath: text('Field with the geometry.'),
  centroidPath: text('Field with the centroid of the geometry.'),
  timestampPath: text('Field with the timestamp.'),
  lon: text('Field with the longitude or easting. Requires lat.'),
  lat: text('Field with the latitude or northing. Requires lon.'),
  crs: text('Coordinate system, such as EPSG:27700. Default: as stated by the file, else degrees.'),
  dateOrder: Type.Optional(
    Type.Enum(['day-first', 'month-first'], { description: 'Order of dates such as 05/06/1992.' }),
  ),
  rowId: text('Field to add, with the number of the row, which identifies the document.'),
  delimiter: text('Column delimiter of a CSV file.'),
  encoding: text('Character encoding of a CSV file or shapefile. Default: detected.'),
  layer: text('Layer, table or sheet of a file that has several. Default: the first.'),
  ...prettyParameter,
}

const file = 'Name of the file, which may tell its format.'

const answers = {
  200: {
    description:
      'What was loaded. As `application/x-ndjson`: notes and progress while the file is loaded, and the report, or an ' +
      'error, as the last line.',
    content: {
      'application/json': { schema: LoadAnswer },
      [LINES_TYPE]: { schema: LoadLine },
    },
  },
}

const body = {
  content: {
    'application/octet-stream': {
      schema: { type: 'string', format: 'binary', examples: ['id,lat,lon\na,48.1,11.5\n'] },
    },
  },
}

const tags = ['Index']

export const load = {
  tags,
  operationId: 'loadFile',
  summary: 'Load a file and show it as a collection',
  description:
    'The body is the file, of any media type: CSV, GeoJSON, NDJSON, Parquet, shapefile (zip), GeoPackage, and others. ' +
    'The identifier, the place and the time of the documents are found in the file; the response says what was assumed.',
  querystring: Type.Object({
    ...parameters,
    file: text(`${file} Default: as stated in Content-Disposition.`),
  }),
  body,
  consumes: ['application/octet-stream'],
  response: answers,
}

export const putFile = {
  ...load,
  operationId: 'putFile',
  summary: 'Load a file of a name (`curl -T FILE .../load/`)',
  params: Type.Object({ file: Type.String({ minLength: 1, description: file }) }),
  querystring: Type.Object(parameters),
}
