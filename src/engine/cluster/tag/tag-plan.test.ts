import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { WireObject } from '../../../cluster-client/cluster-client.ts'
import type { FieldType } from '../../../model/field-type.ts'
import { everything, type Predicate, type Scalar } from '../../../query/plan/predicate.ts'
import type { Field } from '../../../query/schema/field.ts'
import type { Leadership } from '../../tag-store.ts'
import { fieldOf } from '../test-index.fixture.ts'
import { execute, tagDeployment, tagsOf, taskOn } from './tag-store.fixture.ts'

const deployment = tagDeployment('tag-plan')
const tags = tagsOf(deployment.server())
let leadership: Leadership

beforeAll(async () => {
  leadership = await tags.lead(new AbortController().signal)
})
afterAll(async () => {
  await leadership.resign()
  await deployment.close()
})

const job = fieldOf('job', 'KEYWORD')
const equals = (field: Field, ...values: readonly Scalar[]): Predicate => ({ kind: 'equals', field, values })
const { signal } = new AbortController()

async function taggedIn(index: string): Promise<readonly string[]> {
  const found = await deployment.sources(index)
  return [...found].flatMap(([id, source]) => (source.tags === undefined ? [] : [id])).sort()
}

describe('selection', () => {
  test('tags what the target selects, in several indices', async () => {
    const properties = { job: { type: 'keyword' } }
    const first = await deployment.makeIndex(properties, [{ job: 'Actor' }, { job: 'Coder' }], 3)
    const second = await deployment.makeIndex(properties, [{ job: 'Coder' }, { job: 'Actor' }])
    const empty = await deployment.makeIndex({}, [])
    const status = await execute(tags, taskOn([first, second, empty], { target: equals(job, 'Actor') }))
    expect(status).toMatchObject({ propagated: 1, nbRequest: 1, updated: 2, failed: 0, failures: [], finished: true })
    expect(await taggedIn(first)).toEqual(['0'])
    expect(await taggedIn(second)).toEqual(['1'])
  })

  test('that matches nothing is one unit without propagation, and none with it', async () => {
    const index = await deployment.makeIndex({ job: { type: 'keyword' } }, [{ job: 'Actor' }])
    const target = equals(job, 'Nobody')
    const alone = await execute(tags, taskOn([index], { target }))
    expect(alone).toMatchObject({ propagated: 1, nbRequest: 1, updated: 0, finished: true })
    const task = taskOn([index], { propagation: { field: job, selection: target } })
    const status = await tags.plan(task, signal)
    expect(status).toMatchObject({ propagated: 0, nbRequest: 0, updated: 0, failed: 0, finished: true })
    expect(await tags.status(task.record.id)).toEqual(status)
    expect(await taggedIn(index)).toEqual([])
  })

  test('sees what was acknowledged before, whether searches do or not', async () => {
    const index = await deployment.makeIndex({}, [{}])
    await deployment.client.send({ method: 'PUT', path: `/${index}/_settings`, body: { refresh_interval: '-1' } })
    await deployment.client.send({ method: 'PUT', path: `/${index}/_doc/late`, body: { n: 1 } })
    expect(await execute(tags, taskOn([index]))).toMatchObject({ updated: 2 })
  })

  test('keeps documents with a routing of their own', async () => {
    const index = await deployment.makeIndex({}, [], 3)
    for (const id of ['a', 'b', 'c', 'd']) {
      const query = { routing: `r-${id}` }
      await deployment.client.send({ method: 'PUT', path: `/${index}/_doc/${id}`, query, body: { n: 1 } })
    }
    expect(await execute(tags, taskOn([index]))).toMatchObject({ updated: 4, failed: 0 })
    expect(await taggedIn(index)).toEqual(['a', 'b', 'c', 'd'])
  })
})

