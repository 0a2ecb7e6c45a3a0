import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { unrestricted } from '../query/access/access.ts'
import type { Collections } from './collections.ts'
import { geodataBody, smallBody } from './sample-collection.fixture.ts'
import { faultOf, openTemporaryCollections, type TemporaryCollections } from './temporary-collections.fixture.ts'

let temporary: TemporaryCollections
let collections: Collections

beforeEach(() => {
  temporary = openTemporaryCollections()
  collections = temporary.collections
})
afterEach(() => temporary.close())

const put = (name: string, body: unknown, checkFields = true) =>
  collections.put(name, body, unrestricted, { checkFields })

describe('DELETE', () => {
  it('forgets the reference, once', async () => {
    await put('foo', smallBody)
    await collections.delete('foo', unrestricted)
    expect((await faultOf(collections.delete('foo', unrestricted))).code).toBe('COLLECTION_NOT_FOUND')
  })
})

describe('PATCH', () => {
  beforeEach(() => put('geodata', geodataBody))

  it('follows the example of the specification', async () => {
    const shared = await collections.patchOrganisations('geodata', { shared: ['foo.com'], public: true }, unrestricted)
    expect(shared.params.organisations).toEqual({ owner: 'foo', shared: ['foo.com'], public: true })
    const named = await collections.patchDisplayName('geodata', 'My grid', unrestricted)
    expect(named.params.display_names).toEqual({ collection: 'My grid' })
    await collections.patchFieldNames('geodata', { old: 'x' }, unrestricted)
    await collections.patchFieldNames('geodata', { id: 'Name' }, unrestricted)
    const columns = await collections.patchShapeColumns('geodata', { id: 'new_id' }, unrestricted)
    expect(columns.params.display_names).toEqual({
      collection: 'My grid',
      fields: { id: 'Name' },
      shape_columns: { id: 'new_id' },
    })
    expect(await collections.get('geodata', unrestricted)).toEqual(columns)
  })

  it.each<[object, object]>([
    [{ public: true }, { owner: 'foo', shared: ['bar'], public: true }],
    [{ _public: true }, { owner: 'foo', shared: ['bar'], public: true }],
    [{ shared: [] }, { owner: 'foo', shared: [], public: false }],
    [{ organisations: { shared: ['x'] } }, { owner: 'foo', shared: ['x'], public: false }],
    [{}, { owner: 'foo', shared: ['bar'], public: false }],
  ])('sets of organisations what %j gives', async (body, expected) => {
    expect((await collections.patchOrganisations('geodata', body, unrestricted)).params.organisations).toEqual(expected)
  })

  it('creates organisations', async () => {
    await put('foo', smallBody)
    const { params } = await collections.patchOrganisations('foo', { shared: ['x'] }, unrestricted)
    expect(params.organisations).toEqual({ shared: ['x'], public: false })
  })

  it.each([
    { public: 'yes' },
    { shared: 'foo.com' },
    ['foo.com'],
    { owner: 'me' },
    { foo: 1 },
    { organisations: { owner: 'me' } },
    { organisations: { public: true }, shared: [] },
    { organisations: 'x' },
    { public: true, _public: false },
  ])('refuses %j for organisations', async (body) => {
    expect((await faultOf(collections.patchOrganisations('geodata', body, unrestricted))).code).toBe('INVALID_BODY')
  })

  it('takes any key into a map of names', async () => {
    const names = { 'a.b': 'c', 'two\nlines': 'd', toString: 'e', '': 'f' }
    const { params } = await collections.patchFieldNames('geodata', names, unrestricted)
    expect(params.display_names?.fields).toEqual(names)
  })

  it.each([{ id: 3 }, { 'two\nlines': 3 }, ['id'], 'id', 3])('refuses %j as a map of names', async (body) => {
    expect((await faultOf(collections.patchFieldNames('geodata', body, unrestricted))).code).toBe('INVALID_BODY')
    expect((await faultOf(collections.patchShapeColumns('geodata', body, unrestricted))).code).toBe('INVALID_BODY')
  })

  it('knows the collection before it looks at the body', async () => {
    expect((await faultOf(collections.patchFieldNames('nope', 3, unrestricted))).code).toBe('COLLECTION_NOT_FOUND')
  })

  it('loses no member when several are changed at once', async () => {
    await Promise.all([
      collections.patchDisplayName('geodata', 'My grid', unrestricted),
      collections.patchFieldNames('geodata', { id: 'Name' }, unrestricted),
      collections.patchOrganisations('geodata', { public: true }, unrestricted),
    ])
    const { params } = await collections.get('geodata', unrestricted)
    expect(params.display_names).toEqual({ collection: 'My grid', fields: { id: 'Name' } })
    expect(params.organisations?.public).toBe(true)
  })
})

