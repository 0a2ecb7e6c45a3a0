import { Type } from 'typebox'
import { SubscriptionLink } from './subscription.ts'

const seconds = (description: string) => Type.Integer({ format: 'int64', description })

const oneOf = (values: readonly string[], description: string) =>
  Type.Unsafe<string>({ type: 'string', enum: [...values], description })

export const DELIVERY_STATES = ['PENDING', 'DELIVERING', 'DELIVERED', 'FAILED', 'CANCELLED'] as const
export const DELIVERY_CHANNELS = ['webhook', 'kafka'] as const

const error = oneOf(
  ['GONE', 'REDIRECT', 'HTTP_STATUS', 'TIMEOUT', 'DNS', 'CONNECT', 'TLS', 'EGRESS_DENIED', 'INVALID_FILTER'],
  'Why it did not arrive.',
)

const links = Type.Record(Type.String(), SubscriptionLink)

const DeliveryAttempt = Type.Object(
  {
    number: Type.Integer({ description: 'From 1.' }),
    at: seconds('When it began.'),
    duration_ms: Type.Integer(),
    status: Type.Optional(Type.Integer({ description: 'HTTP status; absent when there was no answer.' })),
    error: Type.Optional(error),
    cause: oneOf(['schedule', 'manual', 'test'], 'Why it was made.'),
  },
  { $id: 'DeliveryAttempt' },
)

const members = {
  id: Type.String({ description: 'webhook-id: the same at every attempt.' }),
  subscription_id: Type.String(),
  channel: oneOf(DELIVERY_CHANNELS, 'How it leaves.'),
  event_id: Type.String(),
  collection: Type.Optional(Type.String()),
  document_id: Type.Optional(Type.String()),
  type: Type.String({ description: 'hit. and the kind of event, or subscription.test.' }),
  state: oneOf(DELIVERY_STATES, 'What became of it.'),
  attempts: Type.Integer({ description: 'Made so far.' }),
  created_at: seconds('When the match was made.'),
  next_attempt_at: Type.Optional(seconds('Of a PENDING one.')),
  delivered_at: Type.Optional(seconds('Of a DELIVERED one.')),
  last_status: Type.Optional(Type.Integer({ description: 'HTTP status of the last attempt that was answered.' })),
  last_error: Type.Optional(error),
}

const DeliveryResource = Type.Object({ ...members, _links: links }, { $id: 'Delivery' })

export const WholeDeliveryResource = Type.Object(
  {
    ...members,
    attempt_log: Type.Array(DeliveryAttempt, { description: 'Oldest first.' }),
    payload: Type.Optional(Type.Unsafe<object>({ type: 'object', description: 'The notification.' })),
    _links: links,
  },
  { $id: 'DeliveryWithAttempts' },
)

export const DeliveryList = Type.Object(
  {
    count: seconds('Deliveries of this page.'),
    total: seconds('Deliveries that match.'),
    _links: links,
    disabled: Type.Optional(
      Type.Object(
        { reason: oneOf(['GONE', 'EXHAUSTED'], 'Why.'), at: seconds('When.') },
        { description: 'Present when the server switched the subscription off.' },
      ),
    ),
    stopped: Type.Optional(
      Type.Object(
        { reason: oneOf(['RIGHTS'], 'Why.') },
        { description: 'Present while the subscription is stopped because its writer lacks a right.' },
      ),
    ),
    deliveries: Type.Array(DeliveryResource),
  },
  { $id: 'DeliveryList' },
)

export const Redelivered = Type.Object({ count: seconds('Deliveries that go out again.') }, { $id: 'Redelivered' })

/** Base64 of 24 to 64 bytes. */
const SECRET =
  '^whsec_(?:[A-Za-z0-9+/]{4}){8,20}(?:[A-Za-z0-9+/]{4}|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{6}==)?$'

export const SecretBody = Type.Object(
  {
    secret: Type.Optional(
      Type.String({
        pattern: SECRET,
        description: 'whsec_ and base64 of 24 to 64 bytes; without it one is made.',
      }),
    ),
    overlap: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 604_800,
        default: 86_400,
        description: 'Seconds for which the former secret keeps signing.',
      }),
    ),
  },
  { $id: 'NewSecret', additionalProperties: false },
)

const previous_expires_at = Type.Optional(seconds('Until when the former secret signs too.'))

export const ShownSecret = Type.Object(
  {
    secret: Type.String({ description: 'Shown here and never again.' }),
    created_at: seconds('When it was made.'),
    previous_expires_at,
  },
  { $id: 'ShownSecret' },
)

export const SecretDescription = Type.Object(
  {
    created_at: seconds('When it was made.'),
    shown: Type.Boolean({ description: 'Whether it was ever shown.' }),
    hint: Type.String({ description: 'Its last 4 characters.' }),
    previous_expires_at,
  },
  { $id: 'SecretDescription' },
)
