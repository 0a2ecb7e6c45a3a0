import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openReceiver, type Receiver, status } from '../../src/subscriptions/delivery/receiver.fixture.ts'
import { must } from '../support/http-client.ts'
import { makeWorkplace, type RunningServer } from './periplus.ts'

describe('commands about subscriptions', () => {
  const place = makeWorkplace()
  let receiver: Receiver
  let server: RunningServer
  let id: string

  beforeAll(async () => {
    receiver = await openReceiver()
    server = await place.serve(['--egress.allow', `http://127.0.0.1:${receiver.port}`])
    const body = {
      created_by: 'ann',
      active: true,
      starts_at: 0,
      expires_at: 2_145_913_200,
      title: 'everything',
      subscription: { trigger: {}, callback: receiver.url, hits: { filter: '' } },
    }
    const made = await must(server.url, { method: 'POST', path: '/subscriptions', body })
    id = (made as { readonly id: string }).id
  })
  afterAll(async () => {
    await server.stop()
    await receiver.close()
    place.remove()
  })

  test('list and show them', async () => {
    const { stdout } = await place.run(['subscriptions', 'list'])
    expect(stdout).toMatch(new RegExp(`${id} +ann +\\S+ +active +everything +http://127`))
    expect(JSON.parse((await place.run(['subscriptions', 'list', '--admin', '--json'])).stdout)).toMatchObject([{ id }])
    expect(JSON.parse((await place.run(['subscriptions', 'show', id])).stdout)).toMatchObject({
      id,
      title: 'everything',
    })
    expect(await place.run(['subscriptions', 'show', 'nobody'])).toMatchObject({
      code: 1,
      stderr: 'Subscription nobody does not exist.\n',
    })
  })

  test('test a callback, list what was sent, and send it again', async () => {
    expect((await place.run(['deliveries', 'list', id])).stdout).toBe('There are no deliveries.\n')
    receiver.answer = status(500)
    const failed = await place.run(['subscriptions', 'test', id])
    expect(failed.code).toBe(1)
    expect(failed.stdout).toMatch(
      /^The test message was not delivered: HTTP_STATUS, with status 500, after \d+ ms\.\n$/,
    )
    const [delivery = ''] = /msg_[0-9a-f]{32}/.exec((await place.run(['deliveries', 'list', id])).stdout) ?? []
    receiver.answer = status(204)
    const again = await place.run(['deliveries', 'retry', id, delivery])
    expect(again).toMatchObject({ code: 0, stdout: `Delivery ${delivery} is sent again.\n` })
    await expect.poll(() => receiver.received.length).toBe(2)
    expect(receiver.received[1]?.body).toBe(receiver.received[0]?.body)
    expect((await place.run(['deliveries', 'retry', id])).stdout).toBe('0 deliveries are sent again.\n')
    const { stdout } = await place.run(['deliveries', 'list', id, '--state', 'DELIVERED'])
    expect(stdout).toMatch(new RegExp(`${delivery} .* DELIVERED +2 +204`))
  })
})
