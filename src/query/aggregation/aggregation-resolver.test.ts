import { describe, expect, test } from 'vitest'
import type { Cell } from '../../geo/grid/cell.ts'
import { fieldAt, sampleView } from '../request/sample-collection.fixture.ts'
import { resolve, resolveOne, withPaths } from './aggregation.fixture.ts'
import { cellPredicate } from './aggregation-resolver.ts'

describe('groupings', () => {
  test.each([
    ['term:params.job', { kind: 'term', field: fieldAt('params.job') }],
    ['term:$timestamp', { kind: 'term', field: fieldAt('params.startdate') }],
    ['histogram:params.age:interval-2.5', { kind: 'histogram', field: fieldAt('params.age'), interval: 2.5 }],
    ['histogram:types.day:interval-10', { kind: 'histogram', field: fieldAt('types.day'), interval: 10 }],
    [
      'datehistogram:interval-2hour',
      { kind: 'datehistogram', field: fieldAt('params.startdate'), interval: { kind: 'fixed', length: 7_200_000 } },
    ],
    [
      'datehistogram:types.day:interval-1week',
      { kind: 'datehistogram', field: fieldAt('types.day'), interval: { kind: 'calendar', unit: 'week' } },
    ],
    ['geotile:geo_params.geometry:interval-0', { kind: 'geotile', field: fieldAt('geo_params.geometry'), level: 0 }],
  ])('%s', (text, grouping) => {
    expect(resolveOne(text).level?.grouping).toEqual(grouping)
  })

  test('the main grid of a cell form counts in its cell only', () => {
    const cell: Cell = { kind: 'geohash', hash: 's' }
    const grid = 'geohash:geo_params.centroid:interval-1'
    const levels = resolve([grid, grid], { cell }).map((aggregation) => aggregation.level?.grouping)
    const plain = { kind: 'geohash', field: fieldAt('geo_params.centroid'), level: 1 }
    expect(levels).toEqual([{ ...plain, scope: cell }, plain])
    expect(resolveOne('term:params.job:aggregated_geometries-bbox', { cell }).level?.grouping).not.toHaveProperty(
      'scope',
    )
  })

  test('date keys are printed as asked', () => {
    expect(resolveOne('datehistogram:interval-1day').format?.text).toBe('yyyy-MM-dd-HH:mm:ss')
    expect(resolveOne('datehistogram:interval-1day:format-HH:mm').format?.text).toBe('HH:mm')
    expect(resolveOne('term:$timestamp').format).toBeUndefined()
  })
})

describe('order and size', () => {
  const couple = 'collect_field-params.age:collect_fct-avg'
  test.each([
    ['term:params.job', { by: 'count', descending: true }, 10],
    ['term:params.job:size-3', { by: 'count', descending: true }, 3],
    ['geohex:geo_params.centroid:interval-1', { by: 'count', descending: true }, undefined],
    ['geohash:geo_params.centroid:interval-1:size-4', { by: 'count', descending: true }, 4],
    ['histogram:params.age:interval-1', { by: 'key', descending: false }, undefined],
    ['datehistogram:interval-1day', { by: 'key', descending: false }, undefined],
    ['term:params.job:order-desc:on-field', { by: 'key', descending: true }, 10],
    ['histogram:params.age:interval-1:order-asc:on-count', { by: 'count', descending: false }, undefined],
    [`term:params.job:${couple}:order-desc:on-result`, { by: 'metric', metric: 0, descending: true }, 10],
    [
      `term:params.job:collect_fct-geobbox:${couple}:order-asc:on-result`,
      { by: 'metric', metric: 1, descending: false },
      10,
    ],
    [
      `term:params.job:collect_field-params.nope:collect_fct-max:${couple}:order-desc:on-result`,
      { by: 'key', descending: false },
      10,
    ],
  ])('%s', (text, order, size) => {
    expect(resolveOne(text).level?.order).toEqual(order)
    expect(resolveOne(text).level?.size).toBe(size)
  })
})

describe('metrics and aggregated geometries', () => {
  const centroid = fieldAt('geo_params.centroid')
  const shape = fieldAt('geo_params.geometry')

  test('couples keep their order, unknown fields have no place', () => {
    const text =
      'term:params.job:collect_field-params.nope:collect_fct-sum:collect_field-$timestamp:collect_fct-max:collect_fct-geobbox'
    const { metrics, level } = resolveOne(text)
    expect(metrics).toEqual([
      { fct: 'sum', path: 'params.nope' },
      { fct: 'max', path: 'params.startdate', place: 0 },
      { fct: 'geobbox', path: 'geo_params.centroid', place: 1 },
    ])
    expect(level?.metrics).toEqual([
      { kind: 'max', field: fieldAt('params.startdate') },
      { kind: 'bounds', field: centroid },
    ])
  })

  test('what geometries and couples share is asked for once', () => {
    const text = 'term:params.job:aggregated_geometries-centroid,bbox:collect_fct-geobbox'
    expect(resolveOne(text)).toMatchObject({
      metrics: [{ fct: 'geobbox', path: 'geo_params.centroid', place: 0 }],
      aggregated: [
        { form: 'centroid', place: 1 },
        { form: 'bbox', place: 0 },
      ],
      level: { metrics: [{ kind: 'bounds' }, { kind: 'centroid' }] },
    })
  })

  test('grids take their own field, other types the centroid of the collection', () => {
    const grid = resolveOne(
      'geotile:geo_params.geometry:interval-1:aggregated_geometries-bbox,geohash,cell:collect_fct-geocentroid',
    )
    expect(grid.level?.metrics).toEqual([
      { kind: 'centroid', field: shape },
      { kind: 'bounds', field: shape },
    ])
    expect(grid.aggregated).toEqual([{ form: 'bbox', place: 1 }, { form: 'geohash' }, { form: 'cell' }])
    expect(resolveOne('geotile:geo_params.geometry:interval-1').aggregated).toEqual([{ form: 'cell_center' }])
    expect(resolveOne('term:params.job').aggregated).toEqual([])
    expect(resolveOne('histogram:params.age:interval-1:aggregated_geometries-bbox').level?.metrics).toEqual([
      { kind: 'bounds', field: centroid },
    ])
  })
})

describe('located in the cell', () => {
  const cell: Cell = { kind: 'tile', z: 2, x: 1, y: 1 }
  const predicate = (text: string, collection = sampleView) =>
    cellPredicate(cell, resolveOne(text, { cell, collection }), collection)
  const centroid = fieldAt('geo_params.centroid')
  const shape = fieldAt('geo_params.geometry')

  test.each([
    ['geotile:geo_params.other_geopoint:interval-3', fieldAt('geo_params.other_geopoint'), 'point'],
    ['geohash:geo_params.geometry:interval-3', shape, 'shape'],
    ['geotile:geo_params.geometry:interval-3', shape, 'shape'],
    ['geohex:geo_params.geometry:interval-3', shape, 'point'],
    ['term:params.job:raw_geometries-geo_params.geometry', centroid, 'point'],
    ['term:params.nope:raw_geometries-geo_params.geometry', centroid, 'point'],
  ])('%s', (text, field, by) => {
    expect(predicate(text)).toEqual({ kind: 'cell', field, cell, by })
  })

  test('needs a centroid for types that are no grids', () => {
    const text = 'term:params.job:raw_geometries-geo_params.geometry'
    expect(() => predicate(text, withPaths({ centroid_path: 'nope' }))).toThrow('Field nope does not exist')
    expect(() => predicate(text, withPaths({ centroid_path: 'params.age' }))).toThrow(
      'centroid_path must be an indexed field',
    )
  })
})