describe('propagation', () => {
  test('tags the documents that share a value, one unit per value', async () => {
    const documents = ['Actor', 'Coder', 'Actor', 'Cook', ['Coder', 'Cook', 'Coder']].map((value, n) => ({
      job: value,
      n,
    }))
    const index = await deployment.makeIndex({ job: { type: 'keyword' }, n: { type: 'long' } }, documents)
    const selection: Predicate = { kind: 'range', field: fieldOf('n', 'LONG'), upper: { value: 1n, inclusive: true } }
    const target: Predicate = {
      kind: 'not',
      member: { kind: 'equals', field: fieldOf('n', 'LONG'), values: [0n] },
    }
    const status = await execute(tags, taskOn([index], { target, propagation: { field: job, selection } }))
    expect(status).toMatchObject({ propagated: 2, nbRequest: 2, updated: 3, finished: true })
    expect(await taggedIn(index)).toEqual(['1', '2', '4'])
  })

  test('counts a document with two values in both units', async () => {
    const index = await deployment.makeIndex({ job: { type: 'keyword' } }, [{ job: ['a', 'b'] }, { job: 'b' }])
    const status = await execute(tags, taskOn([index], { propagation: { field: job, selection: everything } }))
    expect(status).toMatchObject({ propagated: 2, nbRequest: 2, updated: 3 })
  })

  test('takes 7 and "7" in a keyword field for one value, and values with commas for one', async () => {
    const documents = [{ job: 7 }, { job: '7' }, { job: 'a,b:[c]' }, { job: null }, {}, { job: true }, { job: 'true' }]
    const index = await deployment.makeIndex({ job: { type: 'keyword' } }, documents)
    const status = await execute(tags, taskOn([index], { propagation: { field: job, selection: everything } }))
    expect(status).toMatchObject({ propagated: 3, nbRequest: 3, updated: 5 })
    expect(await taggedIn(index)).toEqual(['0', '1', '2', '5', '6'])
  })

  /** Field type, mapping, values that each occur in two documents, and number of distinct values. */
  const typed: readonly (readonly [FieldType, WireObject, readonly unknown[], number])[] = [
    ['LONG', { type: 'long' }, [7, '7', 7.0, 9007199254740993n, -1], 3],
    ['DOUBLE', { type: 'double' }, [0.1, 0, -0.0, 1e300], 3],
    ['FLOAT', { type: 'float' }, [0.1, 0.5, [0.5, 0.5]], 2],
    ['BOOLEAN', { type: 'boolean' }, [true, 'true', false], 2],
    ['DATE', { type: 'date' }, ['2020-01-01', 1577836800000, -5, '1969-12-31T23:59:59.995Z'], 2],
    ['DATE', { type: 'date_nanos' }, ['2020-01-01T00:00:00.123456789Z', '2020-01-01T00:00:00.123456999Z', 5], 2],
    ['IP', { type: 'ip' }, ['10.0.0.1', '::ffff:10.0.0.1', '::1'], 2],
  ]
  for (const [type, mapping, values, count] of typed) {
    test(`by a field of type ${mapping.type}`, async () => {
      const documents = values.map((value) => ({ f: value })) as WireObject[]
      const index = await deployment.makeIndex({ f: mapping }, documents)
      const field = fieldOf('f', type)
      const task = taskOn([index], { propagation: { field, selection: everything }, maxHits: 10 })
      const status = await execute(tags, task)
      expect(status).toMatchObject({ propagated: count, nbRequest: count, updated: values.length, failed: 0 })
      expect(await taggedIn(index)).toHaveLength(values.length)
    })
  }

  test('over several indices, one of which has another type for the field', async () => {
    const properties = { job: { type: 'keyword' } }
    const first = await deployment.makeIndex(properties, [{ job: 'b' }, { job: 'd' }])
    const second = await deployment.makeIndex(properties, [{ job: 'a' }, { job: 'd' }])
    const other = await deployment.makeIndex({ job: { type: 'long' } }, [{ job: 5 }])
    const lacks = await deployment.makeIndex({ x: { type: 'long' } }, [{ x: 5 }])
    const propagation = { field: job, selection: everything }
    const task = taskOn([first, second, other, lacks], { propagation, maxHits: 1 })
    const status = await execute(tags, task)
    expect(status).toMatchObject({ propagated: 3, nbRequest: 3, updated: 2, failed: 1 })
    expect(status.failures).toMatchObject([{ id: 'd', type: 'LIMIT_EXCEEDED' }])
    expect(await taggedIn(first)).toEqual(['0'])
    expect(await taggedIn(second)).toEqual(['0'])
    expect(await taggedIn(other)).toEqual([])
  })

  test('over 20,000 values', async () => {
    const documents = Array.from({ length: 20_500 }, (_, i) => ({ job: `v${(i * 7_919) % 20_000}` }))
    const index = await deployment.makeIndex({ job: { type: 'keyword' } }, documents, 2)
    const task = taskOn([index], { propagation: { field: job, selection: everything } })
    const planned = await tags.plan(task, signal)
    expect(planned).toMatchObject({ propagated: 20_000, nbRequest: 0, updated: 0, finished: false })
    const first = await tags.apply(task, signal)
    expect(first.nbRequest).toBeGreaterThan(3_000)
    expect(first.nbRequest).toBeLessThanOrEqual(4_000)
    let status = first
    while (!status.finished) status = await tags.apply(task, signal)
    expect(status).toMatchObject({ propagated: 20_000, nbRequest: 20_000, updated: 20_500, failed: 0 })
    const query = { term: { 'tags.keyword': 'v' } }
    const path = `/${index}/_count`
    const { count } = await deployment.client.send<{ count: number }>({ method: 'POST', path, body: { query } })
    expect(count).toBe(20_500)
  })

  test('by hundreds of dates', async () => {
    const documents = Array.from({ length: 900 }, (_, i) => ({ d: 1_000 * (i % 450) }))
    const index = await deployment.makeIndex({ d: { type: 'date' } }, documents)
    const propagation = { field: fieldOf('d', 'DATE'), selection: everything }
    expect(await execute(tags, taskOn([index], { propagation }))).toMatchObject({ propagated: 450, updated: 900 })
  })
})

