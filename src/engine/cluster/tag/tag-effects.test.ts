import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { clusterUrl } from '../../../../test/support/cluster-url.ts'
import type { Json, JsonObject } from '../../../model/json/document.ts'
import type { TagAction, TagValue } from '../../../model/tag-request.ts'
import { schemaOf } from '../../../query/schema/schema.ts'
import type { Leadership } from '../../tag-store.ts'
import { execute, tagDeployment, tagsOf, taskOn } from './tag-store.fixture.ts'

const deployment = tagDeployment('tag-effects')
const engine = deployment.server()
const tags = tagsOf(engine)
let leadership: Leadership

beforeAll(async () => {
  leadership = await tags.lead(new AbortController().signal)
})
afterAll(async () => {
  await leadership.resign()
  await deployment.close()
})

/** State of the document, then its field `a.b` after ADD, REMOVE and REMOVEALL of 7; undefined: unchanged. */
const cells: readonly (readonly [string, JsonObject, Json | undefined, Json | undefined, Json | undefined])[] = [
  ['absent', {}, [7], undefined, undefined],
  ['without a parent', { a: null }, [7], undefined, undefined],
  ['null', { a: { b: null } }, [7], undefined, undefined],
  ['an empty array', { a: { b: [] } }, [7], undefined, null],
  ['an array without the value', { a: { b: ['y', 'x'] } }, ['y', 'x', 7], undefined, null],
  ['an array with the value', { a: { b: ['y', 7, 'x'] } }, undefined, ['y', 'x'], null],
  ['an array with the value twice', { a: { b: [7, 'x', 7] } }, undefined, ['x'], null],
  ['an array of the value', { a: { b: [7] } }, undefined, [], null],
  ['a scalar equal to the value', { a: { b: 7 } }, [7], [], null],
  ['a scalar not equal to it', { a: { b: 'x' } }, ['x', 7], undefined, null],
  ['the text of the value', { a: { b: ['7'] } }, ['7', 7], undefined, null],
]

const actions: readonly TagAction[] = ['ADD', 'REMOVE', 'REMOVEALL']
const properties = { id: { type: 'keyword' }, a: { properties: { b: { type: 'keyword' } } } }

describe('the table of effects, on documents of a cluster', () => {
  for (const [at, action] of actions.entries()) {
    test(action, async () => {
      const others = { n: 7, list: [{ x: 1 }, null], deep: { a: { b: 7 } } }
      const documents = cells.map(([name, source]) => ({ id: name, ...others, ...source }))
      const index = await deployment.makeIndex(properties, documents)
      const value = action === 'REMOVEALL' ? null : 7
      const status = await execute(tags, taskOn([index], { action, value, path: 'a.b' }))
      expect(status).toMatchObject({ updated: cells.length, failed: 0, nbRequest: 1, propagated: 1, finished: true })
      const found = await deployment.sources(index)
      for (const [name, source, ...after] of cells) {
        const wanted = after[at]
        const a = source.a as JsonObject | undefined
        const changed = wanted === undefined ? {} : { a: { ...a, b: wanted } }
        expect(found.get(name), name).toEqual({ id: name, ...others, ...source, ...changed })
      }
    })

    test(`${action} where the structure does not fit`, async () => {
      const documents: readonly JsonObject[] = [
        { id: 'scalar', a: 3 },
        { id: 'array', a: [{ b: 1 }] },
        { id: 'object', a: { b: { c: 1 } } },
        { a: 'no id' },
        { id: 'fits', a: { b: [7] } },
      ]
      const index = await deployment.makeIndex(
        { id: { type: 'keyword' }, a: { type: 'object', enabled: false } },
        documents,
      )
      const status = await execute(tags, taskOn([index], { action, path: 'a.b', value: 7 }))
      expect(status).toMatchObject({ updated: 1, failed: 4, finished: true })
      expect(status.failures.map(({ id, type }) => `${id} ${type}`).sort()).toEqual(
        ['3 PATH_MISMATCH', 'array PATH_MISMATCH', 'object PATH_MISMATCH', 'scalar PATH_MISMATCH'].sort(),
      )
      const found = await deployment.sources(index)
      for (const document of documents.slice(0, 4)) expect([...found.values()]).toContainEqual(document)
    })
  }
})

