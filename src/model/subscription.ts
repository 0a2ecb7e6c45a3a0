import { type Static, Type } from 'typebox'
import type { JsonObject } from './document.ts'
import type { ExactInteger } from './exact-integer.ts'

const seconds = (description: string) => Type.Integer({ format: 'int64', minimum: 0, description })

/** Set by a client: any 64-bit integer from 0. */
const exactSeconds = (description: string) =>
  Type.Unsafe<number | ExactInteger>({ type: 'integer', format: 'int64', minimum: 0, description })

const FreeObject = (description: string) =>
  Type.Unsafe<JsonObject>({ type: 'object', additionalProperties: true, description })

const SubscriptionHits = Type.Object(
  {
    filter: Type.String({
      description: 'Parameters f, q, dateformat and righthand of a query string; empty: no condition.',
    }),
    projection: Type.Optional(
      Type.String({ description: 'Parameters include and exclude of a query string; empty: the whole document.' }),
    ),
  },
  { $id: 'SubscriptionHits', additionalProperties: false },
)

export const Subscription = Type.Object(
  {
    trigger: FreeObject('Which events count: geometry, collections, event, and further keys that events must have.'),
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
  created_by: Type.String({ minLength: 1, maxLength: 256, description: 'Whose it is; 1 to 256 characters.' }),
  active: Type.Boolean({ description: 'Whether events are matched and notifications sent.' }),
  starts_at: exactSeconds('Events accepted from this second on count.'),
  expires_at: exactSeconds('Events accepted from this second on count no more.'),
  title: Type.String({ minLength: 1, maxLength: 1000, description: '1 to 1,000 characters.' }),
  subscription: Subscription,
}

const userMetadatas = FreeObject('Travels with every notification; at most 16 KiB of JSON.')

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
    relation: Type.String({ description: 'The same as its key.' }),
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
    id: Type.String({ description: 'UUID made by the server.' }),
    created_at: seconds('Creation, in seconds since 1970.'),
    modified_at: seconds('The last replacement, or when the server switched it off.'),
    created_by_admin: Type.Boolean({ description: 'Whether an administrator made it.' }),
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
    count: seconds('Subscriptions of this page.'),
    total: seconds('Subscriptions that match.'),
    _links: SubscriptionLinks,
    subscriptions: Type.Array(SubscriptionResource),
  },
  { $id: 'SubscriptionListResource' },
)
