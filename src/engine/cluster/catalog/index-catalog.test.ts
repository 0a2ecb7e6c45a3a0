import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { WireObject } from '../../../cluster-client/cluster-client.ts'
import { clusterUnderTest } from '../cluster-under-test.fixture.ts'
import { IndexCatalog } from './index-catalog.ts'

const context = clusterUnderTest()
const { client } = context
const base = `t-index-catalog-${randomBytes(4).toString('hex')}`
const [one, two, closed, hidden, dot] = ['one', 'two', 'closed', 'hidden']
  .map((name) => `${base}-${name}`)
  .concat([`.${base}-dot`]) as [string, string, string, string, string]
const ours = `${base}-ours`

const settings = (others: WireObject = {}) => ({ number_of_replicas: 0, ...others })
const put = (name: string, properties: WireObject, others: WireObject = {}) =>
  client.send({ method: 'PUT', path: `/${name}`, body: { mappings: { properties }, settings: settings(others) } })
const alias = (index: string, name: string, how: WireObject = {}): WireObject => ({
  add: { index, alias: `${base}-${name}`, ...how },
})
const names = async (pattern: string) => (await new IndexCatalog(context).indices(pattern)).map(({ name }) => name)

beforeAll(async () => {
  await put(one, { x: { type: 'text', fields: { raw: { type: 'keyword' } } }, only_one: { type: 'long' } })
  await put(two, { x: { type: 'keyword' }, only_two: { type: 'ip' } })
  await put(closed, {})
  await put(hidden, {}, { 'index.hidden': true })
  await put(dot, {}, { 'index.hidden': true })
  await client.send({ method: 'POST', path: `/${closed}/_close` })
  const actions = [
    alias(one, 'both'),
    alias(two, 'both'),
    alias(one, 'some', { filter: { term: { only_one: 1 } } }),
    alias(two, 'some'),
    alias(one, 'routed', { routing: '7' }),
  ]
  await client.send({ method: 'POST', path: '/_aliases', body: { actions } })
})
afterAll(async () => {
  for (const name of [one, two, closed, hidden, dot, ours, `${ours}-2`]) {
    await client.send({ method: 'DELETE', path: `/${name}`, query: { ignore_unavailable: true } })
  }
  await client.close()
})

describe('indices of a cluster', () => {
  test('are found by name, by pattern and by alias, in name order', async () => {
    expect(await names(one)).toEqual([one])
    expect(await names(`${base}-*`)).toEqual([one, two])
    expect(await names(`${base}-both`)).toEqual([one, two])
    expect(await names(`${base}-bo*`)).toEqual([one, two])
    expect(await names(`${base}-none`)).toEqual([])
    expect(await names(`${base}-none*`)).toEqual([])
  })

  test('are left out when they are closed, or hidden and not named', async () => {
    expect(await names(closed)).toEqual([])
    expect(await names(hidden)).toEqual([hidden])
    expect(await names(`.${base}*`)).toEqual([dot])
    expect(await names('*')).not.toContain(dot)
  })

  test.each(['', `${one},${two}`, '_all', '_cat', '-x', '..', 'UPPER', '<x-{now/d}>', 'a/b', 'a?b', 'a#b'])(
    '%j names none',
    async (pattern) => {
      expect(await names(pattern)).toEqual([])
    },
  )

  test('an alias that shows a part is asked under its own name', async () => {
    const [info, ...others] = await new IndexCatalog(context).indices(`${base}-some`)
    expect(others).toEqual([])
    expect(info?.name).toBe(`${base}-some`)
    expect(Object.keys(info?.mapping.properties ?? {})).toEqual(['only_one', 'x', 'only_two'])
    expect(await names(`${base}-routed`)).toEqual([`${base}-routed`])
    expect(await names(`${base}-some*`)).toEqual([`${base}-some`])
    // an index matched by its own name exposes all documents
    expect(await names(`${base}-*o*`)).toEqual([one, two])
  })

  test('tell when they do not keep their documents, by name and by alias', async () => {
    const name = `${base}-unkept`
    const mappings = { _source: { enabled: false }, properties: {} }
    const aliases = { [`${name}-some`]: { filter: { match_all: {} } } }
    await client.send({ method: 'PUT', path: `/${name}`, body: { mappings, aliases, settings: settings() } })
    try {
      const catalog = new IndexCatalog(context)
      for (const asked of [name, `${name}-some`]) {
        expect(await catalog.indices(asked)).toMatchObject([{ name: asked, keepsSources: false }])
      }
      expect((await catalog.indices(one))[0]).not.toHaveProperty('keepsSources')
    } finally {
      await client.send({ method: 'DELETE', path: `/${name}` })
    }
  })

  test('hand out the same mapping until it changes, and then soon another', async () => {
    const catalog = new IndexCatalog(context)
    const [before] = await catalog.indices(one)
    expect((await catalog.indices(one))[0]?.mapping).toBe(before?.mapping)
    expect((await catalog.indices(`${base}-on*`))[0]?.mapping).toBe(before?.mapping)
    await catalog.extend(two, { properties: { later: { type: 'long' } } })
    expect((await catalog.indices(one))[0]?.mapping).toBe(before?.mapping)
    expect((await catalog.indices(two))[0]?.mapping.properties.later).toEqual({ type: 'long' })
  })

  test('know how many documents they have', async () => {
    const catalog = new IndexCatalog(context)
    const document = (name: string, id: string, body: WireObject) =>
      client.send({ method: 'PUT', path: `/${name}/_doc/${id}`, query: { refresh: true }, body })
    await document(one, '1', { only_one: 1 })
    await document(one, '2', { only_one: 2 })
    expect(await catalog.documentCounts(`${base}-*`)).toEqual(
      new Map([
        [one, 2],
        [two, 0],
      ]),
    )
    expect(await catalog.documentCounts(`${base}-some`)).toEqual(new Map([[`${base}-some`, 1]]))
    expect(await catalog.documentCounts(`${base}-none`)).toEqual(new Map())
  })
})

