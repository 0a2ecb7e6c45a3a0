import type { FastifyInstance, FastifyRequest } from 'fastify'
import { problem } from '../../../errors.ts'
import { findLargeInteger } from '../../../model/json/exact-json.ts'
import type { Notifications } from '../../../subscriptions/notifications.ts'
import type { EventOutcome } from '../../../subscriptions/record/subscription-event.ts'
import { Turn } from '../../../turn.ts'
import { sendJson } from '../../answer/send-json.ts'
import { mediaType } from '../../request/accept.ts'
import { parseJson, rawBody, readJsonBody, readTextBody } from '../../request/body/json-body.ts'
import { readParameters } from '../../request/parameters.ts'
import type { Routes, Services } from '../../services.ts'
import * as schemas from './event-schemas.ts'
import { guardEvents } from './subscription-guard.ts'

const LINES = 'application/x-ndjson'
const EVENTS_BODY_BYTES = 8 * 1024 * 1024
const LINE_FEED = 0x0a

interface Identified {
  Params: { id: string }
}

/** Routes for events reported by other systems (spec 3.3). */
export const eventRoutes =
  ({ intake, events }: Pick<Notifications, 'intake' | 'events'>): Routes =>
  (app: FastifyInstance, { settings }: Services) => {
    const onRequest = guardEvents(settings)
    const bodyLimit = Math.min(EVENTS_BODY_BYTES, settings.limits.bodyBytes)

    app.post(
      '/events',
      // a batch has up to a thousand events, each with a document
      {
        schema: schemas.post,
        onRequest,
        bodyLimit,
        config: { accepts: [LINES], jsonNodes: 5 * settings.limits.jsonNodes },
      },
      async (request, reply) => {
        // Validate the parameter before anything is accepted.
        readParameters(request).boolean('pretty')
        const { bodies, single } = await readBodies(request)
        const answer = await intake.accept(bodies, { single })
        return sendJson(request, reply.code(202), answer)
      },
    )

    app.get<Identified>('/events/:id', { schema: schemas.get, onRequest }, async (request, reply) => {
      const { id } = request.params
      const parameters = readParameters(request)
      // Validate the parameter before the lookup.
      parameters.boolean('pretty')
      const collection = parameters.text('collection')
      const outcome = pick(await events.find(id), id, collection)
      return sendJson(request, reply, shown(outcome))
    })
  }

interface Bodies {
  readonly bodies: readonly unknown[]
  readonly single: boolean
}

async function readBodies(request: FastifyRequest): Promise<Bodies> {
  const type = request.headers['content-type']
  if (type !== undefined && mediaType(type) === LINES)
    return { bodies: await readLines(rawBody(request), request.routeOptions.config.jsonNodes), single: false }
  const turn = new Turn()
  const body = readJsonBody(request)
  if (turn.isOver) await turn.next()
  checkIntegers(readTextBody(request), '')
  if (turn.isOver) await turn.next()
  if (!isObject(body))
    throw problem('INVALID_BODY', { parameter: 'body', reason: 'must be a JSON object', value: body })
  if (!Array.isArray(body.events) || Object.hasOwn(body, 'event')) return { bodies: [body], single: true }
  const other = Object.keys(body).find((key) => key !== 'events')
  if (other !== undefined) throw problem('INVALID_BODY', { parameter: other, reason: 'is not a known key' })
  return { bodies: body.events, single: false }
}

/** Parses newline-delimited JSON; skips blank lines. */
async function readLines(bytes: Uint8Array, mostNodes: number | undefined): Promise<readonly unknown[]> {
  const turn = new Turn()
  const bodies: unknown[] = []
  for (let start = 0; start < bytes.length; ) {
    const end = bytes.indexOf(LINE_FEED, start)
    const line = bytes.subarray(start, end < 0 ? bytes.length : end)
    if (line.some((byte) => byte > 0x20)) {
      const place = `events[${bodies.length}]`
      bodies.push(parseJson(line, place, mostNodes))
      checkIntegers(Buffer.from(line).toString('utf8'), place)
      if (turn.isOver) await turn.next()
    }
    start = end < 0 ? bytes.length : end + 1
  }
  if (bodies.length === 0) throw problem('INVALID_BODY', { parameter: 'body', reason: 'must not be empty' })
  return bodies
}

/**
 * Throws on integers that a number cannot hold exactly: an event is forwarded unchanged, and its object is looked up by
 * id.
 */
function checkIntegers(text: string, place: string): void {
  const found = findLargeInteger(text)
  if (found === undefined) return
  const most = Number.MAX_SAFE_INTEGER
  throw problem('INVALID_EVENT', {
    parameter: place === '' ? found.path : `${place}.${found.path}`,
    reason: `must be an integer from -${most} to ${most}, or a string of digits`,
    value: found.digits,
  })
}

function pick(outcomes: readonly EventOutcome[], id: string, collection: string | undefined): EventOutcome {
  const those = collection === undefined ? outcomes : outcomes.filter((outcome) => outcome.collection === collection)
  const [outcome] = those
  if (outcome === undefined) {
    throw problem('EVENT_NOT_FOUND', {
      name: id,
      ...(collection === undefined ? {} : { owner: `collection ${collection}` }),
    })
  }
  if (those.length === 1) return outcome
  const names = those.map((one) => one.collection).join(', ')
  throw problem('INVALID_PARAMETER', {
    parameter: 'collection',
    reason: `must be one of ${names}, which have an event with this id`,
  })
}

/** A message that was not a valid event has neither collection nor kind. */
function shown({ collection, event, ...rest }: EventOutcome): object {
  const { id, state, accepted_at, matched, reason } = rest
  return {
    id,
    ...(collection === '' ? {} : { collection, event }),
    state,
    accepted_at,
    ...(matched === undefined ? {} : { matched }),
    ...(reason === undefined ? {} : { reason }),
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
