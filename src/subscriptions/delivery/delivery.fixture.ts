import { loadSettings } from '../../config/load-settings.ts'
import { SqliteFile } from '../../storage/sqlite-file.ts'
import type { Delivery, NewDelivery } from '../record/delivery-record.ts'
import type { DeliveryStore } from '../record/delivery-store.ts'
import type { SecretStore } from '../record/secret-store.ts'
import type { NewSubscription } from '../record/subscription-record.ts'
import type { SubscriptionStore } from '../record/subscription-store.ts'
import { createSecretCipher } from '../stores/shared/secret-cipher.ts'
import { insertDeliveries, sqliteDeliveryStore } from '../stores/sqlite/sqlite-delivery-store.ts'
import { sqliteSecretStore } from '../stores/sqlite/sqlite-secret-store.ts'
import { sqliteSubscriptionStore } from '../stores/sqlite/sqlite-subscription-store.ts'
import { ManualClock } from './clock.fixture.ts'
import { createDelivery, type Delivering, type DeliveryOptions } from './create-delivery.ts'

export const T = 1_794_736_800

export const newSubscription = (id: string, callback: string): NewSubscription => ({
  id,
  created_at: T,
  modified_at: T,
  created_by_admin: false,
  deleted: false,
  created_by: 'gisaia',
  active: true,
  starts_at: 0,
  expires_at: 2 * T,
  title: 'title',
  subscription: { trigger: {}, callback, hits: { filter: '' } },
  userMetadatas: { correlationId: 'c1' },
  access: {},
})

export const newDelivery = (id: string, changes: Partial<NewDelivery> = {}): NewDelivery => ({
  id: `msg_${id}`,
  subscriptionId: 's1',
  channel: 'webhook',
  eventId: `evt-${id}`,
  collection: 'geodata',
  documentId: 'd1',
  type: 'hit.update',
  payload: `{"timestamp":"2026-11-15T10:00:00.000Z","n":"${id}"}`,
  createdAt: T,
  ...changes,
})

/** Deliveries with in-memory stores and a manual clock. */
export interface DeliveryUnderTest {
  readonly clock: ManualClock
  readonly file: SqliteFile
  readonly subscriptions: SubscriptionStore
  readonly secrets: SecretStore
  readonly store: DeliveryStore
  readonly delivering: Delivering
  /** All log entries. */
  readonly logged: string[]
  insert(...deliveries: readonly NewDelivery[]): Promise<void>
  get(id: string): Promise<Delivery | undefined>
  /** State, attempts, last status and error. */
  outcome(id: string): Promise<readonly unknown[]>
  close(): Promise<void>
}

export function deliveryUnderTest(
  flags: Readonly<Record<string, string>> = {},
  options: Partial<DeliveryOptions> = {},
): DeliveryUnderTest {
  const clock = new ManualClock(T * 1000)
  const file = SqliteFile.open(':memory:')
  const subscriptions = sqliteSubscriptionStore(file)
  const secrets = sqliteSecretStore(file, createSecretCipher(undefined))
  const store = sqliteDeliveryStore(file, () => clock.now())
  const logged: string[] = []
  const write = (details: object, message: string): void => {
    logged.push(`${message} ${Object.values(details).map(String).join(' ')}`)
  }
  const delivering = createDelivery({
    settings: loadSettings({ flags: { 'egress.allow': '127.0.0.1', ...flags } }),
    version: '1.2.3',
    base: () => 'https://geo.example.com',
    isShared: false,
    log: { warn: write, error: write },
    random: () => 0,
    ...{ clock, subscriptions, secrets, deliveries: store },
    ...options,
  })
  const get = async (id: string): Promise<Delivery | undefined> => (await store.get('s1', `msg_${id}`))[0]
  return {
    ...{ clock, file, subscriptions, secrets, store, delivering, logged, get },
    insert: (...deliveries) => file.commit(() => insertDeliveries(file.database, deliveries)),
    outcome: async (id) => {
      const found = await get(id)
      return [found?.state, found?.attempts, found?.lastStatus, found?.lastError]
    },
    close: async () => {
      await delivering.stop()
      file.close()
    },
  }
}
