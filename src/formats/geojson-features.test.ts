import { describe, expect, it } from 'vitest'
import type { FieldType } from '../model/field-type.ts'
import type { JsonObject } from '../model/json/document.ts'
import type { Field } from '../query/schema/field.ts'
import { documentReader } from './document-reader.ts'
import { featureMaker } from './geojson-features.ts'

const paths = { id_path: 'id', timestamp_path: 'params.startdate', geometry_path: 'geo.shape', centroid_path: 'geo.at' }
const types: Readonly<Record<string, FieldType>> = { 'geo.shape': 'GEO_SHAPE', 'geo.at': 'GEO_POINT' }

/** A schema with the format of the timestamp and the types of the geometries. */
const schema = (format: string | undefined = undefined) => ({
  lookup: (path: string): Field => {
    const field = { path, type: types[path] ?? 'KEYWORD', indexed: true, nested: false }
    return path !== paths.timestamp_path || format === undefined ? field : { ...field, format }
  },
})
const reader = documentReader(paths, schema('epoch_millis'))
const square = {
  type: 'Polygon',
  coordinates: [
    [
      [-11, 21],
      [-9, 21],
      [-9, 19],
      [-11, 19],
      [-11, 21],
    ],
  ],
}
const source: JsonObject = {
  id: 'ID__10_20DI',
  params: { job: 'Architect', startdate: 1009800, note: null },
  geo: { shape: square, at: '20,-10' },
}

interface Shape {
  readonly flat?: boolean
  readonly returned?: readonly string[]
  readonly collection?: typeof paths
}

function features(document: JsonObject, { flat = false, returned = [], collection = paths }: Shape = {}) {
  return featureMaker({
    reader: documentReader(collection, schema('epoch_millis')),
    paths: collection,
    project: (d) => d,
    flat,
    returned: returned.map((path) => ({ path, type: types[path] ?? 'GEO_POINT' })),
  })({ source: document })
}

describe('the feature of a document', () => {
  it('has its geometry, and the document without it as properties', () => {
    expect(features(source)).toEqual([
      {
        type: 'Feature',
        geometry: square,
        properties: {
          id: 'ID__10_20DI',
          params: { job: 'Architect', startdate: 1009800, note: null },
          geo: { at: '20,-10' },
          md: { id: 'ID__10_20DI', timestamp: 1009800, centroid: { type: 'Point', coordinates: [-10, 20] } },
          feature_type: 'hit',
          geometry_path: 'geo.shape',
        },
      },
    ])
  })

  it('has one level of properties and md as a text when flat', () => {
    expect(features(source, { flat: true })[0]?.properties).toEqual({
      id: 'ID__10_20DI',
      params_job: 'Architect',
      params_startdate: 1009800,
      geo_at: '20,-10',
      md: 'id=ID__10_20DI-timestamp=1009800-centroid=-10 20',
      feature_type: 'hit',
      geometry_path: 'geo.shape',
    })
  })

  it.each([
    [{ id: 'a', geo: { shape: square } }, 'id=a'],
    [{ params: { startdate: 5 }, geo: { shape: square, at: [1.5, 2] } }, 'timestamp=5-centroid=1.5 2'],
    [{ id: 'a', geo: { at: { lat: -1, lon: 2 } } }, 'id=a-centroid=2 -1'],
    [{ geo: { shape: square } }, ''],
  ])('leaves out of the text what is missing: %j', (document, md) => {
    expect(features(document, { flat: true })[0]?.properties.md).toBe(md)
  })

  it('falls back on the centroid, which stays in the properties', () => {
    const [feature, ...others] = features({ id: 'a', geo: { at: '20,-10', shape: 'nonsense(' } })
    expect(others).toEqual([])
    expect(feature?.geometry).toEqual({ type: 'Point', coordinates: [-10, 20] })
    expect(feature?.properties).toMatchObject({ geo: { at: '20,-10' }, geometry_path: 'geo.at' })
  })

  it('does not exist without geometry and centroid', () => {
    expect(features({ id: 'a', geo: { shape: null } })).toEqual([])
  })

  it('drops the parents its geometry leaves empty', () => {
    expect(features({ id: 'a', geo: { shape: square } })[0]?.properties).toEqual({
      id: 'a',
      md: { id: 'a' },
      feature_type: 'hit',
      geometry_path: 'geo.shape',
    })
  })

  it('sets its own properties over those of the document', () => {
    const document = { md: { id: 'no' }, feature_type: 'no', geometry_path: { x: 1 }, geo: { shape: square } }
    const own = { feature_type: 'hit', geometry_path: 'geo.shape' }
    expect(features(document)[0]?.properties).toEqual({ md: {}, ...own })
    expect(features(document, { flat: true })[0]?.properties).toEqual({
      md_id: 'no',
      geometry_path_x: 1,
      md: '',
      ...own,
    })
  })

  it('keeps a field that is geometry and centroid at once', () => {
    const both = { ...paths, geometry_path: 'geo.at' }
    const [feature] = features(source, { collection: both })
    expect(feature?.geometry).toEqual({ type: 'Point', coordinates: [-10, 20] })
    expect(feature?.properties.geo).toEqual({ shape: square, at: '20,-10' })
  })

  it('says where a centroid lies that is a shape', () => {
    const collection = { ...paths, centroid_path: 'geo.shape' }
    expect(features(source, { flat: true, collection })[0]?.properties.md).toBe(
      'id=ID__10_20DI-timestamp=1009800-centroid=-10 20',
    )
  })
})

