import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { describeEach, engines } from '../support/engines.ts'
import type { RunningServer } from '../support/running-server.ts'
import { forCluster } from './cluster-vectors.ts'
import { loadSample } from './fixtures.ts'
import { implementedTopics, readVectors } from './vector.ts'
import { runVector } from './vector-runner.ts'

describeEach(engines)('vectors on the $name engine', (engine) => {
  const run = Date.now().toString(36)
  let server: RunningServer

  beforeAll(async () => {
    server = await engine.start()
    await loadSample(server.base)
  })
  afterAll(() => server?.stop())

  describe.each(implementedTopics)('%s', (topic) => {
    const vectors = readVectors(topic).filter((v) => engine.exactBorders || !v.tags?.includes('border'))
    for (const vector of vectors) {
      test(`${vector.id} ${vector.title}`, async () => {
        const adapted = engine.name === 'cluster' ? forCluster(vector) : vector
        expect(await runVector(adapted, server.base, run)).toBeUndefined()
      })
    }
  })
})
