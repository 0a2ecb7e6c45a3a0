import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { PlanOptions } from '../../src/ingest/plan/load-plan.ts'
import type { JsonObject } from '../../src/model/json/document.ts'
import { parseFieldFormat, readStoredDate } from '../../src/query/date/field-date.ts'
import { readAll } from './read-all.ts'

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'periplus-traps-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function read(name: string, content: string | Buffer, options: PlanOptions = {}) {
  const file = path.join(folder, name)
  writeFileSync(file, content)
  return readAll([file], options)
}

interface Trap {
  readonly name: string
  readonly file: string
  readonly content: string | Buffer
  readonly options?: PlanOptions
  /** Members of the first document. */
  readonly first: JsonObject
  readonly id?: string
  readonly timestamp?: string
  /** Moment of the first document. */
  readonly moment?: string
  readonly count?: number
  /** Numbers of the rows. */
  readonly rows?: readonly number[]
  readonly notes?: readonly string[]
}

const traps: readonly Trap[] = [
  {
    name: 'a key column that is not named id',
    file: 'airports.csv',
    content: 'iata,name,lat,lon\nCDG,Paris,49.01,2.55\nJFK,New York,40.64,-73.78\n',
    first: { iata: 'CDG', centroid: '49.01,2.55' },
    id: 'iata',
    timestamp: 'loaded_at',
    moment: '2026-01-01T00:00:00.000Z',
  },
  {
    name: 'codes with leading zeros',
    file: 'zip-codes.csv',
    content: 'zip_code,latitude,longitude,city\n00501,40.92,-72.64,Holtsville\n10001,40.75,-73.99,New York\n',
    first: { zip_code: '00501', centroid: '40.92,-72.64' },
    id: 'zip_code',
  },
  {
    name: 'an array in one line, without an identifier',
    file: 'boroughs.json',
    content: '[{"name":"A","cx":-0.1,"cy":51.5},{"name":"A","cx":-0.2,"cy":51.4},{"name":"B","cx":0,"cy":51}]',
    first: { row: 1, name: 'A', centroid: '51.5,-0.1' },
    rows: [1, 2, 3],
    id: 'row',
    count: 3,
  },
  {
    name: 'features in one line, some without a geometry',
    file: 'features.geojson',
    content: `{"type":"FeatureCollection","features":[${['{"type":"Point","coordinates":[1,2]}', '{"type":"MultiPolygon","coordinates":[]}', 'null', '{"type":"Point","coordinates":[3,4]}'].map((geometry) => `{"type":"Feature","properties":{},"geometry":${geometry}}`).join()}]}`,
    first: { row: 1 },
    rows: [1, 2, 3, 4],
    id: 'row',
    count: 4,
    notes: [],
  },
  {
    name: 'no column that identifies a row',
    file: 'riots.csv',
    content: 'country,date,lat,lon\nA,2020-01-01,1,2\nA,2020-01-01,1,2\n',
    first: { row: 1, country: 'A' },
    id: 'row',
    timestamp: 'date',
    moment: '2020-01-01T00:00:00.000Z',
    count: 2,
  },
  {
    name: 'an identifier that repeats only after the first rows',
    file: 'late.csv',
    content: `id,lat,lon\n${Array.from({ length: 3_000 }, (_, n) => `${Math.min(n, 2_500)},1,2`).join('\n')}\n`,
    first: { row: 1, id: 0 },
    id: 'row',
    count: 3_000,
  },
  {
    name: 'years as the only date',
    file: 'housing.csv',
    content: 'id,year,lat,lon\n1,1992,1,2\n2,2001,1,2\n',
    first: { year: '1992' },
    timestamp: 'year',
    moment: '1992-01-01T00:00:00.000Z',
  },
  {
    name: 'a year that is stated as timestamp',
    file: 'stated.csv',
    content: 'id,built,lat,lon\n1,1992,1,2\n',
    options: { timestampPath: 'built' },
    first: { built: '1992' },
    timestamp: 'built',
    moment: '1992-01-01T00:00:00.000Z',
  },
  {
    name: 'days without separators',
    file: 'compact.csv',
    content: 'id,day,lat,lon\n1,20240229,1,2\n',
    options: { timestampPath: 'day' },
    first: { day: '20240229' },
    moment: '2024-02-29T00:00:00.000Z',
  },
  {
    name: 'dates whose order only a late row tells',
    file: 'day-first.csv',
    content: `id,date,lat,lon\n${Array.from({ length: 2_500 }, (_, n) => `${n},05/06/1992,1,2`).join('\n')}\n9999,25/06/1992,1,2\n`,
    first: { date: '05/06/1992' },
    moment: '1992-06-05T00:00:00.000Z',
  },
  {
    name: 'dates with the month first',
    file: 'month-first.csv',
    content: 'id,date,lat,lon\n1,05/06/1992,1,2\n2,06/25/1992,1,2\n',
    first: { date: '05/06/1992' },
    moment: '1992-05-06T00:00:00.000Z',
  },
  {
    name: 'dates whose order is stated',
    file: 'stated-order.csv',
    content: 'id,date,lat,lon\n1,05/06/1992,1,2\n',
    options: { dateOrder: 'month-first' },
    first: { date: '05/06/1992' },
    moment: '1992-05-06T00:00:00.000Z',
  },
  {
    name: 'dates of a spreadsheet in American form',
    file: 'american.csv',
    content: 'id,date,lat,lon\n1,1/31/2018 3:05 PM,1,2\n2,12/1/2018 11:00 AM,1,2\n',
    first: { date: '1/31/2018 3:05 PM' },
    moment: '2018-01-31T15:05:00.000Z',
  },
  {
    name: 'times with an offset, as PostgreSQL prints them',
    file: 'offset.csv',
    content: 'id,created,lat,lon\n1,2024-01-01 10:00:00+02,1,2\n2,2024-01-01 10:00:00+01,1,2\n',
    first: { created: '2024-01-01 10:00:00+02' },
    moment: '2024-01-01T08:00:00.000Z',
  },
  {
    name: 'epoch seconds with a fraction',
    file: 'epoch.csv',
    content: 'id,time,lat,lon\n1,1517431231.5,1,2\n2,1517431232.25,1,2\n',
    first: { time: 1517431231.5 },
    moment: '2018-01-31T20:40:31.500Z',
  },
  {
    name: 'decimal commas, semicolons, Latin-1 and accents',
    file: 'prix.csv',
    content: Buffer.from('Réf;Année;Lat;Lng;Prix\nA;1992;48,85;2,35;1.234,50\nB;1993;48,86;2,36;99,00\n', 'latin1'),
    first: { Réf: 'A', Année: '1992', Lat: 48.85, Prix: 1234.5, centroid: '48.85,2.35' },
    timestamp: 'Année',
  },
  {
    name: 'separators of thousands',
    file: 'thousands.csv',
    content: 'id,lat,lon,people\n1,1,2,"1,234,567"\n2,1,2,980\n',
    first: { people: 1_234_567 },
  },
  {
    name: 'phone numbers in groups stay text',
    file: 'phones.csv',
    content: 'id,lat,lon,phone\n1,1,2,020 123 456\n2,1,2,204 777 777\n',
    first: { phone: '020 123 456' },
  },
  {
    name: 'UTF-16, tabs and a byte order mark, as Excel saves Unicode text',
    file: 'unicode.txt',
    content: Buffer.from('\ufeffid\tname\tlat\tlon\r\n1\tZürich\t47.4\t8.5\r\n', 'utf16le'),
    first: { id: 1, name: 'Zürich', centroid: '47.4,8.5' },
  },
  {
    name: 'a first line that states the separator',
    file: 'sep.csv',
    content: 'sep=|\r\nid|lat|lon\r\n1|1|2\r\n',
    first: { id: 1, centroid: '1,2' },
  },
  {
    name: 'repeated and empty headings, and a separator at the end of lines',
    file: 'headings.csv',
    content: 'id,name,name,,lat,lon\n1,a,b,c,1,2,\n',
    first: { name: 'a', name_2: 'b', column_4: 'c' },
  },
  {
    name: 'missing values as databases write them',
    file: 'nulls.csv',
    content: 'id,date,mag,lat,lon\n1,NULL,NULL,1,2\n2,2024-01-01,3.5,1,2\n',
    first: { id: 1 },
    timestamp: 'date',
  },
  {
    name: 'both coordinates in one column, latitude first',
    file: 'pair.csv',
    content: 'id,geo_point_2d\n1,"48.85, 2.35"\n2,"48.86, 2.36"\n',
    first: { centroid: '48.85,2.35' },
  },
  {
    name: 'both coordinates in parentheses, in a column named for something else',
    file: 'parentheses.csv',
    content: 'id,where\n1,"(40.7128, -74.0060)"\n2,"(34.0522, -118.2437)"\n',
    first: { centroid: '40.7128,-74.006' },
  },
  {
    name: 'longitude first, which the values tell',
    file: 'lon-first.csv',
    content: 'id,where\n1,"-118.2437 34.0522"\n2,"-74.0060 40.7128"\n',
    first: { centroid: '34.0522,-118.2437' },
  },
  {
    name: 'degrees, minutes and seconds in two columns',
    file: 'lighthouses.csv',
    content: `id,name,lat,lon\n1,Cordouan,45°35'11"N,1°10'24"W\n2,Eddystone,50°10'48"N,4°15'54"W\n`,
    first: { id: 1, lat: `45°35'11"N`, centroid: '45.58638888888889,-1.1733333333333333' },
    id: 'id',
  },
  {
    name: 'degrees and minutes of both coordinates in one column',
    file: 'wrecks.csv',
    content: 'id;position\n1;"48° 51.0\' N, 2° 21.0\' E"\n2;"33° 30.0\' S, 70° 39.0\' W"\n',
    first: { id: 1, centroid: '48.85,2.35' },
    id: 'id',
  },
  {
    name: 'no header, as GeoNames writes its tables',
    file: 'geonames.txt',
    content:
      '2988507\tParis\t48.85341\t2.3488\tFR\t2023-01-01\n5128581\tNew York\t40.71427\t-74.00597\tUS\t2023-02-01\n',
    first: { column_1: 2988507, column_2: 'Paris', latitude: 48.85341, longitude: 2.3488, centroid: '48.85341,2.3488' },
    timestamp: 'column_6',
    moment: '2023-01-01T00:00:00.000Z',
    count: 2,
    options: { format: 'tsv' },
  },
  {
    name: 'no header, which is stated',
    file: 'stated.csv',
    content: 'a,1,2\nb,3,4\n',
    first: { column_1: 'a', column_2: 1 },
    options: { header: false, lon: 'column_2', lat: 'column_3' },
    count: 2,
  },
  {
    name: 'headings that are years',
    file: 'population.csv',
    content: 'country,lat,lon,1990,2000\nFrance,46.5,2.5,58.2,60.9\nSpain,40.1,-3.7,38.9,40.6\n',
    first: { country: 'France', 1990: 58.2, centroid: '46.5,2.5' },
    count: 2,
  },
  {
    name: 'years with two digits of two centuries',
    file: 'landings.csv',
    content: 'id,date,lat,lon\n1,7/20/69,0.67,23.47\n2,12/11/72,20.19,30.77\n3,1/14/04,1,2\n',
    first: { id: 1, date: '7/20/1969' },
    timestamp: 'date',
    moment: '1969-07-20T00:00:00.000Z',
  },
  {
    name: 'years with two digits and points',
    file: 'termine.csv',
    content: 'id;datum;date;lat;lon\n1;24.12.98;24.12.98 18:30;52,5;13,4\n2;05.01.03;05.01.03 09:00;48,1;11,5\n',
    first: { id: 1, date: '24.12.1998 18:30' },
    timestamp: 'date',
    moment: '1998-12-24T18:30:00.000Z',
  },
  {
    name: 'WKT in a column',
    file: 'wkt.csv',
    content: 'id,the_geom\n1,POINT Z (2 48 100)\n2,POINT (3 49)\n',
    first: { the_geom: 'POINT Z (2 48 100)' },
  },
  {
    name: 'GeoJSON in a column',
    file: 'geojson-column.csv',
    content: 'id,outline\n1,"{""type"":""LineString"",""coordinates"":[[0,0],[4,2]]}"\n',
    first: {
      outline: {
        type: 'LineString',
        coordinates: [
          [0, 0],
          [4, 2],
        ],
      },
      centroid: '1,2',
    },
  },
  {
    name: 'eastings and northings',
    file: 'national-grid.csv',
    content: 'id,easting,northing\n1,530000,180000\n2,400000,300000\n',
    options: { crs: 'EPSG:27700' },
    first: { easting: 530_000, centroid: '51.503990834,-0.12835394' },
  },
  {
    name: 'x and y in metres',
    file: 'metres.csv',
    content: 'id,x,y\n1,261848,6250566\n2,261900,6250600\n',
    options: { crs: '3857' },
    first: { centroid: '48.856609755,2.352220605' },
  },
  {
    name: 'an array of objects inside an object',
    file: 'answer.json',
    content: '{"count":2,"results":[{"id":"a","lat":1,"lon":2},{"id":"b","lat":3,"lon":4}]}',
    first: { id: 'a', centroid: '1,2' },
    count: 2,
  },
  {
    name: 'one indented GeoJSON feature',
    file: 'one.geojson',
    content: JSON.stringify(
      { type: 'Feature', properties: { code: 'a' }, geometry: { type: 'Point', coordinates: [2, 1] } },
      null,
      2,
    ),
    first: { code: 'a', centroid: '1,2' },
  },
  {
    name: 'GeoJSON in Web Mercator, as older programs state it',
    file: 'old.geojson',
    content: JSON.stringify({
      type: 'FeatureCollection',
      crs: { type: 'name', properties: { name: 'urn:ogc:def:crs:EPSG::900913' } },
      features: [
        { type: 'Feature', properties: { id: 1 }, geometry: { type: 'Point', coordinates: [261848, 6250566] } },
      ],
    }),
    first: { centroid: '48.856609755,2.352220605' },
  },
  {
    name: 'TopoJSON',
    file: 'map.topojson',
    content: JSON.stringify({
      type: 'Topology',
      transform: { scale: [0.1, 0.1], translate: [0, 0] },
      objects: {
        lines: {
          type: 'GeometryCollection',
          geometries: [{ type: 'LineString', arcs: [0], properties: { code: 'x' } }],
        },
      },
      arcs: [
        [
          [0, 0],
          [40, 20],
        ],
      ],
    }),
    first: {
      code: 'x',
      geometry: {
        type: 'LineString',
        coordinates: [
          [0, 0],
          [4, 2],
        ],
      },
      centroid: '1,2',
    },
  },
  {
    name: 'a track with times',
    file: 'track.gpx',
    content: `<?xml version="1.0"?><gpx xmlns="http://www.topografix.com/GPX/1/1"><trk><name>Walk</name><trkseg>
      <trkpt lat="1" lon="2"><ele>10.5</ele><time>2024-05-01T10:00:00Z</time></trkpt>
      <trkpt lat="1.1" lon="2.1"><time>2024-05-01T10:00:05Z</time></trkpt></trkseg></trk></gpx>`,
    first: { kind: 'track', track: 'Walk', segment: 1, elevation: 10.5, centroid: '1,2' },
    id: 'row',
    timestamp: 'time',
    moment: '2024-05-01T10:00:00.000Z',
    count: 2,
  },
  {
    name: 'the same track as a line',
    file: 'track-line.gpx',
    content: `<gpx><trk><name>Walk</name><trkseg><trkpt lat="0" lon="0"><time>2024-05-01T10:00:00Z</time></trkpt>
      <trkpt lat="2" lon="4"><time>2024-05-01T10:00:05Z</time></trkpt></trkseg></trk></gpx>`,
    options: { layer: 'tracks' },
    first: { name: 'Walk', points: 2, end_time: '2024-05-01T10:00:05Z', centroid: '1,2' },
    timestamp: 'time',
    count: 1,
  },
  {
    name: 'KML with extended data, folders, a polygon with a hole and a time span',
    file: 'map.kml',
    content: `<kml xmlns="http://www.opengis.net/kml/2.2"><Document><Folder><name>Parks</name><Placemark id="p1"><name>Tiergarten</name>
      <TimeSpan><begin>2020-01-01</begin><end>2021-01-01</end></TimeSpan>
      <ExtendedData><Data name="area"><value>2.1</value></Data></ExtendedData>
      <Polygon><outerBoundaryIs><LinearRing><coordinates>0,0,5 10,0,5 10,10,5 0,10,5 0,0,5</coordinates></LinearRing></outerBoundaryIs>
      <innerBoundaryIs><LinearRing><coordinates>4,4 4,6 6,6 6,4 4,4</coordinates></LinearRing></innerBoundaryIs></Polygon>
      </Placemark></Folder></Document></kml>`,
    first: { id: 'p1', name: 'Tiergarten', folder: 'Parks', area: 2.1, timestamp: '2020-01-01', centroid: '5,5' },
    id: 'id',
    timestamp: 'timestamp',
  },
]

