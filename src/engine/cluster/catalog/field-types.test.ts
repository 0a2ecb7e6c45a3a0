import { randomUUID } from 'node:crypto'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import type { ClusterCall, ClusterClient } from '../../../cluster-client/cluster-client.ts'
import type { Field } from '../../../query/schema/field.ts'
import { clusterUnderTest } from '../cluster-under-test.fixture.ts'
import { readFieldTypes } from './field-types.ts'

const { client } = clusterUnderTest()
const prefix = `t-field-types-${randomUUID().slice(0, 8)}`
const [first, second] = [`${prefix}-a`, `${prefix}-b`]

const keyword = (path: string): Field => ({ path, type: 'KEYWORD', indexed: true, nested: false })

async function makeIndex(name: string, properties: Readonly<Record<string, { readonly type: string }>>): Promise<void> {
  await client.send({
    method: 'PUT',
    path: `/${name}`,
    body: { settings: { number_of_shards: 1, number_of_replicas: 0 }, mappings: { properties } },
  })
}

const drop = (name: string): Promise<unknown> =>
  client.send({ method: 'DELETE', path: `/${name}`, query: { ignore_unavailable: true } })

/** The same client, recording its calls. */
function noting(): ClusterClient & { readonly calls: ClusterCall[] } {
  const calls: ClusterCall[] = []
  return {
    calls,
    send: (call) => {
      calls.push(call)
      return client.send(call)
    },
    close: () => client.close(),
  }
}

describe('types of fields', () => {
  beforeEach(async () => {
    await Promise.all([drop(first), drop(second)])
    await makeIndex(first, { kind: { type: 'keyword' } })
    await makeIndex(second, { kind: { type: 'long' } })
  })

  afterAll(async () => {
    await Promise.all([drop(first), drop(second)])
    await client.close()
  })

  test('are told index by index', async () => {
    const types = await readFieldTypes({ client }, [first, second], [keyword('kind'), keyword('other')], [])
    expect(types.get('kind')).toEqual(
      new Map([
        ['keyword', [first]],
        ['long', [second]],
      ]),
    )
    expect(types.get('other')?.size ?? 0).toBe(0)
  })

  test('are asked for once as long as the fields are the same', async () => {
    const context = { client: noting() }
    const field = keyword('kind')
    const both = [first, second]
    const asking = [1, 2].map(() => readFieldTypes(context, both, [field], []))
    expect(context.client.calls).toHaveLength(1)
    const [one, two] = await Promise.all(asking)
    expect(two).toBe(one)
    expect(await readFieldTypes(context, both, [field], [])).toBe(one)
  })

  test('of other indices, or of more fields, are asked for too', async () => {
    const context = { client: noting() }
    const field = keyword('kind')
    const asking = [
      readFieldTypes(context, [first, second], [field], []),
      readFieldTypes(context, [first], [field], []),
      readFieldTypes(context, [first], [field], ['other']),
    ]
    expect(context.client.calls).toHaveLength(3)
    await Promise.all(asking)
  })

  test('are asked for anew for the fields of another schema', async () => {
    const context = { client: noting() }
    const both = [first, second]
    const before = await readFieldTypes(context, both, [keyword('added')], [])
    expect(before.get('added')?.size ?? 0).toBe(0)
    const properties = { added: { type: 'keyword' } }
    await client.send({ method: 'PUT', path: `/${second}/_mapping`, body: { properties } })
    const after = await readFieldTypes(context, both, [keyword('added')], [])
    expect(after.get('added')).toEqual(new Map([['keyword', [second]]]))
  })

  test('are told of more indices than a path takes', async () => {
    const context = { client: noting() }
    const name = (i: number): string => `${prefix}-${'x'.repeat(200)}-${i}`
    const names = Array.from({ length: 8 }, (_, i) => name(i))
    try {
      for (const one of names) await makeIndex(one, { kind: { type: 'keyword' } })
      const types = await readFieldTypes(context, names, [keyword('kind')], [])
      expect(types.get('kind')).toEqual(new Map([['keyword', names]]))
      expect(context.client.calls.length).toBeGreaterThan(1)
    } finally {
      for (const one of names) await drop(one)
    }
  })
})
