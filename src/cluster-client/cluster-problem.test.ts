import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { clusterUnderTest } from '../engine/cluster/cluster-under-test.fixture.ts'
import { Problem, problem } from '../errors.ts'
import { ClusterFailure, ClusterRefusal, type WireObject } from './cluster-client.ts'
import { engineProblem, unavailability } from './cluster-problem.ts'

const { client } = clusterUnderTest()
const index = `t-cluster-problem-${randomUUID()}`
const path = `/${index}`

beforeAll(async () => {
  const properties = {
    word: { type: 'keyword' },
    number: { type: 'integer' },
    unordered: { type: 'keyword', doc_values: false },
    stored: { type: 'keyword', index: false, doc_values: false },
    text: { type: 'text' },
  }
  await client.send({ method: 'PUT', path, body: { settings: { number_of_shards: 1 }, mappings: { properties } } })
  const bodies = [1, 1_000_000].map((number) => ({ word: `w${number}`, number, unordered: 'u', text: 't' }))
  for (const body of bodies) await client.send({ method: 'POST', path: `${path}/_doc`, query: { refresh: true }, body })
})
afterAll(async () => {
  await client.send({ method: 'DELETE', path })
  await client.close()
})

/** Returns the problem for a rejected search. */
async function searchProblem(body: WireObject, of = path): Promise<unknown> {
  const query = { allow_partial_search_results: false }
  const refusal = await client.send({ method: 'POST', path: `${of}/_search`, query, body }).catch((error) => error)
  expect(refusal).toBeInstanceOf(ClusterRefusal)
  return engineProblem(refusal)
}

describe('what the cluster refuses is', () => {
  it('an index that is not there', async () => {
    expect(await searchProblem({}, '/t-cluster-problem-absent')).toMatchObject({
      code: 'INDEX_NOT_FOUND',
      message: 'Index t-cluster-problem-absent does not exist',
    })
  })

  it('too many buckets', async () => {
    const histogram = { field: 'number', interval: 1, min_doc_count: 0 }
    expect(await searchProblem({ size: 0, aggs: { a: { histogram } } })).toMatchObject({
      code: 'LIMIT_EXCEEDED',
      message:
        'agg must not produce more buckets than search.max_buckets of the cluster; request fewer (setting limits.buckets)',
    })
  })

  it.each([
    ['too complex', '.*a.{30}'],
    ['too long', 'a'.repeat(1_001)],
  ])('a pattern that is %s', async (_title, pattern) => {
    expect(await searchProblem({ query: { regexp: { word: pattern } } })).toMatchObject({
      code: 'INVALID_FILTER',
      message: 'f has a like pattern that is too complex; simplify it',
    })
  })

  it('more conditions than it takes', async () => {
    const should = Array.from({ length: 1_100 }, (_, i) => ({ term: { word: `${i}` } }))
    expect(await searchProblem({ query: { bool: { should } } })).toMatchObject({
      code: 'LIMIT_EXCEEDED',
      message: expect.stringContaining('(setting limits.expressions)'),
    })
  })

  it.each([
    ['sorting', { sort: ['unordered'] }, 'Not supported: sorting or grouping by unordered, a field without doc values'],
    [
      'grouping',
      { aggs: { a: { terms: { field: 'unordered' } } } },
      'sorting or grouping by unordered, a field without',
    ],
    ['sorting by text', { sort: ['text'] }, 'sorting or grouping by text, a field without doc values'],
    [
      'filtering',
      { query: { term: { stored: 'x' } } },
      'Not supported: filtering by stored, a field that is not indexed',
    ],
  ])('%s by a field whose mapping rules it out', async (_title, body, message) => {
    expect(await searchProblem(body)).toMatchObject({
      code: 'NOT_IMPLEMENTED',
      message: expect.stringContaining(message),
    })
  })

  it('a page beyond its window', async () => {
    expect(await searchProblem({ from: 10_000, size: 1 })).toMatchObject({
      code: 'LIMIT_EXCEEDED',
      message: expect.stringContaining('(setting limits.window)'),
    })
  })

  it('a write to an index with a block', async () => {
    await client.send({ method: 'PUT', path: `${path}/_settings`, body: { 'index.blocks.write': true } })
    const refusal = await client.send({ method: 'POST', path: `${path}/_doc`, body: {} }).catch((error) => error)
    await client.send({ method: 'PUT', path: `${path}/_settings`, body: { 'index.blocks.write': null } })
    expect(engineProblem(refusal)).toMatchObject({
      code: 'ENGINE_UNAVAILABLE',
      message: expect.stringContaining('block'),
    })
  })

  it('our own fault when it does not understand us', async () => {
    expect(await searchProblem({ query: { nonsense: {} } })).toBeInstanceOf(ClusterRefusal)
    expect(await searchProblem({ query: { regexp: { word: '[' } } })).toBeInstanceOf(ClusterRefusal)
  })
})

