import { describe, expect, test } from 'vitest'
import { type ErrorCode, Problem } from '../errors.ts'
import type { NewTagRecord } from '../model/tag-record.ts'
import { unrestricted } from '../query/access/access.ts'
import { limits, NOW } from '../query/request/sample-collection.fixture.ts'
import { checkTagRequest, type TagOperation, type TagRequestContext } from './check-tag-request.ts'
import { accessOf, openSample, type SampleOptions } from './open-sample.fixture.ts'

type Options = SampleOptions & Pick<Partial<TagRequestContext>, 'principal' | 'partitionHeader' | 'window'>

async function check(operation: TagOperation, body: unknown, options: Options = {}): Promise<NewTagRecord> {
  const { principal, partitionHeader, window } = options
  const collection = await openSample(options)
  const access = options.access ?? unrestricted
  return checkTagRequest(operation, body, { collection, access, limits, now: NOW, principal, partitionHeader, window })
}

async function refusal(operation: TagOperation, body: unknown, options?: Options): Promise<Problem> {
  try {
    await check(operation, body, options)
  } catch (error) {
    if (error instanceof Problem) return error
    throw error
  }
  throw new Error('it was accepted')
}

const tag = { path: 'params.tags', value: 'v1' }
const onJob = (op: string, value: string) => ({ f: [[{ field: 'params.job', op, value }]] })
const onAge = { f: [[{ field: 'params.age', op: 'eq', value: 'old' }]] }

