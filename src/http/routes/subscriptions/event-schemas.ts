import { Type } from 'typebox'

/** OpenAPI descriptions of the event routes. The code in `subscriptions/` validates requests. */

const tags = ['Events']

const pretty = Type.Optional(Type.Boolean({ default: false, description: 'Indent the response.' }))

const Event = Type.Object(
  {
    id: Type.Optional(Type.String({ description: 'Id of the event, unique in its collection. Default: a new id.' })),
    collection: Type.Optional(
      Type.String({ description: 'Required here or in `object`, unless a default collection is configured.' }),
    ),
    event: Type.Optional(
      Type.String({ description: 'Kind of event: CREATE, UPDATE, DELETE or any other. Required here or in `object`.' }),
    ),
    time: Type.Optional(
      Type.String({ format: 'date-time', description: 'Time of the event (RFC 3339). Default: now.' }),
    ),
    object: Type.Object({ id: Type.Union([Type.String(), Type.Number()]) }, { additionalProperties: true }),
    document: Type.Optional(
      Type.Object({}, { additionalProperties: true, description: 'For DELETE: the document before it was deleted.' }),
    ),
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
    duplicates: Type.Integer({ description: 'Number of events that were accepted before with the same content.' }),
    ids: Type.Array(Type.String(), { description: 'Ids in the order of the body.' }),
  },
  { $id: 'AcceptedEvents' },
)

const Outcome = Type.Object(
  {
    id: Type.String(),
    collection: Type.Optional(Type.String()),
    event: Type.Optional(Type.String()),
    state: Type.Enum(['PENDING', 'MATCHED', 'UNRESOLVED', 'REJECTED']),
    accepted_at: Type.Integer({ description: 'Seconds since 1970.' }),
    matched: Type.Optional(Type.Integer({ description: 'Number of notifications created.' })),
    reason: Type.Optional(Type.String()),
  },
  { $id: 'EventOutcome' },
)

export const post = {
  tags,
  operationId: 'postEvents',
  summary: 'Post events',
  description:
    'One event, or `{"events": [...]}`, or one event per line (application/x-ndjson); at most 1,000 events and 8 MiB. ' +
    'All events are accepted, or none.',
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
  summary: 'Get the outcome of an event',
  params: Type.Object({ id: Type.String() }),
  querystring: Type.Object({
    pretty,
    collection: Type.Optional(
      Type.String({ description: 'Required if several collections have an event with this id.' }),
    ),
  }),
  response: { 200: Outcome },
}
