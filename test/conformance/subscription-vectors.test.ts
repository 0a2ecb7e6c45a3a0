import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeEach, engines } from '../support/engines.ts'
import type { RunningServer } from '../support/running-server.ts'
import { loadSample } from './fixtures.ts'
import { type NotificationReceiver, startNotificationReceiver } from './notification-receiver.ts'
import { readVectors, type Vector } from './vector.ts'
import { runVector } from './vector-runner.ts'

const IDENTITY = 'x-identity'
const KEY = Buffer.alloc(32, 7).toString('base64')

interface Kind {
  readonly name: string
  readonly takes: (needs: readonly string[]) => boolean
  readonly settings: Readonly<Record<string, string>>
}

const kinds: readonly Kind[] = [
  { name: 'callers are not told apart', takes: (needs) => !needs.includes('identity-on'), settings: {} },
  {
    name: 'callers are named by a header',
    takes: (needs) => needs.includes('identity-on'),
    settings: { 'subscriptions.identity.header': IDENTITY },
  },
]

const needsOf = ({ needs = [] }: Vector): readonly string[] => [needs].flat()

// `more-tagging` has both: vectors of tags, and vectors that receive notifications
const vectors = [...readVectors('subscriptions'), ...readVectors('more-tagging')]

const cases = engines.flatMap((engine) => kinds.map(({ name, ...kind }) => ({ ...engine, ...kind, callers: name })))

describeEach(cases)('vectors of subscriptions on the $name engine, $callers', ({ takes, settings, start }) => {
  const run = Date.now().toString(36)
  let server: RunningServer
  let receiver: NotificationReceiver

  beforeAll(async () => {
    receiver = await startNotificationReceiver()
    server = await start({ 'egress.allow': receiver.base, 'secrets.key': KEY, ...settings })
    await loadSample(server.base)
  })
  afterAll(async () => {
    await server?.stop()
    await receiver?.stop()
  })

  for (const vector of vectors.filter((one) => takes(needsOf(one)))) {
    test(`${vector.id} ${vector.title}`, async () => {
      const callback = `${receiver.base}/${run}/${encodeURIComponent(vector.id)}`
      const environment = {
        variables: { identity: IDENTITY, admin: 'admin', callback },
        received: receiver.receivedAt,
      }
      expect(await runVector(vector, server.base, run, environment)).toBeUndefined()
    })
  }
})
