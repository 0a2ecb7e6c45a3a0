import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openReceiver, type Receiver } from '../../../src/subscriptions/delivery/receiver.fixture.ts'
import { type DeliveryServer, startDeliveryServer } from './delivery-server.ts'

/** Each with the status of a caller who may use it. */
const ROUTES: readonly (readonly [string, string, number])[] = [
  ['GET', 'deliveries', 200],
  ['GET', 'deliveries/msg_a', 200],
  ['POST', 'deliveries/msg_a/_redeliver', 202],
  ['POST', 'deliveries/_redeliver', 202],
  ['POST', '_test', 200],
  ['GET', 'secret', 200],
  ['POST', 'secret', 201],
]

describe('deliveries and secrets, with identity on', () => {
  let server: DeliveryServer
  let receiver: Receiver

  beforeAll(async () => {
    receiver = await openReceiver()
    server = await startDeliveryServer({ 'subscriptions.identity.header': 'X-User' })
    await server.subscribe('s1', receiver.url, { created_by: 'anna' })
    await server.deliver('a')
  })
  afterAll(async () => {
    await server.stop()
    await receiver.close()
  })

  it.each(ROUTES)('%s %s is for the owner on one side, for administrators on the other', async (method, path, good) => {
    const ask = async (side: string, user?: string) => {
      await expect.poll(async () => (await server.get('a'))?.state).toBe('DELIVERED')
      const headers = user === undefined ? {} : { 'x-user': user }
      const { status, seen } = await server.ask(method, `${side}/subscriptions/s1/${path}`, undefined, headers)
      return status < 300 ? status : `${status} ${seen.error}`
    }
    expect([await ask(''), await ask('/admin')]).toEqual(['401 UNAUTHORIZED', '401 UNAUTHORIZED'])
    expect([await ask('', 'admin'), await ask('/admin', 'anna')]).toEqual(['403 FORBIDDEN', '403 FORBIDDEN'])
    expect([await ask('', 'berta'), await ask('', 'anna')]).toEqual(['403 FORBIDDEN', good])
    expect(await ask('/admin', 'admin')).toBe(good)
  })
})
