import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type MatchingUnderTest, openMatching } from './matching.fixture.ts'
import { notificationText, notificationType } from './notification.ts'

const ACCEPTED = Date.UTC(2026, 10, 15, 10)

/** The test vector of spec 4.3. */
const BODY =
  '{"type":"hit.update","timestamp":"2026-11-15T10:00:00.000Z","id":"evt-1","collection":"geodata","event":"UPDATE",' +
  '"time":"2026-11-15T10:00:00.000Z","object":{"id":"ID__10__30DI","geometry":{"type":"Point","coordinates":[-10,-30]},' +
  '"job":"Brain Scientist"},"data":{"id":"ID__10__30DI","params":{"job":"Brain Scientist","country":"Angola",' +
  '"startdate":960300},"geo_params":{"geometry":{"type":"Polygon","coordinates":[[[-11,-29],[-9,-29],[-9,-31],' +
  '[-11,-31],[-11,-29]]]},"centroid":"-30,-10"}},"subscription":{"id":"1234","callback":' +
  '"https://hooks.example.com/periplus"},"user_metadata":{"correlationId":"my-correlation-id"}}'

describe('the notification of spec 4.3', () => {
  let under: MatchingUnderTest
  beforeAll(async () => {
    under = await openMatching({ now: () => ACCEPTED })
  })
  afterAll(() => under.close())

  test('byte for byte', async () => {
    await under.subscribe('1234', {
      trigger: {
        geometry: {
          type: 'Polygon',
          coordinates: [
            [
              [-50, -50],
              [50, -50],
              [50, 50],
              [-50, 50],
              [-50, -50],
            ],
          ],
        },
        collections: ['geodata'],
        event: ['UPDATE'],
        job: ['Actor', 'Brain Scientist'],
      },
      filter: 'f=params.city:eq:Toulouse',
      projection: 'include=params.job,params.country',
    })
    const object = { id: 'ID__10__30DI', geometry: { type: 'Point', coordinates: [-10, -30] }, job: 'Brain Scientist' }
    await under.post({ id: 'evt-1', object })
    expect(await under.outcome('evt-1')).toMatchObject({ state: 'MATCHED', matched: 1 })
    const [delivery] = await under.deliveriesOf('1234')
    expect(delivery).toMatchObject({
      id: 'msg_5338da2448c447976e67c9707b87ce9d',
      documentId: 'ID__10__30DI',
      type: 'hit.update',
      state: 'PENDING',
      channel: 'webhook',
      createdAt: 1_794_736_800,
    })
    expect(delivery?.payload).toBe(BODY)
    expect(Buffer.byteLength(BODY)).toBe(619)
    const webhook = new Webhook('whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=')
    const signature = webhook.sign(delivery?.id ?? '', new Date(1_794_736_801_000), delivery?.payload ?? '')
    expect(signature).toBe('v1,Kk06+Qx6baqTrP+ki4ZWu5PRvUmbNUdCuraSUbtEzMA=')
  })
})

test.each([
  ['CREATE', 'hit.create'],
  ['My Kind/2', 'hit.my_kind_2'],
  ['Ünlü', 'hit._nl_'],
])('%s is told as %s', (kind, type) => {
  expect(notificationType(kind)).toBe(type)
})

test('data that is too much is left out', () => {
  const subscription = { ending: '"subscription":{},"user_metadata":{}' }
  const data = JSON.stringify({ text: 'é'.repeat(100) })
  const whole = `{"a":1,"data":${data},"subscription":{},"user_metadata":{}}`
  const bytes = Buffer.byteLength(whole)
  const href = (): string => 'http://x/explore/c/d'
  expect(notificationText('{"a":1', data, subscription, { maxPayload: bytes, href })).toBe(whole)
  expect(notificationText('{"a":1', data, subscription, { maxPayload: bytes - 1, href })).toBe(
    '{"a":1,"data":{},"data_omitted":{"bytes":211,"href":"http://x/explore/c/d"},"subscription":{},"user_metadata":{}}',
  )
})
