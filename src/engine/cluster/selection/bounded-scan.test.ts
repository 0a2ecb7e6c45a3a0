import { afterAll, beforeAll, expect, it } from 'vitest'
import { everything } from '../../../query/plan/predicate.ts'
import { clusterUnderTest } from '../cluster-under-test.fixture.ts'
import { dropTestIndices, makeTestIndex } from '../test-index.fixture.ts'
import { readMatching } from './selection-scan.ts'

const context = clusterUnderTest(200)
let index = ''

beforeAll(async () => {
  const documents = Array.from({ length: 200 }, (_, n) => ({ n, more: 'x' }))
  index = await makeTestIndex(context, 'bounded-scan', {}, documents)
})
afterAll(() => dropTestIndices(context, [index]))

async function read(limits: { readonly scan: number }, indices = [index]): Promise<readonly unknown[]> {
  const sources: unknown[] = []
  const selection = { indices, predicate: everything }
  for await (const batch of readMatching({ ...context, limits }, selection, { primitive: 'magic', paths: ['n'] })) {
    sources.push(...batch.map(({ source }) => source))
  }
  return sources
}

it('reads as many documents as the limit allows, and of them what is wanted', async () => {
  const sources = await read(context.limits)
  expect(sources).toHaveLength(200)
  expect(sources).toContainEqual({ n: 7 })
})

it('refuses to read more, naming what the cluster lacks, the cluster and the setting', async () => {
  await expect(read({ scan: 199 })).rejects.toMatchObject({
    code: 'NOT_IMPLEMENTED',
    status: 501,
    message: 'Not supported by OpenSearch 3.5.0: magic over more than 199 documents (setting limits.scan)',
  })
})

it('reads nothing of no index', async () => {
  expect(await read(context.limits, [])).toEqual([])
})
