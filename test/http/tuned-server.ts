import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openLocalServices } from '../../src/cli/serve/local-services.ts'
import { loadSettings } from '../../src/config/load-settings.ts'
import { stopServer } from '../../src/http/health/stop-server.ts'
import { buildServer } from '../../src/http/server/server.ts'
import { call } from '../support/http-client.ts'

export interface TunedServer {
  readonly base: string
  /** Returns the value of a metric, named with its labels; undefined if the server does not have it. */
  readonly metric: (name: string) => Promise<number | undefined>
  readonly stop: () => Promise<void>
}

/** Starts a complete server on the embedded engine in this process, with settings of the test. */
export async function startTunedServer(settings: Readonly<Record<string, string>>): Promise<TunedServer> {
  const directory = await mkdtemp(join(tmpdir(), 'periplus-tuned-'))
  const flags = { 'data.directory': directory, 'server.port': '0', 'log.level': 'silent', ...settings }
  const services = await openLocalServices(loadSettings({ flags, cwd: directory }))
  await services.notifications?.prepare?.()
  const app = await buildServer(services)
  const base = await app.listen({ host: '127.0.0.1', port: 0 })
  return {
    base,
    metric: async (name) => {
      const { text } = await call(base, { path: '/metrics' })
      const line = text.split('\n').find((each) => each.startsWith(`${name} `))
      return line === undefined ? undefined : Number(line.slice(name.length + 1))
    },
    stop: async () => {
      await stopServer(app, services)
      await rm(directory, { recursive: true, force: true })
    },
  }
}
