import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type LocalHooks, openLocalServices } from '../../src/cli/serve/local-services.ts'
import { loadSettings } from '../../src/config/load-settings.ts'
import { stopServer } from '../../src/http/health/stop-server.ts'
import { buildServer } from '../../src/http/server/server.ts'
import { type ClusterSpace, clusterSpace } from './cluster-space.ts'
import type { RunningServer } from './running-server.ts'

/**
 * Starts a complete server in this process on the shared cluster, with its own collection references and name prefix:
 * it does not see what others create, and deletes what it created when it stops.
 */
export async function startClusterServer(
  clusterUrl: string,
  settings: Readonly<Record<string, string>> = {},
  looksForWork = true,
  hooks: Pick<LocalHooks, 'steps'> = {},
): Promise<RunningServer> {
  const directory = await mkdtemp(join(tmpdir(), 'periplus-test-'))
  return startIn(clusterSpace(clusterUrl), directory, settings, looksForWork, hooks)
}

async function startIn(
  space: ClusterSpace,
  directory: string,
  settings: Readonly<Record<string, string>>,
  /** Execute tags and notifications, which requires frequent calls of the cluster. */
  looksForWork: boolean,
  hooks: Pick<LocalHooks, 'steps'>,
): Promise<RunningServer> {
  const flags = {
    ...space.settings,
    'data.directory': directory,
    'server.port': '0',
    'log.level': 'silent',
    ...settings,
  }
  const services = await openLocalServices(loadSettings({ flags, cwd: directory }), { ...space.hooks, ...hooks })
  const app = await buildServer(services)
  const base = await app.listen({ host: '127.0.0.1', port: 0 })
  if (looksForWork) {
    services.tagging?.start()
    services.notifications?.start()
  }
  return {
    base,
    arrange: () => services.engine.refresh('*'),
    restart: async () => {
      await stopServer(app, services)
      return startIn(space, directory, settings, looksForWork, hooks)
    },
    stop: async () => {
      await stopServer(app, services)
      await space.remove()
      await rm(directory, { recursive: true, force: true })
    },
  }
}
