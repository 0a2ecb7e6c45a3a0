import { Type } from 'typebox'

/** OpenAPI descriptions of the event routes. The code in `subscriptions/` validates requests. */

const tags = ['Events']

const pretty = Type.Optional(Type.Boolean({ default: false, description: 'Indents the answer.' }))

const Event = Type.Object(
  {
    id: Type.Optional(
      Type.String({ description: 'Tells the event from others of the collection; made up when absent.' }),
    ),
    collection: Type.Optional(Type.String({ description: 'Required here or in `object`, unless there is a default.' })),
    event: Type.Optional(Type.String({ description: 'Kind: CREATE, UPDATE, DELETE or another; here or in `object`.' })),
    time: Type.Optional(
      Type.String({ format: 'date-time', description: 'When it happened, RFC 3339; by default now.' }),
    ),
    object: Type.Object({ id: Type.Union([Type.String(), Type.Number()]) }, { additionalProperties: true }),
    document: Type.Optional(Type.Object({}, { additionalProperties: true, description: 'Last state, of a DELETE.' })),
  },
  {
    $id: 'SubscriptionEvent',
    additionalProperties: true,
    examples: [{ id: 'evt-1', collection: 'geodata', event: 'UPDATE', object: { id: 'ID__10__30DI' } }],
  },
)

const Batch = Type.Object(
  { events: Type.Array(Event, { maxItems: 1000 }) },
  { $id: 'SubscriptionEvents', additionalProperties: false },
)

const Lines = Type.String({
  minLength: 1,
  description: 'One event per line.',
  examples: ['{"collection":"geodata","event":"UPDATE","object":{"id":"ID__10__30DI"}}\n'],
})

const Accepted = Type.Object(
  {
    accepted: Type.Integer(),
    duplicates: Type.Integer({ description: 'Taken before, with the same content.' }),
    ids: Type.Array(Type.String(), { description: 'In the order of the body.' }),
  },
  { $id: 'AcceptedEvents' },
)

const Outcome = Type.Object(
  {
    id: Type.String(),
    collection: Type.Optional(Type.String()),
    event: Type.Optional(Type.String()),
    state: Type.Enum(['PENDING', 'MATCHED', 'UNRESOLVED', 'REJECTED']),
    accepted_at: Type.Integer({ description: 's' }),
    matched: Type.Optional(Type.Integer({ description: 'Notifications made of it.' })),
    reason: Type.Optional(Type.String()),
  },
  { $id: 'EventOutcome' },
)

export const post = {
  tags,
  operationId: 'postEvents',
  summary: 'Tell of events',
  description:
    'One event, or `{"events": [...]}`, or one event per line (application/x-ndjson); at most 1,000 and 8 MiB. All of ' +
    'them are taken, or none.',
  querystring: Type.Object({ pretty }),
  body: {
    content: {
      'application/json': { schema: Type.Union([Event, Batch]) },
      'application/x-ndjson': { schema: Lines },
    },
  },
  response: { 202: Accepted },
}

export const get = {
  tags,
  operationId: 'getEvent',
  summary: 'What became of an event',
  params: Type.Object({ id: Type.String() }),
  querystring: Type.Object({
    pretty,
    collection: Type.Optional(Type.String({ description: 'Required when events of several collections have the id.' })),
  }),
  response: { 200: Outcome },
}
