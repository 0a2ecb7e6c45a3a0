import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type LocalHooks, openLocalServices } from '../../src/cli/serve/local-services.ts'
import { loadSettings } from '../../src/config/load-settings.ts'
import { stopServer } from '../../src/http/health/stop-server.ts'
import { buildServer } from '../../src/http/server/server.ts'
import type { RunningServer } from './running-server.ts'

/**
 * Starts a complete server with the embedded engine in this process, on a free loopback port, with an empty data
 * directory.
 */
export async function startEmbeddedServer(
  settings: Readonly<Record<string, string>> = {},
  hooks: Pick<LocalHooks, 'steps'> = {},
): Promise<RunningServer> {
  return startIn(await mkdtemp(join(tmpdir(), 'periplus-test-')), settings, hooks)
}

async function startIn(
  directory: string,
  settings: Readonly<Record<string, string>>,
  hooks: Pick<LocalHooks, 'steps'>,
): Promise<RunningServer> {
  const flags = {
    'data.directory': directory,
    'server.port': '0',
    'log.level': 'error',
    'log.audit': 'false',
    ...settings,
  }
  const services = await openLocalServices(loadSettings({ flags, cwd: directory }), hooks)
  const app = await buildServer(services)
  const base = await app.listen({ host: '127.0.0.1', port: 0 })
  services.tagging?.start()
  services.notifications?.start()
  return {
    base,
    arrange: () => services.engine.arrange('*'),
    restart: async () => {
      await stopServer(app, services)
      return startIn(directory, settings, hooks)
    },
    stop: async () => {
      await stopServer(app, services)
      await rm(directory, { recursive: true, force: true })
    },
  }
}
