import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openLocalServices } from '../../src/cli/serve/local-services.ts'
import { loadSettings } from '../../src/config/load-settings.ts'
import { stopServer } from '../../src/http/health/stop-server.ts'
import { buildServer } from '../../src/http/server/server.ts'
import type { RunningServer } from './running-server.ts'

/** Starts a complete server in this process, assembled as by the CLI, on a cluster that only the test uses. */
export async function startServerOn(
  urls: readonly string[],
  settings: Readonly<Record<string, string>> = {},
): Promise<RunningServer> {
  const directory = await mkdtemp(join(tmpdir(), 'periplus-test-'))
  const flags = {
    'engine.kind': 'cluster',
    'cluster.urls': urls.join(','),
    'data.directory': directory,
    'server.port': '0',
    'log.level': 'silent',
    ...settings,
  }
  return startIn(directory, flags)
}

async function startIn(directory: string, flags: Readonly<Record<string, string>>): Promise<RunningServer> {
  const services = await openLocalServices(loadSettings({ flags, cwd: directory }))
  const app = await buildServer(services)
  const base = await app.listen({ host: '127.0.0.1', port: 0 })
  services.tagging?.start()
  services.notifications?.start()
  return {
    base,
    arrange: () => services.engine.refresh('*'),
    restart: async () => {
      await stopServer(app, services)
      return startIn(directory, flags)
    },
    stop: async () => {
      await stopServer(app, services)
      await rm(directory, { recursive: true, force: true })
    },
  }
}
