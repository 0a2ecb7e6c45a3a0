import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createApiKey } from '../../../src/access/keys/api-key.ts'
import { changeKeyFile, keyFileOf } from '../../../src/access/keys/api-key-file.ts'
import { closeLocalServices, openLocalServices } from '../../../src/cli/serve/local-services.ts'
import { loadSettings } from '../../../src/config/load-settings.ts'
import { buildServer } from '../../../src/http/server/server.ts'
import { SqliteFile } from '../../../src/storage/sqlite-file.ts'
import type { Notifications } from '../../../src/subscriptions/notifications.ts'
import { createSecretCipher } from '../../../src/subscriptions/stores/shared/secret-cipher.ts'
import { sqliteDeliveryStore } from '../../../src/subscriptions/stores/sqlite/sqlite-delivery-store.ts'
import { sqliteEventStore } from '../../../src/subscriptions/stores/sqlite/sqlite-event-store.ts'
import { sqliteSecretStore } from '../../../src/subscriptions/stores/sqlite/sqlite-secret-store.ts'
import { sqliteSubscriptionStore } from '../../../src/subscriptions/stores/sqlite/sqlite-subscription-store.ts'
import { type Answer, type Call, call } from '../../support/http-client.ts'

/** A subscription as seen by clients, or the error they receive instead. */
export interface Seen {
  readonly id: string
  readonly created_at: number
  readonly modified_at: number
  readonly deleted: boolean
  readonly title: string
  readonly message: string
  readonly error: string
  readonly _links: Readonly<Record<string, { readonly href: string }>>
  readonly subscriptions: readonly Seen[]
  readonly count: number
  readonly total: number
  readonly [member: string]: unknown
}

interface SubscriptionAnswer extends Answer {
  readonly seen: Seen
}

export interface SubscriptionServer {
  readonly base: string
  readonly notifications: Notifications
  /** Calls of the dispatcher. */
  readonly dispatched: readonly string[]
  /** Clock of the server, in milliseconds. */
  now: number
  /** Creates an API key with the given rights. */
  addKey(user: string, roles: readonly string[], permissions?: readonly string[]): string
  ask(method: string, path: string, body?: unknown, headers?: Call['headers']): Promise<SubscriptionAnswer>
  /** Makes the file of subscriptions unavailable. */
  breakStore(): void
  stop(): Promise<void>
}

/** Starts a server on the embedded engine with a separate file of subscriptions. Nothing is matched or sent. */
export async function startSubscriptionServer(
  flags: Readonly<Record<string, string>> = {},
): Promise<SubscriptionServer> {
  const directory = await mkdtemp(join(tmpdir(), 'periplus-subscriptions-'))
  const settings = loadSettings({
    flags: { 'data.directory': directory, 'server.port': '0', 'log.level': 'silent', ...flags },
    cwd: directory,
  })
  const file = SqliteFile.open(join(directory, 'subscriptions.sqlite'))
  const dispatched: string[] = []
  const notifications = composeNotifications(file, dispatched)
  const server = { now: 1_794_736_800_500 }
  const opened = await openLocalServices(settings)
  const services = { ...opened, notifications, now: () => server.now }
  const cleanUp = async (): Promise<void> => {
    await closeLocalServices(opened)
    file.close()
    await rm(directory, { recursive: true, force: true })
  }
  const app = await buildServer(services).catch(async (error: unknown) => {
    await cleanUp()
    throw error
  })
  const base = await app.listen({ host: '127.0.0.1', port: 0 })
  return Object.assign(server, {
    base,
    notifications,
    dispatched,
    addKey: (user: string, roles: readonly string[], permissions: readonly string[] = []) => {
      const rights = { user, roles: [...roles], permissions: [...permissions], created: new Date().toISOString() }
      const { record, key } = createApiKey(rights)
      changeKeyFile(keyFileOf(settings), (keys) => [...keys, record])
      return key
    },
    ask: async (method: string, path: string, body?: unknown, headers: Call['headers'] = {}) => {
      const answer = await call(base, { method, path, headers, body })
      return { ...answer, seen: (answer.text === '' ? {} : answer.json()) as Seen }
    },
    breakStore: () => file.database.exec('ALTER TABLE subscription RENAME TO away'),
    stop: async () => {
      await app.close()
      await cleanUp()
    },
  })
}

function composeNotifications(file: SqliteFile, dispatched: string[]): Notifications {
  const deliveries = sqliteDeliveryStore(file)
  const notPart = async (): Promise<never> => {
    throw new Error('this server does not match or send anything')
  }
  return {
    subscriptions: sqliteSubscriptionStore(file),
    secrets: sqliteSecretStore(file, createSecretCipher(undefined)),
    events: sqliteEventStore(file, { dedupeMs: 1 }),
    deliveries,
    intake: { accept: notPart },
    dispatcher: {
      test: notPart,
      cancel: async (id) => {
        dispatched.push(`cancel ${id}`)
        await deliveries.cancel(id)
      },
      wake: () => dispatched.push('wake'),
    },
    health: async () => ({ ok: true, detail: '' }),
    start: () => undefined,
    stop: async () => undefined,
  }
}

/** Returns a valid body; `inside` changes its `subscription`. */
export const subscriptionBody = (changes: object = {}, inside: object = {}) => ({
  created_by: 'ann',
  active: true,
  starts_at: 1_564_578_988,
  expires_at: 2_145_913_200,
  title: 'title',
  userMetadatas: { correlationId: 'my-correlation-id' },
  ...changes,
  subscription: {
    trigger: { event: ['UPDATE'] },
    callback: 'https://hooks.example.com/periplus',
    hits: { filter: 'f=params.city:eq:Toulouse', projection: 'include=params.job' },
    ...inside,
  },
})