describe('files as people have them', () => {
  it.each(traps)('$name', async ({ file, content, options, first, id, timestamp, moment, count, rows, notes }) => {
    const { plan, documents, rejected } = await read(file, content, options)
    expect(rejected).toEqual([])
    expect(documents[0]).toMatchObject(first)
    if (id !== undefined) expect(plan.paths.id).toBe(id)
    if (timestamp !== undefined) expect(plan.paths.timestamp).toBe(timestamp)
    if (count !== undefined) expect(documents).toHaveLength(count)
    if (rows !== undefined) expect(documents.map(({ row }) => row)).toEqual(rows)
    if (notes !== undefined) expect(plan.notes).toEqual(notes)
    const time = plan.paths.timestamp ?? ''
    const { type, format } = plan.mapping.properties[time] ?? {}
    expect(type).toBe('date')
    if (moment === undefined) return
    const ms = readStoredDate(parseFieldFormat(format), documents[0]?.[time] ?? null)
    expect(new Date(ms ?? Number.NaN).toISOString()).toBe(moment)
  })
})

describe('files that cannot be loaded as they are', () => {
  const rows = (header: string, ...lines: readonly string[]) => `${header}\n${lines.join('\n')}\n`
  it.each<readonly [string, string | Buffer, PlanOptions, string]>([
    ['order.csv', rows('id,date,lat,lon', '1,05/06/1992,1,2'), {}, 'state it with --date-order'],
    ['grid.csv', rows('id,easting,northing', '1,530000,180000'), {}, 'state their coordinate system with --crs'],
    [
      'nodate.csv',
      rows('id,mag,when,lat,lon', '1,3.2,2024-01-01,1,2'),
      { timestampPath: 'mag' },
      'Field mag is no date: it has values such as 3.2; fields with dates: when.',
    ],
    ['crs.csv', rows('id,x,y', '1,1,2'), { crs: 'EPSG:99999' }, 'The coordinate system EPSG:99999 is not known'],
    [
      'mercator.json',
      JSON.stringify([{ id: 1, geometry: { type: 'Point', coordinates: [261848, 6250566] } }]),
      {},
      '1 of 1 documents have coordinates out of range',
    ],
    ['web.csv', '<!DOCTYPE html><html><body>404</body></html>', {}, 'this is a web page'],
    ['data.xls', Buffer.from('d0cf11e0a1b11ae1', 'hex'), {}, 'this is an old Excel workbook'],
    ['map.pdf', '%PDF-1.7', {}, 'this is a PDF: export its table as CSV first'],
    ['grid.nc', 'CDF\u0001\u0000\u0000', {}, 'this is a NetCDF file'],
    ['roads.osm', '<?xml version="1.0"?><osm version="0.6"></osm>', {}, 'convert it with "ogr2ogr -f GPKG" first'],
    ['a.shx', Buffer.from([1, 2, 3, 0]), {}, 'a part of a shapefile: load the .shp file'],
    ['broken.kml', '<kml><Placemark></kml>', {}, 'is not valid XML'],
    ['broken.fgb', 'fgb\u0003fgb\u0001nothing', {}, 'FlatGeobuf'],
    ['broken.zip', 'PK\u0003\u0004nothing', {}, 'is a damaged zip archive'],
    ['plain.sqlite', Buffer.concat([Buffer.from('SQLite format 3\0'), Buffer.alloc(100)]), {}, 'not a GeoPackage'],
  ])('%s', async (file, content, options, message) => {
    await expect(read(file, content, options)).rejects.toThrow(message)
  })
})
