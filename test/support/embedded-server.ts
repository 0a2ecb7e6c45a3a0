import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type LocalHooks, openLocalServices } from '../../src/cli/serve/local-services.ts'
import { loadSettings } from '../../src/config/load-settings.ts'
import { ownScheme } from '../../src/config/own-address.ts'
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
  const directory = await mkdtemp(join(tmpdir(), 'periplus-test-'))
  const inDirectory = async (): Promise<RunningServer> => {
    const { base, arrange, close } = await startEmbeddedServerIn(directory, settings, hooks)
    return {
      base,
      arrange,
      restart: async () => {
        await close()
        return inDirectory()
      },
      stop: async () => {
        await close()
        await rm(directory, { recursive: true, force: true })
      },
    }
  }
  return inDirectory()
}

export interface EmbeddedServer {
  readonly base: string
  readonly arrange: () => Promise<void>
  /** Stops it; its data stay. */
  readonly close: () => Promise<void>
}

/** The same on a data directory. */
export async function startEmbeddedServerIn(
  directory: string,
  more: Readonly<Record<string, string>> = {},
  hooks: Pick<LocalHooks, 'steps'> = {},
): Promise<EmbeddedServer> {
  const flags = {
    'data.directory': directory,
    'server.port': '0',
    'log.level': 'error',
    'log.audit': 'false',
    ...more,
  }
  const settings = loadSettings({ flags, cwd: directory })
  const services = await openLocalServices(settings, hooks)
  const app = await buildServer(services)
  const listening = await app.listen({ host: '127.0.0.1', port: 0 })
  services.tagging?.start()
  services.notifications?.start()
  return {
    base: listening.replace(/^https?/, ownScheme(settings)),
    arrange: () => services.engine.arrange('*'),
    close: () => stopServer(app, services),
  }
}
