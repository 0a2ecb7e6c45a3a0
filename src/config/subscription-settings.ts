import { Type } from 'typebox'
import { duration } from './duration.ts'
import { aliases, brokers, topic } from './tagging-settings.ts'

const KiB = 1024

const count = (value: number, description: string) => Type.Integer({ minimum: 1, default: value, description })

const flag = (value: boolean, description: string) => Type.Boolean({ default: value, description })

const name = (value: string, description: string) => Type.String({ minLength: 1, default: value, description })

/** Settings of subscriptions. */
export const subscriptionSettingsSchema = Type.Object({
  aliases: aliases(['/arlas-subscriptions-manager'], 'Prefixes under which subscriptions and events answer too.'),
  admin: flag(true, 'Whether the paths of administrators exist.'),
  store: Type.Optional(
    Type.Union([Type.Literal('sqlite'), Type.Literal('index')], {
      description:
        'Where subscriptions, events and deliveries are kept. Without it `sqlite` with the embedded engine, `index` ' +
        'with a cluster; a single server on a cluster may use `sqlite`.',
    }),
  ),
  quota: Type.Integer({
    minimum: 0,
    default: 1_000,
    description: 'Subscriptions one user may have; 0: any number.',
  }),
  identity: Type.Object({
    header: Type.String({
      pattern: "^[A-Za-z0-9!#$%&'*+.^_`|~-]*$",
      default: '',
      description:
        'Request header that names the caller, believed from `server.trustedProxies` alone (this machine when none ' +
        'is set). Empty: authentication tells who calls, or nobody does.',
    }),
    admin: name('admin', 'Name of the caller who is the administrator.'),
  }),
  trigger: Type.Object({
    schema: Type.Optional(
      Type.String({ minLength: 1, description: 'File with the JSON Schema of triggers. Without it the built-in one.' }),
    ),
    keys: Type.Object({
      geometry: name('geometry', 'Key of a trigger that holds the area.'),
      centroid: name('centroid', 'Key of a trigger that holds a point.'),
      collections: name('collections', 'Key of a trigger that lists collections.'),
      event: name('event', 'Key of a trigger that lists kinds of events.'),
    }),
  }),
})

/** Settings of events. */
export const eventSettingsSchema = Type.Object({
  fromLoads: flag(true, 'Whether documents that are loaded, changed or deleted raise events.'),
  fromTags: flag(true, 'Whether documents that are tagged raise events.'),
  defaultCollection: Type.Optional(
    Type.String({ minLength: 1, description: 'Collection of events that name none. Without it they are refused.' }),
  ),
  dedupeWindow: duration('24h', 'How long an event with the same id counts as the same.'),
  maxBacklog: count(1_000_000, 'Events that may wait for matching; beyond it the answer is 429.'),
  kafka: Type.Object({
    brokers: brokers('Brokers of a topic with events, as `host:port`; none: no events are read from Kafka.'),
    topic: topic('subscription_events', 'Topic with events.'),
    group: name('periplus_subscription_events', 'Consumer group that reads it.'),
  }),
})

/** Settings of the delivery of notifications. */
export const deliverySettingsSchema = Type.Object({
  mode: Type.Union([Type.Literal('webhook'), Type.Literal('kafka'), Type.Literal('both')], {
    default: 'webhook',
    description: 'Whether notifications are sent to callbacks, to a Kafka topic, or to both.',
  }),
  retention: duration('30d', 'How long finished deliveries are kept.'),
  maxPending: count(10_000_000, 'Deliveries that may wait; beyond it matching pauses.'),
  maxPayload: count(256 * KiB, 'Bytes of the largest notification; beyond it its data is left out.'),
  cloudEvents: flag(false, 'Whether notifications carry the headers of CloudEvents too.'),
  handshake: flag(false, 'Whether a callback must agree before it is called (OPTIONS with WebHook-Request-Origin).'),
  connectTimeout: duration('5s', 'How long a callback may take to accept a connection.'),
  timeout: duration('15s', 'How long one attempt may take.'),
  claim: duration(
    '60s',
    'How long an attempt belongs to the server that made it; then, as that was killed, another is made. More than `timeout`.',
  ),
  concurrency: count(64, 'Attempts under way at once.'),
  perHost: count(8, 'Attempts under way at once to one host.'),
  perSubscription: count(4, 'Attempts under way at once for one subscription.'),
  caFile: Type.Optional(
    Type.String({
      minLength: 1,
      description: 'Certificates of authorities that sign those of callbacks, when the system does not know them.',
    }),
  ),
  kafka: Type.Object({
    brokers: brokers('Brokers notifications are sent to, as `host:port`.'),
    topic: topic('notification_orders', 'Topic of notifications.'),
  }),
})

/** Settings that restrict callback addresses. */
export const egressSettingsSchema = Type.Object({
  httpsOnly: flag(false, 'Whether callbacks must be https.'),
  ports: Type.Array(Type.String({ pattern: '^[0-9]{1,5}(-[0-9]{1,5})?$' }), {
    default: ['80', '443', '1024-65535'],
    description: 'Ports that may be called: numbers or ranges.',
  }),
  allow: Type.Array(Type.String({ minLength: 1 }), {
    default: [],
    description:
      'Exceptions: `[scheme://]host[:port]`, `*.suffix` or a CIDR range that may be called although the rules forbid ' +
      'it, as `http://localhost:8080`.',
  }),
  only: flag(false, 'Whether nothing but these may be called.'),
  proxy: Type.Optional(
    Type.String({
      pattern: '^https?://[^\\s?#]+$',
      address: true,
      description: 'Forward proxy through which callbacks are called.',
    }),
  ),
})

export const secretSettingsSchema = Type.Object({
  key: Type.Optional(
    Type.String({
      pattern: '^[A-Za-z0-9+/]{43}=$',
      secret: true,
      description: 'Key that encrypts the secrets of subscriptions at rest: 32 bytes in base64.',
    }),
  ),
})
