import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openLocalServices } from '../../src/cli/local-services.ts'
import { loadSettings } from '../../src/config/load-settings.ts'
import { buildServer } from '../../src/http/server.ts'
import { stopServer } from '../../src/http/stop-server.ts'
import type { RunningServer } from './engines.ts'
import { inNameSpace } from './name-space.ts'

/**
 * A whole server in this process over the cluster that the tests share, with collection references and a name space of
 * its own: what others make in the cluster is not there for it, and what it makes goes when it is stopped.
 */
export async function startClusterServer(
  clusterUrl: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<RunningServer> {
  const directory = await mkdtemp(join(tmpdir(), 'periplus-test-'))
  return startIn(clusterUrl, directory, `t-${randomUUID().slice(0, 8)}-`, settings)
}

/** Where secrets are in a cluster, deliveries need it. */
const SECRETS_KEY = Buffer.alloc(32, 7).toString('base64')

async function startIn(
  clusterUrl: string,
  directory: string,
  prefix: string,
  settings: Readonly<Record<string, string>>,
): Promise<RunningServer> {
  const flags = {
    'engine.kind': 'cluster',
    'cluster.urls': clusterUrl,
    'cluster.referenceIndex': `${prefix}references`,
    'cluster.prefix': `${prefix}p-`,
    'cluster.shards': '1',
    'cluster.replicas': '0',
    'secrets.key': SECRETS_KEY,
    'data.directory': directory,
    'server.port': '0',
    'log.level': 'silent',
    ...settings,
  }
  const services = await openLocalServices(loadSettings({ flags, cwd: directory }), {
    around: (engine) => inNameSpace(engine, `${prefix}i-`),
  })
  const app = await buildServer(services)
  const base = await app.listen({ host: '127.0.0.1', port: 0 })
  services.tagging?.start()
  services.notifications?.start()
  return {
    base,
    arrange: () => services.engine.refresh('*'),
    restart: async () => {
      await stopServer(app, services)
      return startIn(clusterUrl, directory, prefix, settings)
    },
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
