import { randomUUID } from 'node:crypto'
import { clusterUnderTest } from '../../engine/cluster/cluster-under-test.fixture.ts'
import { SqliteFile } from '../../storage/sqlite-file.ts'
import type { NewDelivery } from '../record/delivery-record.ts'
import type { DeliveryStore } from '../record/delivery-store.ts'
import { clusterDeliveryStore, createDeliveries, deliveryIndex } from './cluster/cluster-delivery-store.ts'
import { insertDeliveries, sqliteDeliveryStore } from './sqlite/sqlite-delivery-store.ts'

/** A delivery store with a function to insert deliveries. */
export interface OpenedDeliveries {
  readonly store: DeliveryStore
  insert(deliveries: readonly NewDelivery[]): Promise<void>
  close(): Promise<void>
}

/** Each kind of store, by name. */
export const deliveryStores: readonly (readonly [string, () => OpenedDeliveries])[] = [
  [
    'SQLite',
    () => {
      const file = SqliteFile.open(':memory:')
      const store = sqliteDeliveryStore(file)
      return {
        store,
        insert: (deliveries) => file.commit(() => insertDeliveries(file.database, deliveries)),
        close: async () => file.close(),
      }
    },
  ],
  [
    'the cluster',
    () => {
      const { client } = clusterUnderTest()
      const index = deliveryIndex(client, `t-delivery-store-${randomUUID().slice(0, 8)}-`)
      return {
        store: clusterDeliveryStore(index),
        insert: (deliveries) => createDeliveries(index, deliveries),
        close: async () => {
          await client.send({ method: 'DELETE', path: `/${index.name}`, query: { ignore_unavailable: true } })
          await client.close()
        },
      }
    },
  ],
]