describe('import', () => {
  const entry = (name: string, change: object = {}) => ({ collection_name: name, params: { ...smallBody, ...change } })
  const read = (body: unknown, checkFields = true) => collections.import(body, unrestricted, { checkFields })

  it('gives back what was exported and deleted', async () => {
    await put('geodata', geodataBody)
    await put('small', smallBody)
    await collections.patchDisplayName('small', 'Small', unrestricted)
    const exported = JSON.stringify(await collections.export(unrestricted))
    await collections.delete('geodata', unrestricted)
    await collections.delete('small', unrestricted)
    expect(await read(JSON.parse(exported))).toEqual(['geodata', 'small'])
    expect(await collections.list(unrestricted)).toEqual(JSON.parse(exported))
  })

  it('takes nothing', async () => {
    expect(await read([])).toEqual([])
  })

  const bad: [unknown, string, string][] = [
    [{ collection_name: 'x' }, 'INVALID_BODY', 'file'],
    ['text', 'INVALID_BODY', 'file'],
    [[entry('a'), 3], 'INVALID_BODY', 'file[1]'],
    [[{ params: smallBody }], 'INVALID_BODY', 'file[0].collection_name'],
    [[{ collection_name: 'a' }], 'INVALID_BODY', 'file[0].params'],
    [[{ ...entry('a'), properties: {} }], 'INVALID_BODY', 'file[0].properties'],
    [[entry('a'), entry('b', { id_path: '' })], 'INVALID_BODY', 'file[1] (b)'],
    [[entry('a'), entry('a')], 'INVALID_COLLECTION', "got 'a'"],
    [[entry('a'), entry('_b')], 'INVALID_COLLECTION', 'file[1]'],
    [[entry('a'), entry('b', { id_path: 'nope' })], 'INVALID_COLLECTION', 'nope'],
    [[entry('a'), entry('b', { index_name: 'nowhere' })], 'INVALID_COLLECTION', 'file[1] (b)'],
    [[entry('a'), entry('b', { filter: { f: [[{}]] } })], 'INVALID_COLLECTION', 'file[1] (b)'],
  ]
  it.each(bad)('saves nothing of %j', async (body, code, text) => {
    const found = await faultOf(read(body))
    expect(found.code).toBe(code)
    expect(found.message).toContain(text)
    expect(await collections.list(unrestricted)).toEqual([])
  })

  it('replaces what exists and accepts a missing index with checkfields=false', async () => {
    await put('a', { ...smallBody, license_name: 'old' })
    await put('b', smallBody)
    await read([entry('c', { index_name: 'nowhere' }), entry('a')], false)
    const listed = await collections.list(unrestricted)
    expect(listed.map((r) => r.collection_name)).toEqual(['a', 'b', 'c'])
    expect(listed[0]?.params).not.toHaveProperty('license_name')
  })
})

describe('concurrent writes', () => {
  it('leave a whole reference, whatever the order', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(5), { minLength: 1, maxLength: 12 }), async (versions) => {
        await Promise.all(
          versions.map((v) => put('foo', { ...smallBody, license_name: `v${v}`, license_urls: [`u${v}`] })),
        )
        const { params } = await collections.get('foo', unrestricted)
        expect(params.license_urls).toEqual([params.license_name?.replace('v', 'u')])
      }),
      { numRuns: 10 },
    )
  })
})