describe('update_max_hits', () => {
  test('fails the whole request without propagation', async () => {
    const index = await deployment.makeIndex({}, [{}, {}, {}])
    const task = taskOn([index], { maxHits: 2, collection: 'geodata' })
    const status = await execute(tags, task)
    expect(status).toMatchObject({ propagated: 1, nbRequest: 1, updated: 0, failed: 1, finished: true })
    expect(status.failures).toEqual([
      {
        id: task.record.id,
        type: 'LIMIT_EXCEEDED',
        message:
          'The request selects 3 documents, more than update_max_hits 2 of collection geodata; nothing was changed.',
      },
    ])
    expect(await taggedIn(index)).toEqual([])
  })

  test('fails units that are too large, and no others', async () => {
    const documents = ['a', 'b', 'b', 'c', 'd', 'd', 'd'].map((value) => ({ job: value }))
    const index = await deployment.makeIndex({ job: { type: 'keyword' } }, documents)
    const task = taskOn([index], { propagation: { field: job, selection: everything }, maxHits: 1 })
    const planned = await tags.plan(task, signal)
    expect(planned).toMatchObject({ propagated: 4, nbRequest: 0, failed: 2, finished: false })
    expect(planned.failures.map(({ id }) => id)).toEqual(['b', 'd'])
    expect(planned.failures[1]?.message).toMatch(/ d of job selects 3 documents, more than update_max_hits 1 of /)
    const status = await tags.apply(task, signal)
    expect(status).toMatchObject({ propagated: 4, nbRequest: 4, updated: 2, failed: 2, finished: true })
    expect(await taggedIn(index)).toEqual(['0', '3'])
  })
})

describe('the work list', () => {
  test('tells how far units are, batch by batch', async () => {
    const documents = Array.from({ length: 5_500 }, (_, i) => ({ job: i < 500 ? 'a' : i < 5_000 ? 'b' : 'c' }))
    const index = await deployment.makeIndex({ job: { type: 'keyword' } }, documents)
    const task = taskOn([index], { propagation: { field: job, selection: everything } })
    await tags.plan(task, signal)
    const first = await tags.apply(task, signal)
    expect(first).toMatchObject({ nbRequest: 1, unitDone: 3_500, unitTotal: 4_500, updated: 4_000, finished: false })
    expect(await tags.status(task.record.id)).toEqual(first)
    const last = await tags.apply(task, signal)
    expect(last).toMatchObject({ nbRequest: 3, unitDone: 0, unitTotal: 0, updated: 5_500, finished: true })
    expect(await tags.status(task.record.id)).toEqual(last)
  })
})
