import { randomUUID } from 'node:crypto'
import { afterAll, describe, expect, test } from 'vitest'
import { clusterUnderTest } from '../engine/cluster/cluster-under-test.fixture.ts'
import { ClusterIndex } from './cluster-index.ts'
import { ClusterSequence, NUMBER_PROPERTIES, sequenceId } from './cluster-index-sequence.ts'

const { client } = clusterUnderTest()
const base = `t-cluster-index-${randomUUID().slice(0, 8)}`
const names: string[] = []

function newIndex(): ClusterIndex {
  const name = `${base}-${names.length}`
  names.push(name)
  return new ClusterIndex({ client, name, properties: { ...NUMBER_PROPERTIES, n: { type: 'long' } } })
}

afterAll(async () => {
  for (const name of names) {
    await client.send({ method: 'DELETE', path: `/${name}`, query: { ignore_unavailable: true } })
  }
  await client.close()
})

describe('an index of our own', () => {
  test('that does not exist holds nothing', async () => {
    const index = newIndex()
    expect(await index.get('a')).toBeUndefined()
    expect(await index.getAll(['a', 'b'])).toEqual([undefined, undefined])
    expect(await index.search({ query: { match_all: {} } })).toMatchObject({ hits: { hits: [] } })
    await index.refresh()
    await index.deleteMatching({ match_all: {} })
    expect(await new ClusterSequence(index).end()).toBe(0)
    expect(await client.send<boolean>({ method: 'HEAD', path: `/${index.name}` })).toBe(false)
  })

  test('is made at the first write, hidden, by whoever is first', async () => {
    const index = newIndex()
    const other = new ClusterIndex({ client, name: index.name, properties: {} })
    await Promise.all([index.put('a', { n: 1 }), other.put('b', { n: 2 })])
    type Answer = Record<string, { settings: { index: { hidden: string } } }>
    const found = await client.send<Answer>({ method: 'GET', path: `/${index.name}` })
    expect(found[index.name]?.settings.index.hidden).toBe('true')
    expect((await index.getAll<{ n: number }>(['b', 'c', 'a'])).map((record) => record?.source.n)).toEqual([
      2,
      undefined,
      1,
    ])
  })

  test('is read by others while it is being made', async () => {
    for (let round = 0; round < 5; round++) {
      const index = newIndex()
      const other = new ClusterIndex({ client, name: index.name, properties: {} })
      let isMade = false
      const making = index.put('a', { n: 1 }).finally(() => {
        isMade = true
      })
      while (!isMade) {
        await Promise.all([other.get('a'), other.getAll(['a']), other.search({ query: { match_all: {} } })])
      }
      await making
      expect((await other.get('a'))?.source).toEqual({ n: 1 })
    }
  })

  test('changes documents only over the write they were read from', async () => {
    const index = newIndex()
    const version = await index.put('a', { n: 1 }, { over: 'absent' })
    expect(version).toBeDefined()
    expect(await index.put('a', { n: 2 }, { over: 'absent' })).toBeUndefined()
    if (version === undefined) throw new Error('not written')
    expect(await index.put('a', { n: 3 }, { over: version })).toBeDefined()
    expect(await index.put('a', { n: 4 }, { over: version })).toBeUndefined()
    expect((await index.get<{ n: number }>('a'))?.source).toEqual({ n: 3 })
  })

  test('reads parts of documents, and removes several', async () => {
    const index = newIndex()
    await index.put('a', { n: 1, text: 'long' })
    await index.put('b', { n: 2 })
    expect((await index.getAll(['a'], undefined, ['n']))[0]?.source).toEqual({ n: 1 })
    await index.deleteAll(['a', 'nobody'])
    expect(await index.get('a')).toBeUndefined()
    expect(await index.get('b')).toBeDefined()
  })
})

describe('a sequence', () => {
  test('is numbered without gaps, whoever appends', async () => {
    const index = newIndex()
    const [one, other] = [new ClusterSequence(index), new ClusterSequence(index)]
    const some = (from: string) => Array.from({ length: 5 }, (_, i) => ({ from, i }))
    const appended = await Promise.all([one.append(0, some('one')), other.append(0, some('other'))])
    const numbers = appended.flat().map((outcome) => ('number' in outcome ? outcome.number : -1))
    const { entries, beyond } = await one.read<{ from: string; number: number }>(0, 50)
    expect(beyond).toBeUndefined()
    expect(entries.map(({ number, source }) => [number, source.number])).toEqual(entries.map((_, i) => [i, i]))
    expect(numbers.every((number) => number >= 0)).toBe(true)
    expect(new Set(numbers).size).toBe(10)
    expect(await one.end()).toBe(entries.length)
  })

  test('tells of entries behind a number that is missing', async () => {
    const index = newIndex()
    const sequence = new ClusterSequence(index)
    await sequence.append(0, [{}, {}])
    await index.put(sequenceId(4), { number: 4 })
    expect(await sequence.read(0, 10)).toMatchObject({ entries: [{ number: 0 }, { number: 1 }], beyond: 4 })
    expect(await sequence.read(2, 10)).toEqual({ entries: [], beyond: 4 })
    expect(await sequence.read(4, 10)).toMatchObject({ entries: [{ number: 4 }] })
  })
})
