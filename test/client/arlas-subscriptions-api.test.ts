import { AdminApi, EndUserApi, type UserSubscription } from 'arlas-subscriptions-api/api.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type SubscriptionServer,
  startSubscriptionServer,
  subscriptionBody,
} from '../http/subscriptions/subscription-server.ts'

describe('npm arlas-subscriptions-api', () => {
  let server: SubscriptionServer
  let users: EndUserApi
  let administrators: AdminApi

  beforeAll(async () => {
    server = await startSubscriptionServer()
    const send = (url: string, init?: RequestInit): Promise<Response> => fetch(url, init)
    // The package's own default prefix.
    const base = `${server.base}/arlas-subscriptions-manager`
    users = new EndUserApi(undefined, base, send)
    administrators = new AdminApi(undefined, base, send)
  })
  afterAll(() => server?.stop())

  /** In the spelling of the package's types. */
  function body(created_by: string, changes: object = {}): UserSubscription {
    const { userMetadatas, ...rest } = subscriptionBody({ created_by, ...changes })
    return { ...rest, user_metadatas: userMetadatas }
  }

  test('EndUserApi: post1, get1, put1, getAll1, delete1', async () => {
    const made = await users.post1(body('ann'), true)
    expect(made).toMatchObject({ created_by: 'ann', created_by_admin: false, deleted: false })
    const id = made.id ?? ''
    expect(await users.get1(id, false)).toEqual(made)
    expect(made._links?.self?.href).toBe(`${server.base}/arlas-subscriptions-manager/subscriptions/${id}`)
    // As clients do: the resource they read goes back, changed.
    const changed = await users.put1(id, { ...made, title: 'new' })
    expect(changed).toMatchObject({ id, title: 'new', created_at: made.created_at })
    const listed = await users.getAll1(2_145_913_200, true, false, false, 10, 1)
    expect([listed.count, listed.total, listed.subscriptions?.map((one) => one.id)]).toEqual([1, 1, [id]])
    expect(await users.delete1(id)).toMatchObject({ id, deleted: true })
    expect((await users.getAll1()).total).toBe(0)
    const failure: unknown = await users.get1(id).catch((response: unknown) => response)
    expect(failure).toMatchObject({ status: 404 })
  })

  test('AdminApi: post, get, put, getAll, _delete', async () => {
    const made = await administrators.post(body('bob'), false)
    expect(made.created_by_admin).toBe(true)
    const id = made.id ?? ''
    expect(await administrators.get(id, false, true)).toEqual(made)
    expect(await administrators.put(id, { ...made, created_by: 'eve' })).toMatchObject({ id, created_by: 'eve' })
    const all = await administrators.getAll(2_145_913_200, 1, true, true, false, 'eve', false, true, true, 1, 5)
    expect(all.subscriptions?.map((one) => one.id)).toEqual([id])
    expect(await administrators._delete(id, true)).toMatchObject({ deleted: true })
    expect(await administrators.get(id, true)).toMatchObject({ id, deleted: true })
    const failure: unknown = await administrators.get(id, false).catch((response: unknown) => response)
    expect(failure).toMatchObject({ status: 404 })
  })

  test('what is refused rejects with the response', async () => {
    const failure: unknown = await users.post1(body('')).catch((response: unknown) => response)
    expect(failure).toMatchObject({ status: 400 })
    expect(failure instanceof Response && (await failure.json())).toMatchObject({ error: 'INVALID_SUBSCRIPTION' })
  })
})
