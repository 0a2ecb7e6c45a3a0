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
 * A whole server in this process over the cluster that the tests share, with collection references and a name space of
 * its own: what others make in the cluster is not there for it, and what it makes goes when it is stopped.
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
  /** Whether tags and notifications are carried out, for which the cluster is asked all the time. */
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