describe('features of returned geometries', () => {
  const several = { ...source, geo: { ...(source.geo as JsonObject), other: 'POINT (3 4)' } }

  it('are one per path the document has, in the order asked', () => {
    const made = features(several, { returned: ['geo.other', 'geo.none', 'geo.shape', 'geo.at'] })
    expect(made.map((feature) => [feature.properties.geometry_path, feature.geometry.type])).toEqual([
      ['geo.other', 'Point'],
      ['geo.shape', 'Polygon'],
      ['geo.at', 'Point'],
    ])
  })

  it('leave their own path and geometry_path out of the properties, never the centroid', () => {
    const made = features(several, { returned: ['geo.other', 'geo.shape', 'geo.at'] })
    expect(made.map((feature) => feature.properties.geo)).toEqual([
      { at: '20,-10' },
      { at: '20,-10', other: 'POINT (3 4)' },
      { at: '20,-10', other: 'POINT (3 4)' },
    ])
  })

  it('do not fall back on another geometry', () => {
    expect(features(source, { returned: ['geo.other'] })).toEqual([])
  })
})

describe('what is read from a document', () => {
  it.each([
    ['a string', { id: 'a' }, 'a'],
    ['an integer', { id: 17 }, '17'],
    ['the first of several', { id: [null, 'b', 'c'] }, 'b'],
    ['nothing', { id: null }, undefined],
    ['no object', { id: { x: 1 } }, undefined],
  ])('id: %s', (_, document, id) => {
    expect(reader.id({ source: document })).toBe(id)
  })

  it('id: all digits of an integer beyond 2^53', () => {
    const text = '{"id":9007199254740993}'
    expect(reader.id({ source: JSON.parse(text), text })).toBe('9007199254740993')
  })

  it.each([
    ['epoch_millis', 1500, 1500],
    ['epoch_second', 2, 2000],
    ['epoch_second||epoch_millis', [2, 3], 2000],
    ['yyyy-MM-dd', '1970-01-02', 86400000],
    ['yyyy-MM-dd', 'never', undefined],
    ['yyyy-MM-dd', [], undefined],
    [undefined, '1970-01-01T00:00:01Z', 1000],
    [undefined, 1709251200000, 1709251200000],
  ])('timestamp in %s: %j', (format, value, timestamp) => {
    expect(documentReader(paths, schema(format)).timestamp({ params: { startdate: value } })).toBe(timestamp)
  })

  it.each([
    ['10,20', [20, 10]],
    [
      [179.5, 5],
      [179.5, 5],
    ],
    [{ lat: -5, lon: -179.5 }, [-179.5, -5]],
    ['POINT (0 0)', [0, 0]],
    [{ type: 'Point', coordinates: [1, 2], bbox: [1, 2, 1, 2] }, [1, 2]],
    [
      [null, '10,20', '30,40'],
      [20, 10],
    ],
    [
      [
        [1, 2],
        [3, 4],
      ],
      [1, 2],
    ],
  ])('a point from %j', (value, coordinates) => {
    expect(reader.centroid({ geo: { at: value } })).toEqual({ type: 'Point', coordinates })
  })

  it.each([[null], ['nowhere at all'], ['LINESTRING (0 0, 1 1)'], [[]], [{ lat: 'x', lon: 1 }], [true]])(
    'no point from %j',
    (value) => {
      expect(reader.centroid({ geo: { at: value } })).toBeUndefined()
    },
  )

  it.each([
    ['POINT (1 2)', { type: 'Point', coordinates: [1, 2] }],
    [[{ type: 'Point', coordinates: [1, 2, 3] }, square], { type: 'Point', coordinates: [1, 2, 3] }],
    ['u09', undefined],
    ['10,20', undefined],
  ])('a shape from %j', (value, geometry) => {
    expect(reader.geometry({ geo: { shape: value } })).toEqual(geometry)
  })
})
