import { randomBytes, randomUUID } from 'node:crypto'
import { afterAll, describe, expect, it } from 'vitest'
import { clusterUnderTest } from '../../engine/cluster/cluster-under-test.fixture.ts'
import { clusterDeliveryStore, createDeliveries, deliveryIndex } from '../stores/cluster/cluster-delivery-store.ts'
import { systemClock } from './clock.ts'
import { type DeliveryUnderTest, deliveryUnderTest, newDelivery, newSubscription } from './delivery.fixture.ts'
import { openReceiver } from './receiver.fixture.ts'

const { client } = clusterUnderTest()
const prefix = `t-cluster-delivery-${randomUUID().slice(0, 8)}-`
const index = deliveryIndex(client, prefix)
const opened: DeliveryUnderTest[] = []

afterAll(async () => {
  for (const one of opened) await one.close()
  await client.send({ method: 'DELETE', path: `/${index.name}`, query: { ignore_unavailable: true } })
  await client.close()
})

describe('deliveries in a cluster', () => {
  it('are sent once by whichever server comes first', async () => {
    const receiver = await openReceiver()
    const key = randomBytes(32).toString('base64')
    for (let n = 0; n < 2; n++) {
      const store = clusterDeliveryStore(deliveryIndex(client, prefix))
      const server = deliveryUnderTest(
        { 'secrets.key': key },
        { deliveries: store, isShared: true, clock: systemClock },
      )
      opened.push(server)
      await server.subscriptions.insert(newSubscription('s1', receiver.url))
      server.delivering.start()
    }
    const createdAt = Math.floor(Date.now() / 1000)
    const ids = Array.from({ length: 60 }, (_, n) => `x${n}`)
    await createDeliveries(
      index,
      ids.map((id) => newDelivery(id, { createdAt })),
    )
    const store = clusterDeliveryStore(index)
    const delivered = async () => (await store.list({ subscriptionId: 's1', state: 'DELIVERED' }, 0, 0)).total
    await expect.poll(delivered, { interval: 200 }).toBe(60)
    const seen = receiver.received.map(({ headers }) => String(headers['webhook-id']))
    expect(seen.length).toBe(60)
    expect(new Set(seen)).toEqual(new Set(ids.map((id) => `msg_${id}`)))
    await receiver.close()
  })
})
