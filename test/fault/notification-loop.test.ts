import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import {
  openReceiver,
  type Received,
  type Receiver,
  status,
} from '../../src/subscriptions/delivery/receiver.fixture.ts'
import {
  type ClusterDeployment,
  clusterDeployment,
  loadTaggable,
  taggable,
  toBulk,
} from '../support/cluster-deployment.ts'
import { clusterUrl } from '../support/cluster-url.ts'
import { must } from '../support/http-client.ts'
import { loadBulk } from '../support/index-loading.ts'
import { PATIENT } from '../support/patience.ts'
import type { ServerProcess } from '../support/server-process.ts'
import { eq, finished, submit } from '../support/tag-sequence.ts'

const SECRET = `whsec_${Buffer.alloc(32, 5).toString('base64')}`
/** A third of them is of the kind that is watched. */
const DOCUMENTS = 30
const WATCHED = DOCUMENTS / 3

interface Message {
  readonly type: string
  readonly id: string
  readonly object: { readonly id: string }
  readonly data: { readonly id: string; readonly kind: string; readonly tags?: readonly string[] }
}

describe('a server on a cluster tells of what happens to documents', () => {
  let receiver: Receiver
  let deployment: ClusterDeployment
  let server: ServerProcess
  let index: string
  let subscription: string

  beforeAll(async () => {
    receiver = await openReceiver()
    deployment = clusterDeployment(clusterUrl, {
      'secrets.key': Buffer.alloc(32, 7).toString('base64'),
      'egress.allow': new URL(receiver.url).origin,
      // what a killed server was about to send is sent again when its claims have run out
      'delivery.timeout': '8s',
      'delivery.claim': '10s',
      'log.level': 'warn',
    })
    index = `${deployment.prefix}watched`
    server = await deployment.start()
    await loadTaggable(server.base, index, 'watched', DOCUMENTS)
    subscription = await subscribe()
  })
  afterAll(async () => {
    await deployment?.remove()
    await receiver?.close()
  })

  async function subscribe(): Promise<string> {
    const body = {
      ...{ created_by: 'someone', active: true, starts_at: 0, expires_at: 4_000_000_000, title: 'kind a' },
      subscription: {
        trigger: { collections: ['watched'], event: ['CREATE', 'UPDATE'] },
        callback: receiver.url,
        hits: { filter: 'f=kind:eq:a' },
      },
    }
    const { id } = (await must(server.base, { method: 'POST', path: '/subscriptions', body })) as { id: string }
    await must(server.base, { method: 'POST', path: `/subscriptions/${id}/secret`, body: { secret: SECRET } })
    return id
  }

  /** Loads one of the kind that is watched and one of another. */
  const load = (name: string): Promise<void> =>
    loadBulk(
      server.base,
      index,
      toBulk([
        { ...taggable(0), id: name },
        { ...taggable(1), id: `not-${name}` },
      ]),
    )

  const tagWatched = (value: string): Promise<string> =>
    submit(server.base, 'watched', {
      route: '_tag',
      body: { tag: { path: 'tags', value }, search: eq('kind', 'a,b') },
    })

  /** Until so many notifications were taken by the receiver, and none is left to be sent. */
  async function allDelivered(count: number): Promise<void> {
    await vi.waitFor(async () => {
      const path = `/subscriptions/${subscription}/deliveries?size=1000`
      const { total, deliveries } = (await must(server.base, { path })) as {
        readonly total: number
        readonly deliveries: readonly { readonly state: string }[]
      }
      expect(deliveries.filter(({ state }) => state !== 'DELIVERED')).toEqual([])
      expect(total).toBe(count)
    }, PATIENT)
  }

  /** What was received; throws where a signature is not right. */
  function messages(received: readonly Received[]): readonly Message[] {
    const webhook = new Webhook(SECRET)
    return received.map(({ headers, body }) => webhook.verify(body, headers as Record<string, string>) as Message)
  }

  test('once, and signed, of a document that is loaded', async () => {
    await load('new')
    await allDelivered(1)
    expect(messages(receiver.received)).toMatchObject([
      { type: 'hit.create', object: { id: 'new' }, data: { id: 'new', kind: 'a' } },
    ])
  })

  test('once, and signed, of every document that a tag has changed', async () => {
    receiver.received.length = 0
    const id = await tagWatched('seen')
    expect(await finished(server.base, 'watched', [id])).toMatchObject([{ failed: 0 }])
    const watched = WATCHED + 1
    await allDelivered(1 + watched)
    const told = messages(receiver.received)
    for (const message of told) {
      expect(message).toMatchObject({ type: 'hit.update', data: { kind: 'a', tags: ['seen'] } })
    }
    const expected = [...Array.from({ length: WATCHED }, (_, i) => `d${3 * i}`), 'new']
    expect(told.map(({ object }) => object.id).sort()).toEqual(expected.sort())
    // documents that have the value already do not change
    await finished(server.base, 'watched', [await tagWatched('seen')])
    await load('later')
    await allDelivered(1 + watched + 1)
    expect(messages(receiver.received.slice(watched))).toMatchObject([{ type: 'hit.create', object: { id: 'later' } }])
  })

  test('at least once, with the same bytes, when it is killed in between', async () => {
    receiver.received.length = 0
    receiver.answer = () => undefined
    await load('held')
    await vi.waitFor(() => expect(receiver.received.length).toBe(1), PATIENT)
    await load('accepted')
    await tagWatched('killed')
    server.kill('SIGKILL')
    await server.ended
    receiver.answer = status(204)
    server = await deployment.start()

    // the documents that were loaded one by one are watched too
    const watched = WATCHED + 4
    const before = 1 + (WATCHED + 1) + 1
    await allDelivered(before + 2 + watched)
    const bodies = Map.groupBy(receiver.received, ({ headers }) => String(headers['webhook-id']))
    for (const [id, received] of bodies) {
      expect(new Set(received.map(({ body }) => body)).size, `texts of ${id}`).toBe(1)
    }
    expect(receiver.received.filter(({ body }) => body === receiver.received[0]?.body).length).toBeGreaterThan(1)
    const told = messages([...bodies.values()].map(([one]) => one as Received))
    const loaded = told.filter(({ type }) => type === 'hit.create').map(({ object }) => object.id)
    expect(loaded.sort()).toEqual(['accepted', 'held'])
    const tagged = told.filter(({ type }) => type === 'hit.update')
    expect(new Set(tagged.map(({ object }) => object.id)).size).toBe(watched)
    expect(tagged.length).toBe(watched)
    for (const { data } of tagged) expect(data.tags?.at(-1)).toBe('killed')
  })
})
