import { afterAll, beforeAll, expect, test } from 'vitest'
import { openReceiver, type Receiver } from '../../../src/subscriptions/delivery/receiver.fixture.ts'
import { describeEach, engines } from '../../support/engines.ts'
import type { GuardedServer } from '../access/guarded-server.ts'
import { startTwoWorlds, type TwoWorlds, tenantA, tenantB } from './two-worlds.ts'

interface Listed {
  readonly total: number
  readonly deliveries: readonly { readonly id: string; readonly state: string; readonly document_id?: string }[]
}

const ids = ['A0', 'A1', 'A2', 'A3', 'B0', 'B1', 'B2', 'B3', 'B4', 'B5']
const admin = { 'x-user': 'admin' }

describeEach(engines)('on the $name engine, the notifications of tenant A', (engine) => {
  let worlds: TwoWorlds
  let receiver: Receiver
  /** By world: the subscriptions of A, about every collection and about one. */
  const subscriptions = new Map<GuardedServer, readonly string[]>()

  beforeAll(async () => {
    receiver = await openReceiver()
    worlds = await startTwoWorlds(engine, { 'egress.allow': new URL(receiver.url).origin })
    for (const [name, world] of all()) {
      const made = [
        subscribe(world, `${name}-any`, {}),
        subscribe(world, `${name}-shared`, { collections: ['shared'] }),
      ]
      subscriptions.set(world, await Promise.all(made))
      world.notify()
      for (const collection of ['shared', 'private']) for (const id of ids) await tell(world, collection, id)
    }
  })
  afterAll(async () => {
    await worlds?.stop()
    await receiver?.close()
  })

  const all = () => [['whole', worlds.whole] as const, ['without', worlds.without] as const]

  async function ask(world: GuardedServer, method: string, path: string, headers = tenantA, body?: unknown) {
    const answer = await world.ask(path, headers, { method, ...(body === undefined ? {} : { body }) })
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`)
    return answer.json()
  }

  async function subscribe(world: GuardedServer, name: string, trigger: object): Promise<string> {
    const body = {
      ...{ created_by: 'ann', active: true, starts_at: 0, expires_at: 4_000_000_000, title: 'title' },
      subscription: {
        callback: `${receiver.url}/${name}`,
        trigger: { event: ['UPDATE'], ...trigger },
        hits: { filter: '' },
      },
    }
    return ((await ask(world, 'POST', '/subscriptions', tenantA, body)) as { readonly id: string }).id
  }

  const tell = (world: GuardedServer, collection: string, document: string) =>
    ask(world, 'POST', '/events', admin, {
      ...{ id: `${collection}-${document}`, collection, event: 'UPDATE' },
      object: { id: document },
    })

  const stateOf = async (world: GuardedServer, event: string): Promise<string> =>
    ((await ask(world, 'GET', `/events/${event}`, admin)) as { readonly state: string }).state

  const deliveriesOf = async (world: GuardedServer, id: string): Promise<Listed> =>
    (await ask(world, 'GET', `/subscriptions/${id}/deliveries?size=100`)) as Listed

  /** Without what differs between two servers: ids, times and callbacks. */
  const comparable = (text: string): string =>
    text
      .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/g, 'uuid')
      .replaceAll(/msg_[0-9a-f]+/g, 'msg')
      .replaceAll(/"(?:timestamp|time)":"[^"]*"/g, '"time"')
      .replaceAll(/(?:whole|without)-/g, '')

  const receivedBy = (name: string): readonly string[] =>
    receiver.received.filter(({ path }) => path.includes(`/${name}-`)).map(({ body }) => comparable(body))

  test('tell of the documents and columns it sees, and the same whether there are others or not', async () => {
    for (const [, world] of all()) {
      for (const event of ids.flatMap((id) => [`shared-${id}`, `private-${id}`])) {
        await expect.poll(() => stateOf(world, event)).toMatch(/^(?:MATCHED|UNRESOLVED)$/)
      }
      for (const id of subscriptions.get(world) ?? []) {
        await expect
          .poll(
            async () => (await deliveriesOf(world, id)).deliveries.filter(({ state }) => state === 'DELIVERED').length,
          )
          .toBe(4)
        expect((await deliveriesOf(world, id)).total).toBe(4)
      }
    }
    const whole = [...receivedBy('whole')].sort()
    expect(whole).toHaveLength(8)
    expect(whole).toEqual([...receivedBy('without')].sort())
    expect(whole.join('\n')).not.toMatch(/leak|bv|"B\d"|private/)
    expect(whole.join('\n')).toMatch(/"seen":"av0"/)
  })

  test('are listed and read as they were sent, without a trace of others', async () => {
    for (const id of subscriptions.get(worlds.whole) ?? []) {
      const { deliveries } = await deliveriesOf(worlds.whole, id)
      expect(deliveries.map((one) => one.document_id).sort()).toEqual(['A0', 'A1', 'A2', 'A3'])
      for (const { id: delivery } of deliveries) {
        const whole = JSON.stringify(await ask(worlds.whole, 'GET', `/subscriptions/${id}/deliveries/${delivery}`))
        expect(whole).not.toMatch(/leak|bv|"B\d"|private/)
      }
    }
  })

  test('are shown to nobody else, and to itself only as far as it still sees', async () => {
    const [id = ''] = subscriptions.get(worlds.whole) ?? []
    const [delivery] = (await deliveriesOf(worlds.whole, id)).deliveries
    const paths = [`/subscriptions/${id}/deliveries`, `/subscriptions/${id}/deliveries/${delivery?.id}`]
    for (const path of paths) expect((await worlds.whole.ask(path, tenantB)).status).toBe(403)
    const narrower = { ...tenantA, 'column-filter': 'shared:seen' }
    const [list = '', one = ''] = paths
    expect((await worlds.whole.ask(one, narrower)).json()).toMatchObject({ status: 403, error: 'FORBIDDEN' })
    expect((await worlds.whole.ask(list, narrower)).text).not.toContain('document_id')
  })

  test('what became of an event is not told to whoever sees a part', async () => {
    for (const event of ['shared-A0', 'shared-B0', 'private-B0', 'nowhere']) {
      const asked = all().map(async ([, world]) => (await world.ask(`/events/${event}`, { ...tenantA, ...admin })).text)
      const [whole, without] = await Promise.all(asked)
      expect(JSON.parse(whole ?? '')).toMatchObject({ status: 403, error: 'FORBIDDEN' })
      expect(whole).toBe(without)
    }
  })
})
