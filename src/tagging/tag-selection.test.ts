import { describe, expect, test } from 'vitest'
import { Problem } from '../errors.ts'
import type { Filter } from '../model/filter.ts'
import type { LoggedRequest } from '../model/tag-record.ts'
import type { Access } from '../query/access/access.ts'
import { unrestricted } from '../query/access/access.ts'
import { holds } from '../query/evaluate/evaluate.fixture.ts'
import type { Predicate } from '../query/plan/predicate.ts'
import { limits, NOW, sampleDocuments } from '../query/request/sample-collection.fixture.ts'
import { accessOf, openSample, type SampleOptions } from './open-sample.fixture.ts'
import { resolveTagSelection } from './tag-selection.ts'

const documents = sampleDocuments()
const count = (predicate: Predicate | undefined): number =>
  predicate === undefined ? -1 : documents.filter((document) => holds(predicate, document)).length

const job = (value: string): Filter => ({ f: [[{ field: 'params.job', op: 'eq', value }]] })
const country = (value: string): Filter => ({ f: [[{ field: 'params.country', op: 'eq', value }]] })
const tag = { path: 'params.tags', value: 'v' }

async function resolve(
  parts: Omit<LoggedRequest, 'tag'>,
  access: Access = unrestricted,
  options: SampleOptions = {},
  now = NOW,
) {
  return resolveTagSelection(await openSample(options), { tag, ...parts }, { access, limits, now })
}

async function faultOf(parts: Omit<LoggedRequest, 'tag'>, access?: Access, options?: SampleOptions): Promise<Problem> {
  try {
    await resolve(parts, access, options)
  } catch (error) {
    if (error instanceof Problem) return error
    throw error
  }
  throw new Error('no fault')
}

describe('the documents of a tag', () => {
  test('without a search the whole collection', async () => {
    expect(count((await resolve({})).target)).toBe(595)
    expect(count((await resolve({ search: {} })).target)).toBe(595)
    expect(count((await resolve({}, unrestricted, { params: { filter: job('Actor') } })).target)).toBe(59)
  })

  test('filter and search.filter must both hold, and keep their own manner of reading', async () => {
    const both = { filter: job('Actor,Coach'), search: { filter: job('Actor,Coder') } }
    expect(count((await resolve(both)).target)).toBe(59)
    const earlier = (value: string): Filter => ({ f: [[{ field: 'params.startdate', op: 'lt', value }]] })
    const patterned = { ...earlier('02-01-1970'), dateformat: 'dd-MM-yyyy' }
    const early = count((await resolve({ filter: earlier('900000') })).target)
    expect(early).toBeGreaterThan(0)
    expect(early).toBeLessThan(595)
    expect(count((await resolve({ filter: patterned, search: { filter: earlier('900000') } })).target)).toBe(early)
  })

  test('the entries of each list of partition filters are alternatives, the lists all hold', async () => {
    expect(count((await resolve({ partitionFilter: [job('Actor'), job('Coach')] })).target)).toBe(117)
    expect(count((await resolve({ partitionFilter: [] })).target)).toBe(595)
    const searched = { partitionFilter: [job('Actor'), job('Coach')], search: { partitionFilter: [job('Coach')] } }
    expect(count((await resolve(searched)).target)).toBe(58)
    const access = accessOf({ partition: `${JSON.stringify(job('Actor'))},${JSON.stringify(job('Coder'))}` })
    expect(count((await resolve({ partitionFilter: [job('Actor'), job('Coach')] }, access)).target)).toBe(59)
    expect(count((await resolve(searched, access)).target)).toBe(0)
  })

  test('the header may name collections', async () => {
    const access = accessOf({ partition: JSON.stringify({ geodata: job('Actor'), other: job('Coach') }) })
    expect(count((await resolve({}, access)).target)).toBe(59)
    expect(count((await resolve({}, accessOf({ partition: JSON.stringify({ other: job('Coach') }) }))).target)).toBe(
      595,
    )
  })

  test('a propagation targets the collection and the partition, not the search', async () => {
    const access = accessOf({ partition: JSON.stringify(job('Actor,Coder')) })
    const asked = {
      filter: country('Andorra'),
      search: { filter: job('Actor') },
      partitionFilter: [job('Actor,Coach,Coder')],
      propagation: { field: 'params.job' },
    }
    const { target, propagation } = await resolve(asked, access)
    expect(propagation?.field.path).toBe('params.job')
    expect(count(target)).toBe(121)
    expect(count(propagation?.selection)).toBeLessThan(59)
    const narrowed = await resolve({ ...asked, propagation: { field: 'params.job', filter: job('Coder') } }, access)
    expect(count(narrowed.target)).toBe(62)
    expect(count(narrowed.propagation?.selection)).toBe(count(propagation?.selection))
    const owned = await resolve(asked, access, { params: { filter: job('Coder') } })
    expect(count(owned.target)).toBe(62)
    expect(count(owned.propagation?.selection)).toBe(0)
  })

  test('now is when the request was accepted', async () => {
    const recent = { filter: { f: [[{ field: 'params.startdate', op: 'gte', value: 'now' }]] } }
    expect(count((await resolve(recent, unrestricted, {}, 0)).target)).toBe(595)
    expect(count((await resolve(recent, unrestricted, {}, NOW)).target)).toBe(0)
  })
})

describe('faults name their place', () => {
  const bad = { f: [[{ field: 'params.job', op: 'gte', value: 'x' }], [{ field: 'params.age', op: 'eq', value: 'x' }]] }

  test.each([
    ['filter.f[1][0]', { filter: bad }],
    ['search.filter.f[1][0]', { search: { filter: bad } }],
    ['partitionFilter[1].f[1][0]', { partitionFilter: [{}, bad] }],
    ['search.partitionFilter[0].f[1][0]', { search: { partitionFilter: [bad] } }],
    ['propagation.filter.f[1][0]', { propagation: { field: 'params.job', filter: bad } }],
  ])('%s', async (place, parts) => {
    const fault = await faultOf(parts)
    expect(fault.code).toBe('INVALID_FILTER')
    expect(fault.message).toContain(`${place} `)
  })

  test('the expressions of all filters count together', async () => {
    const many: Filter = job(Array.from({ length: 4000 }, (_, i) => `v${i}`).join(','))
    await expect(resolve({ filter: many, search: { filter: many } })).resolves.toBeDefined()
    expect((await faultOf({ filter: many, search: { filter: many }, partitionFilter: [many] })).code).toBe(
      'LIMIT_EXCEEDED',
    )
  })

  test('of the header nothing is shown', async () => {
    const fault = await faultOf({}, accessOf({ partition: JSON.stringify(bad) }))
    expect(fault.code).toBe('INVALID_FILTER')
    expect(fault.message).not.toMatch(/age|params/)
  })

  test.each([
    ['', undefined],
    ['fullname', 'fullname'],
    ['GEO_POINT', 'geo_params.centroid'],
    ['OBJECT', 'params'],
    ['collection geodata', 'params.nothing'],
  ])('a propagation over %s', async (word, field) => {
    const fault = await faultOf({ propagation: field === undefined ? {} : { field } })
    expect(fault.code).toBe('INVALID_PROPAGATION')
    expect(fault.message).toContain('propagation.field')
    expect(fault.message).toContain(word)
  })
})
