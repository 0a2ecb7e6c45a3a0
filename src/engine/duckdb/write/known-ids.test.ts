import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { everything } from '../../../query/plan/predicate.ts'
import type { WriteOperation } from '../../engine.ts'
import { TaggedEngine } from '../tagged-engine.fixture.ts'

const DOCUMENTS = 25_000
const MANY = 700

let tagged: TaggedEngine

beforeAll(async () => {
  tagged = await TaggedEngine.open({})
  await tagged.engine.createIndex('things', { properties: { n: { type: 'integer' } } })
  const operations = Array.from({ length: DOCUMENTS }, (_, n) => index(`d${n}`, n))
  await tagged.engine.write('things', operations)
  await tagged.engine.arrange('things')
})
beforeEach(() => tagged.restart())
afterAll(() => tagged.close())

const index = (id: string, n: number): WriteOperation => ({ kind: 'index', id, source: { n } })
const create = (id: string): WriteOperation => ({ kind: 'create', id, source: {} })

async function outcomes(...operations: WriteOperation[]): Promise<readonly unknown[]> {
  return (await tagged.engine.write('things', operations)).map((result) => (result.ok ? result.result : result.status))
}

describe('the ids of an index that was there at the start', () => {
  it('are found by writes of few', async () => {
    expect(await outcomes(index('d1', -1))).toEqual(['updated'])
    expect(await outcomes(create('d2'), index('once', 1))).toEqual([409, 'created'])
    expect(await outcomes({ kind: 'delete', id: 'once' }, { kind: 'delete', id: 'never' })).toEqual(['deleted', 404])
    for (const id of ['d3', 'd20000', 'd22222', 'd24999']) expect(await outcomes(index(id, -3))).toEqual(['updated'])
    expect(await outcomes(index('d24997', -4), index('d1', -5), create('d2'))).toEqual(['updated', 'updated', 409])
    expect(await outcomes(index('new', 1))).toEqual(['created'])
    expect(await outcomes({ kind: 'delete', id: 'new' })).toEqual(['deleted'])
    expect(await tagged.engine.count({ indices: ['things'], predicate: everything })).toBe(DOCUMENTS)
  })

  it('are found by a write of many', async () => {
    const many = Array.from({ length: MANY }, (_, n) => index(`d${n * 5}`, n))
    expect(new Set(await outcomes(...many))).toEqual(new Set(['updated']))
    const all = Array.from({ length: DOCUMENTS }, (_, n) => create(`d${n}`))
    expect(new Set(await outcomes(...all))).toEqual(new Set([409]))
  })

  it('are found whatever is in them', async () => {
    const awkward = ['a\u001fb', 'c\nd', '\u001f', 'é 漢 😀', "'", '"', '\\u001f', 'x'.repeat(500)]
    const parts = ['a', 'b', 'c', 'd']
    expect(new Set(await outcomes(...awkward.map(create)))).toEqual(new Set(['created']))
    await tagged.restart()
    await outcomes(...Array.from({ length: MANY }, (_, n) => index(`d${n}`, n)))
    expect(new Set(await outcomes(...awkward.map(create)))).toEqual(new Set([409]))
    expect(new Set(await outcomes(...parts.map(create)))).toEqual(new Set(['created']))
    const gone = await outcomes(...[...awkward, ...parts].map((id): WriteOperation => ({ kind: 'delete', id })))
    expect(new Set(gone)).toEqual(new Set(['deleted']))
  })

  it('are each stored once by writes that come at the same time', async () => {
    const writes = Array.from({ length: 12 }, (_, i) => outcomes(index('both', i), index(`d${i}`, i)))
    const [first, ...others] = await Promise.all(writes)
    expect(first).toEqual(['created', 'updated'])
    for (const other of others) expect(other).toEqual(['updated', 'updated'])
    expect(await tagged.engine.count({ indices: ['things'], predicate: everything })).toBe(DOCUMENTS + 1)
    expect(await outcomes({ kind: 'delete', id: 'both' })).toEqual(['deleted'])
  })
})
