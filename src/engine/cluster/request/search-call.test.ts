import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { clusterUnderTest } from '../cluster-under-test.fixture.ts'
import { dropTestIndices, makeTestIndex } from '../test-index.fixture.ts'
import { sendSearch } from './search-call.ts'

const context = clusterUnderTest()
let index = ''

beforeAll(async () => {
  index = await makeTestIndex(context, 'search-call', {}, [{ n: 1 }, { n: 2 }])
})
afterAll(() => dropTestIndices(context, [index]))

const BODY = { size: 10, track_total_hits: true, query: { term: { n: 2 } } }
const times = (name: string, number: number): readonly string[] => Array.from({ length: number }, () => name)

describe('a search', () => {
  it.each([1, 400])('of %i names of indices answers', async (number) => {
    const { hits } = await sendSearch(context, times(index, number), BODY)
    expect(hits.total?.value).toBe(1)
    expect(hits.hits.map(({ _id }) => _id)).toEqual(['1'])
  })

  it.each([1, 400])('of %i names that no index has is refused', async (number) => {
    const answer = sendSearch(context, times('t-search-call-none', number), BODY)
    await expect(answer).rejects.toMatchObject({ status: 404, type: 'index_not_found_exception' })
  })

  it.each([1, 400])('of %i names that the cluster does not understand is refused', async (number) => {
    const answer = sendSearch(context, times(index, number), { query: { nonsense: {} } })
    await expect(answer).rejects.toMatchObject({ name: 'ClusterRefusal', status: 400 })
  })

  it('of no index is a mistake', async () => {
    await expect(sendSearch(context, [], BODY)).rejects.toThrow('needs at least one index')
  })
})