describe('values', () => {
  const awkward: readonly TagValue[] = [
    "it's",
    '"',
    '\\',
    '$' + '{x}',
    "'); DROP",
    'ctx._source',
    '🚢',
    'é'.repeat(5_461),
    7,
    7.5,
    -0.5,
    1e300,
    12345678.5,
    0.0001,
    true,
    false,
  ]
  test('are stored as they are, found by searches, and taken away', async () => {
    const properties = { id: { type: 'keyword' }, tags: { type: 'keyword' } }
    const index = await deployment.makeIndex(
      properties,
      awkward.map((_, i) => ({ id: `d${i}` })),
    )
    const schema = schemaOf(await engine.indices(index))
    const [id, field] = [schema.lookup('id'), schema.lookup('tags')]
    if (id === undefined || field === undefined) throw new Error('no field')
    const each = (action: TagAction) =>
      Promise.all(
        awkward.map((value, i) => {
          const target = { kind: 'equals', field: id, values: [`d${i}`] } as const
          return execute(tags, taskOn([index], { value, action, target, collection: `awkward-${i}` }))
        }),
      )
    await each('ADD')
    const tagged = await deployment.sources(index)
    for (const [i, value] of awkward.entries()) {
      expect(tagged.get(`d${i}`)).toEqual({ id: `d${i}`, tags: [value] })
      const predicate = { kind: 'equals', field, values: [String(value)] } as const
      expect(await engine.count({ indices: [index], predicate })).toBe(1)
    }
    await each('REMOVE')
    for (const [name, source] of await deployment.sources(index)) expect(source).toEqual({ id: name, tags: [] })
  })

  test('7 and "7" are two elements, each untagged without the other', async () => {
    const index = await deployment.makeIndex({ id: { type: 'keyword' }, tags: { type: 'keyword' } }, [{ id: 'x' }])
    await execute(tags, taskOn([index], { value: '7' }))
    await execute(tags, taskOn([index], { value: 7 }))
    expect((await deployment.sources(index)).get('x')?.tags).toEqual(['7', 7])
    await execute(tags, taskOn([index], { value: '7', action: 'REMOVE' }))
    expect((await deployment.sources(index)).get('x')?.tags).toEqual([7])
  })
})

describe('what else a document holds', () => {
  const raw = async (index: string): Promise<string> => {
    const response = await fetch(`${clusterUrl}/${index}/_source/x`)
    return response.text()
  }

  test('keeps integers of any size, in the field and beside it', async () => {
    const properties = { tags: { type: 'keyword' }, o: { type: 'object', enabled: false } }
    const index = await deployment.makeIndex(properties, [])
    const text = '{"id":"x","n":123456789012345678,"o":{"m":[18446744073709551615]},"tags":[9007199254740993]}'
    await deployment.client.send({ method: 'POST', path: `/${index}/_bulk`, body: `{"index":{"_id":"x"}}\n${text}\n` })
    await execute(tags, taskOn([index], { value: 7 }))
    expect(await raw(index)).toBe(text.replace('93]', '93,7]'))
  })

  test('keeps keys with dots as they are', async () => {
    const index = await deployment.makeIndex({}, [
      { id: '1', 'a.b': 'x', a: { c: 1 } },
      { id: '2', a: { c: 1 } },
      { id: '3' },
    ])
    await execute(tags, taskOn([index], { path: 'a.b' }))
    const found = await deployment.sources(index)
    expect(found.get('1')).toEqual({ id: '1', 'a.b': ['x', 'v'], a: { c: 1 } })
    expect(found.get('2')).toEqual({ id: '2', a: { c: 1, b: ['v'] } })
    expect(found.get('3')).toEqual({ id: '3', a: { b: ['v'] } })
  })
})

describe('indices made here', () => {
  test('learn the field as from a load', async () => {
    const index = `${deployment.prefix}ours`
    await engine.createIndex(index, { properties: { id: { type: 'keyword' } } })
    await engine.write(index, [{ kind: 'index', id: 'x', source: { id: 'x' } }])
    await execute(tags, taskOn([index], { path: 'tags', value: 'v' }))
    const field = schemaOf(await engine.indices(index)).lookup('tags')
    expect(field?.type).toBe('KEYWORD')
    if (field === undefined) throw new Error('no field')
    expect(await engine.count({ indices: [index], predicate: { kind: 'equals', field, values: ['v'] } })).toBe(1)
  })

  test('refuse what the field cannot hold, document by document', async () => {
    const index = `${deployment.prefix}ours-typed`
    await engine.createIndex(index, { properties: { id: { type: 'keyword' }, n: { type: 'long' } } })
    await engine.write(index, [
      { kind: 'index', id: '1', source: { id: 'one', n: 1 } },
      { kind: 'index', id: '2', source: { id: 'two' } },
    ])
    const status = await execute(tags, taskOn([index], { path: 'n', value: 'no number' }))
    expect(status).toMatchObject({ updated: 0, failed: 2, finished: true })
    expect(status.failures.map(({ id, type }) => [id, type]).sort()).toEqual([
      ['one', 'VALUE_REFUSED'],
      ['two', 'VALUE_REFUSED'],
    ])
    expect((await deployment.sources(index)).get('1')).toEqual({ id: 'one', n: 1 })
  })

  test('of others refuse too', async () => {
    const index = await deployment.makeIndex({ id: { type: 'keyword' }, n: { type: 'long' } }, [{ id: 'one', n: 1 }])
    const status = await execute(tags, taskOn([index], { path: 'n', value: 'no number' }))
    expect(status).toMatchObject({ updated: 0, failed: 1, failures: [{ id: 'one', type: 'VALUE_REFUSED' }] })
  })
})
