import { Type } from 'typebox'
import { SubscriptionLink } from './subscription.ts'

const seconds = (description: string) => Type.Integer({ format: 'int64', description })

const oneOf = (values: readonly string[], description: string) =>
  Type.Unsafe<string>({ type: 'string', enum: [...values], description })

export const DELIVERY_STATES = ['PENDING', 'DELIVERING', 'DELIVERED', 'FAILED', 'CANCELLED'] as const
export const DELIVERY_CHANNELS = ['webhook', 'kafka'] as const

const error = oneOf(
  ['GONE', 'REDIRECT', 'HTTP_STATUS', 'TIMEOUT', 'DNS', 'CONNECT', 'TLS', 'EGRESS_DENIED', 'INVALID_FILTER'],
  'Reason of the failure.',
)

const links = Type.Record(Type.String(), SubscriptionLink)

const DeliveryAttempt = Type.Object(
  {
    number: Type.Integer({ description: 'Number of the attempt, starting at 1.' }),
    at: seconds('Start time, in seconds since 1970.'),
    duration_ms: Type.Integer(),
    status: Type.Optional(Type.Integer({ description: 'HTTP status. Absent if there was no response.' })),
    error: Type.Optional(error),
    cause: oneOf(['schedule', 'manual', 'test'], 'What triggered the attempt.'),
  },
  { $id: 'DeliveryAttempt' },
)

const members = {
  id: Type.String({ description: 'The webhook-id, which is the same for all attempts.' }),
  subscription_id: Type.String(),
  channel: oneOf(DELIVERY_CHANNELS, 'Channel of the delivery.'),
  event_id: Type.String(),
  collection: Type.Optional(Type.String()),
  document_id: Type.Optional(Type.String()),
  type: Type.String({ description: '`hit.` followed by the kind of event, or `subscription.test`.' }),
  state: oneOf(DELIVERY_STATES, 'State of the delivery.'),
  attempts: Type.Integer({ description: 'Number of attempts so far.' }),
  created_at: seconds('Time of the match, in seconds since 1970.'),
  next_attempt_at: Type.Optional(seconds('For PENDING: time of the next attempt, in seconds since 1970.')),
  delivered_at: Type.Optional(seconds('For DELIVERED: time of the delivery, in seconds since 1970.')),
  last_status: Type.Optional(Type.Integer({ description: 'HTTP status of the last attempt with a response.' })),
  last_error: Type.Optional(error),
}

const DeliveryResource = Type.Object({ ...members, _links: links }, { $id: 'Delivery' })

export const WholeDeliveryResource = Type.Object(
  {
    ...members,
    attempt_log: Type.Array(DeliveryAttempt, { description: 'Attempts, oldest first.' }),
    payload: Type.Optional(Type.Unsafe<object>({ type: 'object', description: 'The notification.' })),
    _links: links,
  },
  { $id: 'DeliveryWithAttempts' },
)

export const DeliveryList = Type.Object(
  {
    count: seconds('Number of deliveries on this page.'),
    total: seconds('Number of matching deliveries.'),
    _links: links,
    disabled: Type.Optional(
      Type.Object(
        { reason: oneOf(['GONE', 'EXHAUSTED'], 'Reason.'), at: seconds('Time, in seconds since 1970.') },
        { description: 'Present if the server deactivated the subscription.' },
      ),
    ),
    stopped: Type.Optional(
      Type.Object(
        { reason: oneOf(['RIGHTS'], 'Reason.') },
        { description: 'Present while the subscription is stopped because its writer has lost a right.' },
      ),
    ),
    deliveries: Type.Array(DeliveryResource),
  },
  { $id: 'DeliveryList' },
)

export const Redelivered = Type.Object(
  { count: seconds('Number of deliveries that are sent again.') },
  { $id: 'Redelivered' },
)

/** Base64 of 24 to 64 bytes. */
const SECRET =
  '^whsec_(?:[A-Za-z0-9+/]{4}){8,20}(?:[A-Za-z0-9+/]{4}|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{6}==)?$'

export const SecretBody = Type.Object(
  {
    secret: Type.Optional(
      Type.String({
        pattern: SECRET,
        description: 'whsec_ followed by 24 to 64 bytes in base64. Default: a new random secret.',
      }),
    ),
    overlap: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 604_800,
        default: 86_400,
        description: 'How long the previous secret also signs, in seconds.',
      }),
    ),
  },
  { $id: 'NewSecret', additionalProperties: false },
)

const previous_expires_at = Type.Optional(
  seconds('Time until which the previous secret also signs, in seconds since 1970.'),
)

export const ShownSecret = Type.Object(
  {
    secret: Type.String({ description: 'The secret. It is not shown again.' }),
    created_at: seconds('Time of creation, in seconds since 1970.'),
    previous_expires_at,
  },
  { $id: 'ShownSecret' },
)

export const SecretDescription = Type.Object(
  {
    created_at: seconds('Time of creation, in seconds since 1970.'),
    shown: Type.Boolean({ description: 'Whether the secret was ever shown.' }),
    hint: Type.String({ description: 'Last 4 characters of the secret.' }),
    previous_expires_at,
  },
  { $id: 'SecretDescription' },
)
