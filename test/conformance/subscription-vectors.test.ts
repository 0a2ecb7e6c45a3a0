import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openLocalServices } from '../../src/cli/local-services.ts'
import { loadSettings } from '../../src/config/load-settings.ts'
import { buildServer } from '../../src/http/server.ts'
import { stopServer } from '../../src/http/stop-server.ts'
import { loadSample } from './fixtures.ts'
import { type NotificationReceiver, startNotificationReceiver } from './notification-receiver.ts'
import { readVectors, type Vector } from './vector.ts'
import { runVector } from './vector-runner.ts'

const IDENTITY = 'x-identity'
const KEY = Buffer.alloc(32, 7).toString('base64')

const kinds: readonly { name: string; has: readonly string[]; settings: Readonly<Record<string, string>> }[] = [
  { name: 'callers are not told apart', has: ['identity-off', 'callbacks'], settings: {} },
  {
    name: 'callers are named by a header',
    has: ['identity-on', 'callbacks'],
    settings: { 'subscriptions.identity.header': IDENTITY },
  },
]

/** A whole server that tags, matches and sends. */
async function start(settings: Readonly<Record<string, string>>) {
  const directory = await mkdtemp(join(tmpdir(), 'periplus-vectors-'))
  const flags = {
    'data.directory': directory,
    'server.port': '0',
    'log.level': 'silent',
    'secrets.key': KEY,
    ...settings,
  }
  const services = await openLocalServices(loadSettings({ flags, cwd: directory }))
  const app = await buildServer(services)
  const base = await app.listen({ host: '127.0.0.1', port: 0 })
  services.tagging?.start()
  services.notifications?.start()
  const stop = async (): Promise<void> => {
    await stopServer(app, services)
    await rm(directory, { recursive: true, force: true })
  }
  return { base, stop }
}

const needsOf = ({ needs = [] }: Vector): readonly string[] => [needs].flat()

describe.each(kinds)('vectors of subscriptions, $name', ({ has, settings }) => {
  const run = Date.now().toString(36)
  let server: Awaited<ReturnType<typeof start>>
  let receiver: NotificationReceiver

  beforeAll(async () => {
    receiver = await startNotificationReceiver()
    server = await start({ 'egress.allow': receiver.base, ...settings })
    await loadSample(server.base)
  }, 60_000)
  afterAll(async () => {
    await server?.stop()
    await receiver?.stop()
  })

  for (const vector of readVectors('subscriptions').filter((one) => needsOf(one).every((need) => has.includes(need)))) {
    test(`${vector.id} ${vector.title}`, { timeout: 60_000 }, async () => {
      const callback = `${receiver.base}/${run}/${encodeURIComponent(vector.id)}`
      const environment = {
        variables: { identity: IDENTITY, admin: 'admin', callback },
        received: receiver.receivedAt,
      }
      expect(await runVector(vector, server.base, run, environment)).toBeUndefined()
    })
  }
})
