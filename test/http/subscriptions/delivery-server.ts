import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { closeLocalServices, openLocalServices } from '../../../src/cli/serve/local-services.ts'
import { loadSettings } from '../../../src/config/load-settings.ts'
import { buildServer } from '../../../src/http/server/server.ts'
import {
  type DeliveryUnderTest,
  deliveryUnderTest,
  newDelivery,
  newSubscription,
} from '../../../src/subscriptions/delivery/delivery.fixture.ts'
import type { Notifications } from '../../../src/subscriptions/notifications.ts'
import type { NewDelivery } from '../../../src/subscriptions/record/delivery-record.ts'
import type { NewSubscription } from '../../../src/subscriptions/record/subscription-record.ts'
import { sqliteEventStore } from '../../../src/subscriptions/stores/sqlite/sqlite-event-store.ts'
import { type Answer, call } from '../../support/http-client.ts'

/** A delivery, list, secret or error, as seen by clients. */
interface Seen {
  readonly id: string
  readonly state: string
  readonly error: string
  readonly message: string
  readonly secret: string
  readonly count: number
  readonly total: number
  readonly deliveries: readonly Seen[]
  readonly attempt_log: readonly Readonly<Record<string, unknown>>[]
  readonly payload: Readonly<Record<string, unknown>>
  readonly _links: Readonly<Record<string, Readonly<Record<string, string>>>>
  readonly [member: string]: unknown
}

interface DeliveryAnswer extends Answer {
  readonly seen: Seen
}

/** A server whose deliveries are inserted by the test. Nothing is matched. */
export interface DeliveryServer extends DeliveryUnderTest {
  readonly base: string
  /** Log lines of the server. */
  readonly lines: readonly string[]
  ask(method: string, path: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<DeliveryAnswer>
  subscribe(id: string, callback: string, changes?: Partial<NewSubscription>): Promise<void>
  /** Inserts deliveries of the subscription s1. */
  deliver(...ids: readonly (string | NewDelivery)[]): Promise<void>
  stop(): Promise<void>
}

export async function startDeliveryServer(flags: Readonly<Record<string, string>> = {}): Promise<DeliveryServer> {
  const directory = await mkdtemp(join(tmpdir(), 'periplus-deliveries-'))
  const settings = loadSettings({
    flags: { 'data.directory': directory, 'server.port': '0', 'log.level': 'debug', ...flags },
    cwd: directory,
  })
  const test = deliveryUnderTest(flags)
  const { subscriptions, secrets, store, delivering, file, clock } = test
  const notPart = async (): Promise<never> => {
    throw new Error('this server does not match anything')
  }
  const notifications: Notifications = {
    subscriptions,
    secrets,
    deliveries: store,
    events: sqliteEventStore(file, { dedupeMs: 1 }),
    intake: { accept: notPart },
    dispatcher: delivering,
    health: async () => ({ ok: true, detail: '' }),
    start: () => undefined,
    stop: async () => undefined,
  } as Notifications
  const opened = await openLocalServices(settings)
  const lines: string[] = []
  const log = { write: (line: string): void => void lines.push(line) }
  const app = await buildServer({ ...opened, notifications, now: () => clock.now() }, { log })
  const base = await app.listen({ host: '127.0.0.1', port: 0 })
  delivering.start()
  return {
    ...test,
    base,
    lines,
    ask: async (method, path, body, headers = {}) => {
      const answer = await call(base, { method, path, headers, body })
      return { ...answer, seen: (answer.text === '' ? {} : answer.json()) as Seen }
    },
    subscribe: async (id, callback, changes = {}) => {
      await subscriptions.insert({ ...newSubscription(id, callback), ...changes })
    },
    deliver: (...ids) => test.insert(...ids.map((id) => (typeof id === 'string' ? newDelivery(id) : id))),
    stop: async () => {
      await app.close()
      await test.close()
      await closeLocalServices(opened)
      await rm(directory, { recursive: true, force: true })
    },
  }
}