describe('indices made here', () => {
  const catalog = new IndexCatalog({ ...context, newIndices: { shards: 2, replicas: 0 } })

  test('are made, extended and dropped', async () => {
    await catalog.create(ours, { dynamic: 'strict', properties: { a: { type: 'long' }, o: { properties: {} } } })
    const [info] = await catalog.indices(ours)
    expect(info).toMatchObject({
      name: ours,
      mapping: { dynamic: 'strict', properties: { a: { type: 'long' }, o: { type: 'object', properties: {} } } },
    })
    await expect(catalog.create(ours, { properties: {} })).rejects.toMatchObject({ code: 'CONFLICT' })
    await catalog.extend(ours, {
      dynamic: true,
      properties: { a: { type: 'long' }, o: { dynamic: false, properties: { b: { type: 'keyword' } } } },
    })
    expect((await catalog.indices(ours))[0]?.mapping).toEqual({
      dynamic: true,
      properties: { a: { type: 'long' }, o: { type: 'object', properties: { b: { type: 'keyword' } } } },
    })
    await expect(catalog.extend(ours, { properties: { o: { properties: { b: { type: 'ip' } } } } })).rejects.toThrow(
      "o.b has type keyword; the type of a field cannot be changed, got 'ip'",
    )
    const answer = await client.send<WireObject>({ method: 'GET', path: `/${ours}/_settings` })
    expect(answer[ours]).toMatchObject({ settings: { index: { number_of_shards: '2', max_regex_length: '20000' } } })
    await catalog.drop(ours)
    expect(await catalog.indices(ours)).toEqual([])
    await expect(catalog.drop(ours)).rejects.toMatchObject({ code: 'INDEX_NOT_FOUND' })
    await expect(catalog.extend(ours, { properties: {} })).rejects.toMatchObject({ code: 'INDEX_NOT_FOUND' })
  })

  test('names that are none, or belong to something else, are refused', async () => {
    await expect(catalog.create('Not*Good', { properties: {} })).rejects.toMatchObject({ code: 'INVALID_INDEX' })
    await expect(catalog.create(`${base}-both`, { properties: {} })).rejects.toMatchObject({ code: 'CONFLICT' })
    await expect(catalog.drop(`${base}-both`)).rejects.toMatchObject({ code: 'INVALID_INDEX' })
    for (const name of [`${base}-*`, `${one},${two}`, '_all', '*']) {
      await expect(catalog.drop(name)).rejects.toMatchObject({ code: 'INDEX_NOT_FOUND' })
    }
    expect(await names(`${base}-both`)).toEqual([one, two])
  })

  test('a mapping the cluster cannot have is refused with its reason', async () => {
    const format = "yyyy-MM-dd'T'HH:mm:ss{"
    await expect(catalog.create(`${ours}-2`, { properties: { d: { type: 'date', format } } })).rejects.toMatchObject({
      code: 'INVALID_INDEX',
      message: expect.stringContaining(format),
    })
  })
})
