import { describe, expect, test } from 'vitest'
import type { Filter } from '../../model/filter.ts'
import { unrestricted } from '../access/access.ts'
import { fieldPatterns } from '../schema/field-pattern.ts'
import { visibleColumns, visibleSchema } from '../schema/visible-columns.ts'
import { parseSelection, resolveSelection } from './effective-query.ts'
import { Notices } from './notices.ts'
import { limits, NOW, plainView, sampleView } from './sample-collection.fixture.ts'
import type { RequestFilters, SelectionContext } from './selection-context.ts'

const where = (field: string, op: string, value: string): Filter => ({ f: [[{ field, op, value }]] })
const job = (value: string): RequestFilters => ({ filter: where('params.job', 'eq', value) })

function context(more: Partial<SelectionContext> = {}): SelectionContext {
  return {
    ...{ collection: plainView, access: unrestricted, limits, now: NOW, origin: 'body' },
    ...{ notices: new Notices(), ...more },
  }
}

/** True if the second of two equal requests gets the very predicate of the first. */
function isKept(request: RequestFilters, more: Partial<SelectionContext> = {}, later = more): boolean {
  const first = resolveSelection(request, context(more))
  const second = resolveSelection(structuredClone(request), context(later))
  return first === second
}

describe('a filter that was resolved', () => {
  test('is known for the same text, collection and schema', () => {
    expect(isKept(job('Actor'))).toBe(true)
    expect(isKept(job('Actor'), {}, { now: NOW + 1 })).toBe(true)
    expect(isKept({ ...job('Actor'), partitionFilter: [where('params.age', 'gte', '3')] })).toBe(true)
    expect(isKept({ filter: { cql2: "params.job = 'Actor'" } })).toBe(true)
  })

  test('is the same as one resolved anew', () => {
    const { notices: _, ...anew } = context({ limits: { ...limits } })
    for (const value of ['Actor', 'Coach', 'Actor']) {
      expect(resolveSelection(job(value), context())).toEqual(resolveSelection(job(value), anew))
    }
  })

  test.each<[string, Partial<SelectionContext>]>([
    ['another schema', { collection: { ...plainView, schema: sampleView.schema } }],
    ['a changed reference', { collection: { ...plainView, reference: { ...plainView.reference } } }],
    ['other excluded fields', { collection: { ...plainView, hidden: fieldPatterns(['params.job']) } }],
    ['other limits', { limits: { ...limits } }],
    ['another origin', { origin: 'query' }],
    ['a filter of the caller', { access: { partition: { filtersOf: () => [where('params.job', 'eq', 'Coach')] } } }],
  ])('is resolved again for %s', (_name, later) => {
    expect(isKept(job('Coder'))).toBe(true)
    expect(isKept(job('Coder'), {}, later)).toBe(false)
  })

  test('is resolved again for hidden columns', () => {
    const columns = visibleColumns(fieldPatterns(['params.job']), ['id'])
    const collection = { ...plainView, schema: visibleSchema(plainView.schema, columns), columns }
    expect(isKept(job('Dancer'))).toBe(true)
    expect(isKept(job('Dancer'), { collection })).toBe(false)
    const age = { filter: where('params.age', 'gte', '1') }
    expect(isKept(age)).toBe(true)
    expect(() => resolveSelection(age, context({ collection }))).toThrow('params.age')
  })

  test('is not kept with a relative date, wherever it is', () => {
    const recent = where('$timestamp', 'gte', 'now-1d')
    expect(isKept({ filter: recent })).toBe(false)
    const params = { ...plainView.reference.params, filter: recent }
    const collection = { ...plainView, reference: { ...plainView.reference, params } }
    expect(isKept(job('Actor'), { collection })).toBe(false)
    expect(resolveSelection({ filter: recent }, context({ now: NOW + 1 }))).not.toEqual(
      resolveSelection({ filter: recent }, context()),
    )
  })

  test('is not kept with unknown fields, which every request is told of', () => {
    const unknown = { filter: where('params.jib', 'eq', 'a') }
    for (let i = 0; i < 2; i++) {
      const notices = new Notices()
      resolveSelection(unknown, context({ notices }))
      expect(notices.texts).toEqual([expect.stringContaining('params.jib')])
    }
    for (let i = 0; i < 2; i++) {
      const notices = new Notices()
      parseSelection(job('Actor'), context({ notices })).resolve(['params.aeg'])
      expect(notices.texts).toEqual([expect.stringContaining('params.aeg')])
    }
  })

  test('is not kept if it is long, or if its numbers are more exact than JSON', () => {
    expect(isKept(job('x'.repeat(3_000)))).toBe(false)
    expect(isKept({ filter: { cql2: { op: '=', args: [{ property: 'params.age' }, 3] } } })).toBe(false)
  })
})
