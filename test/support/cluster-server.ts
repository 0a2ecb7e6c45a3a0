import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openClusterServices } from '../../src/cli/cluster-services.ts'
import { version } from '../../src/cli/version.ts'
import { createCollections } from '../../src/collections/collections.ts'
import { loadSettings } from '../../src/config/load-settings.ts'
import { cachedEngine } from '../../src/engine/cached-engine.ts'
import { buildServer } from '../../src/http/server.ts'
import { stopServer } from '../../src/http/stop-server.ts'
import type { RunningServer } from './engines.ts'
import { inNameSpace } from './name-space.ts'

/**
 * A whole server in this process over the cluster that the tests share, with collection references and a name space of
 * its own: what others make in the cluster is not there for it, and what it makes goes when it is stopped.
 */
export async function startClusterServer(clusterUrl: string): Promise<RunningServer> {
  const directory = await mkdtemp(join(tmpdir(), 'periplus-test-'))
  const prefix = `t-${randomUUID().slice(0, 8)}-`
  const flags = {
    'engine.kind': 'cluster',
    'cluster.urls': clusterUrl,
    'cluster.referenceIndex': `${prefix}references`,
    'cluster.shards': '1',
    'cluster.replicas': '0',
    'data.directory': directory,
    'server.port': '0',
    'log.level': 'silent',
  }
  const settings = loadSettings({ flags, cwd: directory })
  const opened = openClusterServices(settings, (error) => {
    throw error
  })
  const spaced = inNameSpace(opened.engine, `${prefix}i-`)
  const engine = settings.cache.enabled ? cachedEngine(spaced, settings.cache) : spaced
  const { store } = opened
  const collections = createCollections({ store, engine, settings, now: Date.now })
  const services = { settings, engine, store, collections, now: Date.now, version }
  const app = await buildServer(services)
  const base = await app.listen({ host: '127.0.0.1', port: 0 })
  return {
    base,
    arrange: () => engine.refresh('*'),
    stop: async () => {
      await stopServer(app, services)
      await removeIndices(clusterUrl, prefix)
      await rm(directory, { recursive: true, force: true })
    },
  }
}

/** Clusters may refuse patterns when indices are dropped. */
async function removeIndices(clusterUrl: string, prefix: string): Promise<void> {
  const listed = await fetch(`${clusterUrl}/_cat/indices/${prefix}*?h=index&expand_wildcards=all`)
  const names = (await listed.text()).split('\n').filter((name) => name !== '')
  if (names.length > 0) await fetch(`${clusterUrl}/${names.join(',')}`, { method: 'DELETE' })
}
