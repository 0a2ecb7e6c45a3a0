import { describe, expect, test } from 'vitest'
import { Problem } from '../../errors.ts'
import type { Filter } from '../../model/filter.ts'
import { type Access, unrestricted } from '../access/access.ts'
import { holds } from '../evaluate/evaluate.fixture.ts'
import type { CollectionView } from '../schema/collection-view.ts'
import { compilePatterns } from '../schema/field-pattern.ts'
import { visibleColumns, visibleSchema } from '../schema/visible-columns.ts'
import { resolveSelection } from './effective-query.ts'
import { limits, NOW, plainView, sampleDocuments } from './sample-collection.fixture.ts'
import type { RequestFilters } from './selection-context.ts'

const job = (value: string, op = 'eq'): Filter => ({ f: [[{ field: 'params.job', op, value }]] })
const owned = (filter: Filter): CollectionView => ({
  ...plainView,
  reference: { ...plainView.reference, params: { ...plainView.reference.params, filter } },
})

interface Circumstances {
  readonly collection?: CollectionView
  readonly access?: Access
}

function resolve(request: RequestFilters, { collection = plainView, access = unrestricted }: Circumstances = {}) {
  return resolveSelection(request, { collection, access, limits, now: NOW, origin: 'body' })
}

const documents = sampleDocuments()
const count = (request: RequestFilters, circumstances?: Circumstances): number => {
  const predicate = resolve(request, circumstances)
  return documents.filter((d) => holds(predicate, d)).length
}

function faultOf(request: RequestFilters, circumstances?: Circumstances): Problem {
  try {
    resolve(request, circumstances)
  } catch (error) {
    if (error instanceof Problem) return error
    throw error
  }
  throw new Error('no fault')
}

const narrowedTo = (...filters: readonly Filter[]): Access => ({ partition: { filtersOf: () => filters } })

describe('effective query', () => {
  test('all parts are AND, the entries of a list OR', () => {
    expect(count({})).toBe(595)
    expect(count({ filter: job('Actor') })).toBe(59)
    expect(count({ partitionFilter: [] })).toBe(595)
    expect(count({ partitionFilter: [job('Actor'), job('Coach')] })).toBe(117)
    expect(count({ partitionFilter: [job('Actor'), {}] })).toBe(595)
    expect(count({ partitionFilter: [job('Actor'), job('Coach')], filter: job('Coach', 'ne') })).toBe(59)
    const access = narrowedTo(job('Coach'), job('Coder'))
    expect(count({}, { access })).toBe(120)
    expect(count({ partitionFilter: [job('Actor'), job('Coach')] }, { access })).toBe(58)
    expect(count({}, { collection: owned(job('Actor')) })).toBe(59)
    expect(count({ filter: job('Announcers') }, { collection: owned(job('Actor')) })).toBe(0)
    expect(count({}, { collection: owned(job('Actor')), access })).toBe(0)
  })

  test('each filter is read with its own dateformat and righthand', () => {
    const dated = (value: string, dateformat: string): Filter => ({
      f: [[{ field: '$timestamp', op: 'lte', value }]],
      dateformat,
    })
    expect(count({ filter: dated('00:12:55', 'HH:mm:ss'), partitionFilter: [dated('12:55', 'mm:ss')] })).toBe(3)
    const ring = 'POLYGON((-5 -5,5 -5,5 5,-5 5,-5 -5))'
    const around = (righthand: boolean): Filter => ({
      f: [[{ field: 'geo_params.centroid', op: 'within', value: ring }]],
      righthand,
    })
    expect(count({ filter: around(true) })).toBe(1)
    expect(count({ filter: around(true), partitionFilter: [around(false)] })).toBe(0)
    expect(count({}, { collection: owned(around(false)) })).toBe(34)
  })

  test('faults in a body name the entry', () => {
    expect(faultOf({ partitionFilter: [{}, job('x', 'foo')] }).message).toMatch(
      /^partitionFilter\[1\]\.f\[0\]\[0\]\.op/,
    )
    expect(faultOf({ filter: job('x', 'foo') }).message).toMatch(/^filter\.f\[0\]\[0\]\.op/)
  })

  test('what the caller did not send is not shown', () => {
    const secret: Filter = { f: [[{ field: 'secret.place', op: 'within', value: '1,2,3,4' }]] }
    const broken: Filter = { f: [[{ field: 'secret.place', op: 'within', value: 'secret' }]] }
    for (const filter of [secret, broken, job('secret', 'secret')]) {
      for (const circumstances of [{ collection: owned(filter) }, { access: narrowedTo(filter) }]) {
        const fault = faultOf({}, circumstances)
        expect(fault.status).toBe(400)
        expect(fault.message).not.toContain('secret')
        expect(JSON.stringify(fault.details)).not.toContain('secret')
      }
    }
  })

  test('a filter of the permissions that cannot be used lets nothing be read', () => {
    const filter = job('secret', 'secret')
    const fault = faultOf({}, { access: { partition: { filtersOf: () => [filter], granted: true } } })
    expect(fault).toMatchObject({ status: 403, code: 'FORBIDDEN' })
    expect(fault.message).not.toContain('secret')
  })

  test('columns hold for what the caller names, not for the filters that narrow its view', () => {
    const columns = visibleColumns(compilePatterns('params.age'), ['id', 'params.startdate'])
    const hidden = compilePatterns('*')
    const collection: CollectionView = {
      ...plainView,
      schema: visibleSchema(plainView.schema, columns),
      columns,
      hidden,
    }
    const seen = { ...collection, wholeSchema: plainView.schema, excluded: plainView.hidden }
    const words: Filter = { q: [['Actor']] }
    expect(count({}, { collection: seen, access: narrowedTo(job('Actor')) })).toBe(59)
    expect(count({}, { collection: seen, access: narrowedTo(words) })).toBe(59)
    expect(count({ filter: { f: [[{ field: 'params.age', op: 'gte', value: '0' }]] } }, { collection: seen })).toBe(595)
    for (const request of [{ filter: job('Actor') }, { filter: words }, { partitionFilter: [job('Actor')] }]) {
      expect(faultOf(request, { collection: seen }).code).toBe('COLUMN_NOT_AVAILABLE')
    }
  })

  test('one budget for what the request brings', () => {
    const half = job(Array.from({ length: 5001 }, (_, i) => i).join(','))
    expect(faultOf({ filter: half, partitionFilter: [half] }).code).toBe('LIMIT_EXCEEDED')
    expect(count({ filter: half }, { collection: owned(half) })).toBe(0)
    expect(count({ filter: half }, { access: narrowedTo(half) })).toBe(0)
  })
})
