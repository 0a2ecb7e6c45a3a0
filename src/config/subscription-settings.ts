import { Type } from 'typebox'
import { duration } from './duration.ts'
import { aliases, brokers, topic } from './tagging-settings.ts'

const KiB = 1024

const count = (value: number, description: string) => Type.Integer({ minimum: 1, default: value, description })

const flag = (value: boolean, description: string) => Type.Boolean({ default: value, description })

const name = (value: string, description: string) => Type.String({ minLength: 1, default: value, description })

/** Settings of subscriptions. */
export const subscriptionSettingsSchema = Type.Object({
  aliases: aliases(['/arlas-subscriptions-manager'], 'Additional path prefixes of the subscriptions and events APIs.'),
  admin: flag(true, 'Enable the administrator endpoints.'),
  store: Type.Optional(
    Type.Union([Type.Literal('sqlite'), Type.Literal('index')], {
      description:
        'Storage of subscriptions, events and deliveries. If not set: `sqlite` with the embedded engine, `index` ' +
        'with a cluster. A single server on a cluster may use `sqlite`.',
    }),
  ),
  quota: Type.Integer({
    minimum: 0,
    default: 1_000,
    description: 'Maximum number of subscriptions per user. 0: unlimited.',
  }),
  identity: Type.Object({
    header: Type.String({
      pattern: "^[A-Za-z0-9!#$%&'*+.^_`|~-]*$",
      default: '',
      description:
        'Request header with the name of the caller. Trusted only from `server.trustedProxies` (from this machine if ' +
        'none are set). Empty: the caller is the authenticated user, or anonymous.',
    }),
    admin: name('admin', 'Caller name of the administrator.'),
  }),
  trigger: Type.Object({
    schema: Type.Optional(
      Type.String({
        minLength: 1,
        description: 'File with the JSON Schema of triggers. If not set, the built-in schema is used.',
      }),
    ),
    keys: Type.Object({
      geometry: name('geometry', 'Trigger key that contains the area.'),
      centroid: name('centroid', 'Trigger key that contains a point.'),
      collections: name('collections', 'Trigger key that lists collections.'),
      event: name('event', 'Trigger key that lists event types.'),
    }),
  }),
})

/** Settings of events. */
export const eventSettingsSchema = Type.Object({
  fromLoads: flag(true, 'Emit events for documents that are loaded, changed or deleted.'),
  fromTags: flag(true, 'Emit events for documents that are tagged.'),
  defaultCollection: Type.Optional(
    Type.String({
      minLength: 1,
      description: 'Collection of events that do not specify one. If not set, such events are rejected.',
    }),
  ),
  dedupeWindow: duration('24h', 'Duration. How long events with the same id are treated as duplicates.'),
  maxBacklog: count(1_000_000, 'Maximum number of events waiting to be matched. Further events are rejected with 429.'),
  kafka: Type.Object({
    brokers: brokers('Kafka brokers to read events from, as `host:port`. Empty: no events are read from Kafka.'),
    topic: topic('subscription_events', 'Topic to read events from.'),
    group: name('periplus_subscription_events', 'Consumer group for reading events.'),
  }),
})

/** Settings of the delivery of notifications. */
export const deliverySettingsSchema = Type.Object({
  mode: Type.Union([Type.Literal('webhook'), Type.Literal('kafka'), Type.Literal('both')], {
    default: 'webhook',
    description: 'Send notifications to callbacks (`webhook`), to a Kafka topic (`kafka`), or to both.',
  }),
  retention: duration('30d', 'Duration. Retention of completed deliveries.'),
  maxPending: count(10_000_000, 'Maximum number of pending deliveries. Matching pauses while it is exceeded.'),
  maxPayload: count(256 * KiB, 'Bytes. Maximum size of a notification. The data of larger notifications is omitted.'),
  cloudEvents: flag(false, 'Add CloudEvents headers to notifications.'),
  handshake: flag(
    false,
    'Require the consent of a callback before it is called (OPTIONS with `WebHook-Request-Origin`).',
  ),
  connectTimeout: duration('5s', 'Duration. Timeout for connecting to a callback.'),
  timeout: duration('15s', 'Duration. Timeout of one delivery attempt.'),
  claim: duration(
    '60s',
    'Duration. How long a server owns a delivery attempt. After that the server is assumed dead and a new attempt is ' +
      'made. Must be longer than `timeout`.',
  ),
  concurrency: count(64, 'Maximum number of concurrent delivery attempts.'),
  perHost: count(8, 'Maximum number of concurrent delivery attempts per host.'),
  perSubscription: count(4, 'Maximum number of concurrent delivery attempts per subscription.'),
  caFile: Type.Optional(
    Type.String({
      minLength: 1,
      description: 'File with CA certificates for callbacks, if the system does not trust their CA.',
    }),
  ),
  kafka: Type.Object({
    brokers: brokers('Kafka brokers to send notifications to, as `host:port`.'),
    topic: topic('notification_orders', 'Topic to send notifications to.'),
  }),
})

/** Settings that restrict callback addresses. */
export const egressSettingsSchema = Type.Object({
  httpsOnly: flag(false, 'Require https for callbacks.'),
  ports: Type.Array(Type.String({ pattern: '^[0-9]{1,5}(-[0-9]{1,5})?$' }), {
    default: ['80', '443', '1024-65535'],
    description: 'Allowed ports of callbacks: numbers or ranges.',
  }),
  allow: Type.Array(Type.String({ minLength: 1 }), {
    default: [],
    description:
      'Exceptions: callback addresses that are allowed although the other rules forbid them, as ' +
      '`[scheme://]host[:port]`, `*.suffix` or a CIDR range. Example: `http://localhost:8080`.',
  }),
  only: flag(false, 'Allow only the callback addresses in `egress.allow`.'),
  proxy: Type.Optional(
    Type.String({
      pattern: '^https?://[^\\s?#]+$',
      address: true,
      description: 'URL of the forward proxy for callbacks.',
    }),
  ),
})

export const secretSettingsSchema = Type.Object({
  key: Type.Optional(
    Type.String({
      pattern: '^[A-Za-z0-9+/]{43}=$',
      secret: true,
      description: 'Key for encrypting the secrets of subscriptions at rest: 32 bytes in base64.',
    }),
  ),
})