describe('a cluster that cannot serve is unavailable', () => {
  it.each<[number, string, string]>([
    [401, 'security_exception', 'The cluster rejects the credentials (setting cluster.username or cluster.apiKey)'],
    [403, 'security_exception', 'The cluster user lacks a required privilege (setting cluster.username or'],
    [403, 'cluster_block_exception', 'The cluster has blocked the index or all writes'],
    [429, 'circuit_breaking_exception', 'does not have enough memory'],
    [503, 'circuit_breaking_exception', 'does not have enough memory'],
    [429, 'rejected_execution_exception', 'The cluster is overloaded'],
    [500, 'es_rejected_execution_exception', 'The cluster is overloaded'],
    [503, 'search_phase_execution_exception', 'shards or its manager are missing'],
    [503, 'no_shard_available_action_exception', 'shards or its manager are missing'],
    [502, 'unknown', 'shards or its manager are missing'],
    [500, 'node_disconnected_exception', 'shards or its manager are missing'],
    [404, 'search_context_missing_exception', 'shards or its manager are missing'],
    [400, 'index_closed_exception', 'The index is closed'],
  ])('%i %s', (status, type, message) => {
    const refusal = new ClusterRefusal(status, type, 'node-7.internal said [secret]')
    const found = engineProblem(refusal)
    expect(found).toMatchObject({ code: 'ENGINE_UNAVAILABLE', status: 503, cause: refusal })
    expect(found).toMatchObject({ message: expect.stringContaining(message) })
    expect(found instanceof Problem && found.message).not.toMatch(/internal|secret/)
    expect(found instanceof Problem && Number(found.headers['Retry-After'])).toBeGreaterThan(0)
  })

  it.each<[ClusterFailure['kind'], string, string]>([
    ['unreachable', 'ENGINE_UNAVAILABLE', 'setting cluster.urls'],
    ['certificate', 'ENGINE_UNAVAILABLE', 'setting cluster.caFile'],
    ['unreadable', 'ENGINE_UNAVAILABLE', 'setting cluster.urls'],
    ['timeout', 'ENGINE_TIMEOUT', 'setting cluster.timeoutMs'],
  ])('when it is %s', (kind, code, message) => {
    const found = engineProblem(new ClusterFailure(kind, 'connect ECONNREFUSED 10.0.0.7:9200'))
    expect(found).toMatchObject({ code, message: expect.stringContaining(message) })
    expect(found instanceof Problem && found.message).not.toContain('10.0.0.7')
  })
})

describe('everything else stays as it is', () => {
  it('problems, reasons of signals, faults', () => {
    for (const error of [problem('CONFLICT', { name: 'x' }), 'left', new TypeError('x')]) {
      expect(engineProblem(error)).toBe(error)
    }
  })

  it('and says nothing about the cluster', () => {
    expect(unavailability(new TypeError('x'))).toBeUndefined()
    expect(unavailability(new ClusterRefusal(400, 'parsing_exception', 'x'))).toBeUndefined()
    expect(unavailability(new ClusterFailure('unreadable', 'x'))).toContain('is not an Elasticsearch or OpenSearch')
  })
})