describe('an accepted request', () => {
  test('is logged as it was submitted, in the documented spelling', async () => {
    const record = await check(
      'tag',
      {
        tag,
        label: 'pink',
        form: { pretty: true },
        search: { page: { size: 5 }, filter: null, partition_filter: [onJob('EQ', 'Actor')] },
        partition_filter: [{}],
        propagation: { field: 'params.job' },
      },
      { principal: 'ann', partitionHeader: '{}', access: accessOf({ partition: '{}' }) },
    )
    expect(record.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    expect({ ...record, id: '' }).toEqual({
      id: '',
      collection: 'geodata',
      action: 'ADD',
      creationTime: NOW,
      label: 'pink',
      principal: 'ann',
      partitionHeader: '{}',
      request: {
        tag,
        form: { pretty: true },
        search: { page: { size: 5 }, partitionFilter: [onJob('EQ', 'Actor')] },
        partitionFilter: [{}],
        propagation: { field: 'params.job' },
      },
    })
  })

  test.each([
    ['tag', tag, 'ADD'],
    ['untag', tag, 'REMOVE'],
    ['untag', { path: 'params.tags' }, 'REMOVEALL'],
    ['untag', { path: 'params.tags', value: null }, 'REMOVEALL'],
    ['untag', { path: 'params.tags', value: false }, 'REMOVE'],
  ] as const)('%s %j is %s', async (operation, given, action) => {
    expect(await check(operation, { tag: given })).toMatchObject({ action })
  })
})

const refusals: readonly (readonly [string, unknown, ErrorCode, string])[] = [
  // Row 8: types, operators, unknown keys.
  ['a list', [], 'INVALID_BODY', 'body must be an object'],
  ['null', null, 'INVALID_BODY', 'body must be an object'],
  ['a tag that is a text', { tag: 'x' }, 'INVALID_BODY', 'tag must be an object'],
  ['a path that is a number', { tag: { path: 1 } }, 'INVALID_BODY', 'tag.path must be a string'],
  ['an unknown key', { tag, foo: 1 }, 'INVALID_BODY', 'foo is not a known key'],
  ['an unknown key of the tag', { tag: { ...tag, foo: 1 } }, 'INVALID_BODY', 'tag.foo is not a known key'],
  ['an unknown key of a filter', { tag, filter: { g: [] } }, 'INVALID_BODY', 'filter.g is not a known key'],
  ['an unknown key of a page', { tag, search: { page: { foo: 1 } } }, 'INVALID_BODY', 'search.page.foo is not'],
  [
    'a size that is a text',
    { tag, search: { page: { size: '5' } } },
    'INVALID_BODY',
    'search.page.size must be an integer',
  ],
  [
    'a size with a fraction',
    { tag, search: { page: { size: 1.9 } } },
    'INVALID_BODY',
    'search.page.size must be an integer',
  ],
  ['pretty as a text', { tag, form: { pretty: 'true' } }, 'INVALID_BODY', 'form.pretty must be a boolean'],
  ['a label that is a number', { tag, label: 1 }, 'INVALID_BODY', 'label must be a string'],
  ['a filter for a list of them', { tag, partitionFilter: {} }, 'INVALID_BODY', 'partitionFilter must be an array'],
  ['both spellings', { tag, partitionFilter: [], partition_filter: [] }, 'INVALID_BODY', 'partition_filter must not'],
  ['a spelling nobody has', { tag, partition_filters: [] }, 'INVALID_BODY', 'partition_filters is not a known key'],
  ['an operator nobody has', { filter: onJob('is', 'x') }, 'INVALID_BODY', 'filter.f[0][0].op must be one of eq'],
  [
    'an operator of a propagation',
    { propagation: { filter: onJob('is', 'x') } },
    'INVALID_BODY',
    'propagation.filter.f[0][0].op',
  ],
  // Row 8a.
  ['a long label', { label: 'x'.repeat(1001) }, 'INVALID_BODY', 'label must have at most 1000 characters'],
  // Row 10.
  ['nothing', {}, 'INVALID_TAG', 'tag, tag.path and tag.value are required'],
  ['no path', { tag: { value: 'v' } }, 'INVALID_TAG', 'tag.path is required'],
  ['an empty path', { tag: { path: '', value: 'v' } }, 'INVALID_TAG', 'tag.path is required'],
  ['no value', { tag: { path: 'params.tags' } }, 'INVALID_TAG', 'tag.value is required'],
  ['a value of null', { tag: { path: 'params.tags', value: null } }, 'INVALID_TAG', 'tag.value is required'],
  ['an empty tag', { tag: {} }, 'INVALID_TAG', 'tag.path and tag.value are required'],
  // Row 11, before the value and the filters.
  [
    'a path that is not listed',
    { tag: { path: 'params.city', value: '' }, filter: onAge },
    'FIELD_NOT_TAGGABLE',
    'The path params.city is not among the taggable_fields of collection geodata',
  ],
  ['a path in other letters', { tag: { path: 'params.Tags', value: 'v' } }, 'FIELD_NOT_TAGGABLE', 'taggable_fields'],
  ['a path with a blank', { tag: { path: 'params.tags ', value: 'v' } }, 'FIELD_NOT_TAGGABLE', 'taggable_fields'],
  [
    'a path below a listed one',
    { tag: { path: 'params.tags.x', value: 'v' } },
    'FIELD_NOT_TAGGABLE',
    'taggable_fields',
  ],
  // Row 13, before the filters.
  [
    'an empty value',
    { tag: { ...tag, value: '' }, filter: onAge },
    'INVALID_TAG',
    'tag.value must not be empty for params.tags',
  ],
  ['an object', { tag: { ...tag, value: { a: 1 } } }, 'INVALID_TAG', 'a string, a number or a boolean'],
  // Row 14, before the page.
  ['a filter', { tag, filter: onAge, search: { page: { size: 0 } } }, 'INVALID_FILTER', 'filter.f[0][0]'],
  [
    'an area',
    { tag, filter: { f: [[{ field: 'geo_params.centroid', op: 'within', value: 'POINT(' }]] } },
    'INVALID_GEOMETRY',
    'filter.f[0][0]',
  ],
  [
    'an unknown place',
    { tag, filter: { f: [[{ field: 'x.y', op: 'within', value: '1,1,2,2' }]] } },
    'FIELD_NOT_FOUND',
    'x.y',
  ],
  // Row 14a, before the propagation.
  [
    'a size of nothing',
    { tag, search: { page: { size: 0 } }, propagation: {} },
    'INVALID_PARAMETER',
    'search.page.size must',
  ],
  [
    'a size beyond 32 bits',
    { tag, search: { page: { size: 5_000_000_000 } } },
    'LIMIT_EXCEEDED',
    'search.page.size must',
  ],
  ['a size and no tag', { search: { page: { size: 5_000_000_000 } } }, 'INVALID_TAG', 'tag, tag.path'],
  ['a sort by an unknown field', { tag, search: { page: { sort: 'params.foo' } } }, 'FIELD_NOT_FOUND', 'params.foo'],
  ['a sort by a text', { tag, search: { page: { sort: 'fullname' } } }, 'INVALID_PARAMETER', 'search.page.sort'],
  ['after without sort', { tag, search: { page: { after: 'x' } } }, 'INVALID_PARAMETER', 'search.page.after'],
  [
    'the id excluded',
    { tag, search: { projection: { excludes: 'id' } } },
    'INVALID_PARAMETER',
    'search.projection.excludes',
  ],
  [
    'no geometry',
    { tag, search: { returned_geometries: 'params.job' } },
    'INVALID_PARAMETER',
    'search.returned_geometries',
  ],
  ['no such geometry', { tag, search: { returned_geometries: 'foo' } }, 'FIELD_NOT_FOUND', 'foo'],
  // Row 15.
  ['a propagation without field', { tag, propagation: {} }, 'INVALID_PROPAGATION', 'propagation.field is required'],
  ['a propagation over text', { tag, propagation: { field: 'fullname' } }, 'INVALID_PROPAGATION', 'not of type TEXT'],
  ['a propagation over nothing', { tag, propagation: { field: 'a.b' } }, 'INVALID_PROPAGATION', "got 'a.b'"],
]

describe('what is refused, and why', () => {
  test.each(refusals)('%s', async (_name, body, code, words) => {
    const fault = await refusal('tag', body)
    expect(fault.code).toBe(code)
    expect(fault.message).toContain(words)
  })

  test('untag needs no value', async () => {
    expect((await refusal('untag', {})).message).toBe('tag and tag.path are required')
    expect((await refusal('untag', { tag: { value: 'v' } })).message).toBe('tag.path is required')
    expect((await refusal('untag', { tag: { path: 'params.tags', value: '' } })).code).toBe('INVALID_TAG')
    expect((await refusal('untag', { tag: { path: 'params.tags', value: [] } })).code).toBe('INVALID_TAG')
  })

  test('a label of a thousand characters is taken, whatever they are', async () => {
    expect((await check('tag', { tag, label: '🜚'.repeat(1000) })).label).toHaveLength(2000)
  })

  test('a header that cannot be read comes before the label, and is not shown', async () => {
    const access = accessOf({ partition: '{"geodata":{"secret":1}}' })
    const fault = await refusal('tag', { label: 'x'.repeat(1001) }, { access })
    expect(fault.code).toBe('INVALID_FILTER')
    expect(fault.message).not.toContain('secret')
    expect((await refusal('tag', { foo: 1 }, { access })).code).toBe('INVALID_BODY')
  })

  test('a page beyond the window of the engine', async () => {
    const fault = await refusal('tag', { tag, search: { page: { from: 9_999 } } }, { window: 10_000 })
    expect(fault.code).toBe('LIMIT_EXCEEDED')
    expect(fault.message).toContain('search.page.from')
  })
})

describe('columns', () => {
  const access = accessOf({ columns: 'params.tags,params.job' })
  const geometry = 'geo_params.other_geopoint'

  test.each([
    ['the tag', { tag: { path: 'params.city', value: 'v' } }, 'params.city'],
    ['the propagation', { propagation: { field: 'params.city' } }, 'params.city'],
    [
      'the filter of it',
      { propagation: { filter: { f: [[{ field: 'params.age', op: 'eq', value: '1' }]] } } },
      'params.age',
    ],
    ['a filter that is wrong too', { filter: onAge, tag: { path: '' } }, 'params.age'],
    ['a search', { search: { filter: onAge } }, 'params.age'],
    ['a partition', { partitionFilter: [onAge] }, 'params.age'],
    ['the partition of a search', { search: { partitionFilter: [onAge] } }, 'params.age'],
    ['q without field', { filter: { q: [['word']] } }, '\\*'],
    ['q with a pattern', { filter: { q: [['par*:word']] } }, '\\*'],
    ['q with a field', { filter: { q: [['fullname:word']] } }, 'fullname'],
    ['a sort', { search: { page: { sort: '-params.age,id,geodistance:1 1,a b' } } }, 'params.age'],
    ['includes', { search: { projection: { includes: 'params.age,par*' } } }, 'params.age'],
    ['geometries', { search: { returned_geometries: geometry } }, geometry],
  ])('of %s must be visible', async (_name, body, column) => {
    const fault = await refusal('tag', body, { access })
    expect(fault.code).toBe('COLUMN_NOT_AVAILABLE')
    expect(fault.message).toMatch(new RegExp(`^Column ${column} is not available$`))
  })

  test('those that are visible, and the paths of the collection, may be named', async () => {
    const body = {
      tag,
      filter: { f: [[{ field: '$timestamp', op: 'gte', value: '0' }], [{ field: 'id', op: 'ne', value: 'x' }]] },
      search: { page: { sort: 'params.job,id' }, projection: { excludes: 'params.age' } },
      propagation: { field: 'params.job' },
    }
    await expect(check('tag', body, { access })).resolves.toBeDefined()
  })

  test('in public collections all of them', async () => {
    const organisations = { owner: 'foo', shared: [], public: true }
    const params = { organisations, taggable_fields: 'params.city' }
    await expect(check('tag', { tag: { path: 'params.city', value: 'v' } }, { access, params })).resolves.toBeDefined()
  })
})
