import { describe, expect, test } from 'vitest'
import { fieldAt } from '../request/sample-collection.fixture.ts'
import { faultOf, resolveOne, withPaths } from './aggregation.fixture.ts'

const id = { kind: 'field', field: fieldAt('id'), descending: false }
const start = (descending = false) => ({ kind: 'field', field: fieldAt('params.startdate'), descending })

describe('documents picked', () => {
  const shape = fieldAt('geo_params.geometry')
  const point = fieldAt('geo_params.centroid')

  test('a raw geometry is that of the first document of its sort', () => {
    const { raw, level } = resolveOne(
      'term:params.job:raw_geometries-geo_params.geometry(-params.startdate, params.age);geo_params.centroid;geo_params.centroid(id)',
    )
    expect(level?.tops).toEqual([
      {
        size: 1,
        having: shape,
        sort: [start(true), { kind: 'field', field: fieldAt('params.age'), descending: false }, id],
      },
      { size: 1, having: point, sort: [start(), id] },
      { size: 1, having: point, sort: [id] },
    ])
    expect(raw).toEqual([
      { field: shape, sort: '-params.startdate, params.age', top: 0 },
      { field: point, sort: 'params.startdate', top: 1 },
      { field: point, sort: 'id', top: 2 },
    ])
  })

  test('the same field with the same sort counts once, another writing of it is shown as it was sent', () => {
    const { raw, level } = resolveOne(
      'term:params.job:raw_geometries-geo_params.centroid;geo_params.centroid(params.startdate);geo_params.centroid(+params.startdate);geo_params.centroid($timestamp)',
    )
    expect(raw.map(({ sort, top }) => [sort, top])).toEqual([
      ['params.startdate', 0],
      ['+params.startdate', 0],
      ['$timestamp', 0],
    ])
    expect(level?.tops).toHaveLength(1)
  })

  test('what a sort repeats orders nothing', () => {
    const repeated = 'params.startdate,-params.startdate,'.repeat(1_000)
    const { level } = resolveOne(`term:params.job:raw_geometries-geo_params.centroid(${repeated}id)`)
    expect(level?.tops).toEqual([{ size: 1, having: point, sort: [start(), start(true), id] }])
  })

  test('fetched documents come in the order of the signed fields', () => {
    const { hits, level } = resolveOne(
      'term:params.job:fetch_hits-3(-params.startdate,params.country,+params.age,params)',
    )
    expect(level?.tops).toEqual([
      { size: 3, sort: [start(true), { kind: 'field', field: fieldAt('params.age'), descending: false }, id] },
    ])
    expect(hits).toEqual({ top: 0, include: ['params.startdate', 'params.country', 'params.age', 'params'] })
    expect(resolveOne('term:params.job:fetch_hits-2()')).toMatchObject({
      hits: { top: 0 },
      level: { tops: [{ size: 2, sort: [id] }] },
    })
    expect(resolveOne('term:params.job:fetch_hits-2').hits).toEqual({ top: 0 })
    const both = resolveOne('term:params.job:raw_geometries-geo_params.centroid:fetch_hits-1(+$timestamp)')
    expect(both).toMatchObject({ raw: [{ top: 0 }], hits: { top: 1, include: ['params.startdate'] } })
  })

  test('the document of fetch_geometry has the geometry and the field it goes by', () => {
    const { fetched, raw, aggregated, level } = resolveOne('term:params.job:fetch_geometry-last')
    expect([raw, aggregated]).toEqual([[], []])
    expect(fetched).toEqual({ kind: 'document', field: shape, top: 0 })
    expect(level?.tops).toEqual([{ size: 1, having: shape, sort: [start(true), id], keyed: true }])
    const both = resolveOne('term:params.job:fetch_geometry-id-first:fetch_hits-1(+id)')
    // Documents without an id count as hits.
    expect(both.level?.tops).toEqual([
      { size: 1, having: shape, sort: [id], keyed: true },
      { size: 1, sort: [id] },
    ])
  })

  test('fetch_geometry by a timestamp nobody knows is a fault', () => {
    const collection = withPaths({ timestamp_path: 'nope' })
    const text = 'term:params.job:fetch_geometry-first'
    expect(faultOf(() => resolveOne(text, { collection }))).toMatch(/^FIELD_NOT_FOUND: .*nope/)
  })

  test('a collection without a known timestamp or id has no order of its own', () => {
    const collection = withPaths({ timestamp_path: 'nope', id_path: 'nope' })
    const { raw, level } = resolveOne('term:params.job:raw_geometries-geo_params.centroid', { collection })
    expect(level?.tops).toEqual([{ size: 1, sort: [], having: point }])
    expect(raw[0]?.sort).toBe('nope')
  })
})
