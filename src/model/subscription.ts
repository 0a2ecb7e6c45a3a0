import { type Static, Type } from 'typebox'
import type { JsonObject } from './json/document.ts'
import type { ExactInteger } from './json/exact-integer.ts'

const seconds = (description: string) => Type.Integer({ format: 'int64', minimum: 0, description })

/** Set by a client: any 64-bit integer from 0. */
const exactSeconds = (description: string) =>
  Type.Unsafe<number | ExactInteger>({ type: 'integer', format: 'int64', minimum: 0, description })

const FreeObject = (description: string) =>
  Type.Unsafe<JsonObject>({ type: 'object', additionalProperties: true, description })

const SubscriptionHits = Type.Object(
  {
    filter: Type.String({
      description: 'Parameters f, q, dateformat and righthand as in a query string. Empty: all documents.',
    }),
    projection: Type.Optional(
      Type.String({ description: 'Parameters include and exclude as in a query string. Empty: the whole document.' }),
    ),
  },
  { $id: 'SubscriptionHits', additionalProperties: false },
)

export const Subscription = Type.Object(
  {
    trigger: FreeObject('Selects events by geometry, collections, event kind, and further keys that events must have.'),
    callback: Type.String({
      minLength: 1,
      maxLength: 2048,
      format: 'uri',
      description: 'http or https URL that notifications are posted to.',
    }),
    hits: SubscriptionHits,
  },
  { $id: 'Subscription', additionalProperties: false },
)

/** Members set by the client. */
const content = {
  created_by: Type.String({
    minLength: 1,
    maxLength: 256,
    description: 'Owner of the subscription; 1 to 256 characters.',
  }),
  active: Type.Boolean({ description: 'Whether events are matched and notifications sent.' }),
  starts_at: exactSeconds('Events are matched if they are accepted at or after this time, in seconds since 1970.'),
  expires_at: exactSeconds('Events are matched if they are accepted before this time, in seconds since 1970.'),
  title: Type.String({ minLength: 1, maxLength: 1000, description: '1 to 1,000 characters.' }),
  subscription: Subscription,
}

const userMetadatas = FreeObject('Sent with every notification; at most 16 KiB of JSON.')

/** Body of POST and PUT. Members set by the server (`id`, `created_at`, ...) are ignored. */
export const SubscriptionBody = Type.Object(
  { ...content, userMetadatas: Type.Optional(userMetadatas) },
  {
    $id: 'UserSubscription',
    additionalProperties: false,
    examples: [
      {
        created_by: 'gisaia',
        active: true,
        starts_at: 1564578988,
        expires_at: 2145913200,
        title: 'Brain scientists of Toulouse',
        subscription: {
          trigger: { collections: ['geodata'], event: ['UPDATE'], job: ['Actor', 'Brain Scientist'] },
          callback: 'https://hooks.example.com/periplus',
          hits: { filter: 'f=params.city:eq:Toulouse', projection: 'include=params.job,params.country' },
        },
        userMetadatas: { correlationId: 'my-correlation-id' },
      },
    ],
  },
)

export const SubscriptionLink = Type.Object(
  {
    relation: Type.String({ description: 'Same as the key of the link.' }),
    href: Type.String({ description: 'Absolute URL.' }),
    type: Type.String({ description: 'application/json' }),
    method: Type.String({ description: 'HTTP method.' }),
  },
  { $id: 'SubscriptionLink' },
)
export type SubscriptionLink = Static<typeof SubscriptionLink>

const SubscriptionLinks = Type.Record(Type.String(), SubscriptionLink)
export type SubscriptionLinks = Readonly<Record<string, SubscriptionLink>>

export const SubscriptionResource = Type.Object(
  {
    id: Type.String({ description: 'UUID assigned by the server.' }),
    created_at: seconds('Time of creation, in seconds since 1970.'),
    modified_at: seconds('Time of the last change by a client, or of the deactivation by the server.'),
    created_by_admin: Type.Boolean({ description: 'Whether the subscription was created by an administrator.' }),
    deleted: Type.Boolean(),
    ...content,
    userMetadatas,
    _links: SubscriptionLinks,
  },
  { $id: 'UserSubscriptionWithLinks' },
)
export type SubscriptionResource = Static<typeof SubscriptionResource>

export const SubscriptionList = Type.Object(
  {
    count: seconds('Number of subscriptions on this page.'),
    total: seconds('Number of matching subscriptions.'),
    _links: SubscriptionLinks,
    subscriptions: Type.Array(SubscriptionResource),
  },
  { $id: 'SubscriptionListResource' },
)
