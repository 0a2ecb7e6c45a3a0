import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Problem, problem } from '../../../errors.ts'
import { DELIVERY_CHANNELS, DELIVERY_STATES } from '../../../model/delivery.ts'
import type { Notifications } from '../../../subscriptions/notifications.ts'
import {
  createDeliveryOperations,
  type DeliveryOperations,
  type WholeDelivery,
} from '../../../subscriptions/operations/delivery-operations.ts'
import { deliveryResource, wholeDeliveryResource } from '../../../subscriptions/operations/delivery-resource.ts'
import { describeSecret, readSecretRequest, renewSecret } from '../../../subscriptions/operations/secret-operations.ts'
import { pageLinks } from '../../../subscriptions/operations/subscription-links.ts'
import type { Delivery } from '../../../subscriptions/record/delivery-record.ts'
import type { SubscriptionRecord } from '../../../subscriptions/record/subscription-record.ts'
import { checkWholeView, showsDocument } from '../../../subscriptions/rights/delivery-view.ts'
import { readableSubscription, type Side } from '../../../subscriptions/rights/subscription-caller.ts'
import { sendJson } from '../../answer/send-json.ts'
import { rawBody, readJsonBody } from '../../request/body/json-body.ts'
import { callerStoredAccess } from '../../request/caller.ts'
import { type Parameters, readParameters } from '../../request/parameters.ts'
import type { Routes, Services } from '../../services.ts'
import { ignoreBody, ignoreTypeOfNothing } from '../tagging-request.ts'
import * as schemas from './delivery-schemas.ts'
import { guardSubscriptions, subscriptionCaller } from './subscription-guard.ts'
import { checkPretty, readListPage, readLong, subscriptionAddress } from './subscription-request.ts'

interface Identified {
  Params: { readonly id: string }
}
interface DeliveryIdentified {
  Params: { readonly id: string; readonly deliveryId: string }
}

/** Routes of deliveries and secrets (spec 4.4, 4.8). */
export function deliveryRoutes(services: Services, notifications: Notifications): Routes {
  const operations = createDeliveryOperations(notifications, services.now)
  return (app) => {
    registerSide(app, services, notifications, operations, 'user')
    if (services.settings.subscriptions.admin) {
      registerSide(app, services, notifications, operations, 'administrator')
    }
  }
}

/** Registers the same routes for end users or for administrators. */
function registerSide(
  app: FastifyInstance,
  { settings, now }: Services,
  { subscriptions, secrets, deliveries, rights }: Notifications,
  operations: DeliveryOperations,
  side: Side,
): void {
  const guard = guardSubscriptions(settings, side)
  const path = `${side === 'user' ? '' : '/admin'}/subscriptions/:id`
  const read = { onRequest: guard }
  const bare = { onRequest: [guard, ignoreBody] }
  const nowS = (): number => Math.floor(now() / 1000)
  const open = (request: FastifyRequest<Identified>): Promise<SubscriptionRecord> =>
    readableSubscription(subscriptions, request.params.id, subscriptionCaller(request), side)
  /** For routes that show documents: 403 unless the caller sees everything the subscription covers. */
  const openWhole = async (request: FastifyRequest<Identified>): Promise<SubscriptionRecord> => {
    const subscription = await open(request)
    checkWholeView(subscription, callerStoredAccess(request))
    return subscription
  }
  const place = (request: FastifyRequest) => ({ base: subscriptionAddress(request, settings).base, side })
  const sendWhole = (
    request: FastifyRequest,
    reply: FastifyReply,
    { delivery, attempts }: WholeDelivery,
  ): Promise<FastifyReply> =>
    sendJson(request, reply, wholeDeliveryResource(delivery, attempts, place(request)), { tag: 'none' })

  app.get<Identified>(`${path}/deliveries`, { schema: schemas.list(side), ...read }, async (request, reply) => {
    checkPretty(request)
    const parameters = readParameters(request)
    const filter = { ...readFilter(parameters), ...readChannel(parameters) }
    const { page, size } = readListPage(parameters)
    const subscription = await open(request)
    const { id, active, disabled } = subscription
    const isStopped = (await rights?.isStopped(subscription)) ?? false
    const hidesDocuments = (delivery: Delivery): boolean =>
      !showsDocument(subscription, callerStoredAccess(request), delivery)
    const found = await deliveries.list({ ...filter, subscriptionId: id }, (page - 1) * size, size)
    const answer = {
      count: found.deliveries.length,
      total: found.total,
      _links: pageLinks(subscriptionAddress(request, settings), { page, size, total: found.total }),
      ...(disabled === undefined || active ? {} : { disabled }),
      ...(isStopped ? { stopped: { reason: 'RIGHTS' } } : {}),
      deliveries: found.deliveries.map((delivery) =>
        deliveryResource(delivery, { ...place(request), hidesDocument: hidesDocuments(delivery) }),
      ),
    }
    return sendJson(request, reply, answer, { tag: 'none' })
  })

  app.get<DeliveryIdentified>(
    `${path}/deliveries/:deliveryId`,
    { schema: schemas.get(side), ...read },
    async (request, reply) => {
      checkPretty(request)
      const { channel } = readChannel(readParameters(request))
      return sendWhole(
        request,
        reply,
        await operations.get(await openWhole(request), request.params.deliveryId, channel),
      )
    },
  )

  app.post<DeliveryIdentified>(
    `${path}/deliveries/:deliveryId/_redeliver`,
    { schema: schemas.redeliver(side), ...bare },
    async (request, reply) => {
      checkPretty(request)
      const { channel } = readChannel(readParameters(request))
      const again = await operations.redeliver(await openWhole(request), request.params.deliveryId, channel)
      return sendWhole(request, reply.code(202), again)
    },
  )

  app.post<Identified>(
    `${path}/deliveries/_redeliver`,
    { schema: schemas.redeliverAll(side), ...bare },
    async (request, reply) => {
      checkPretty(request)
      const filter = { state: 'FAILED' as const, ...readFilter(readParameters(request)) }
      const count = await operations.redeliverAll(await openWhole(request), filter)
      return sendJson(request, reply.code(202), { count })
    },
  )

  app.post<Identified>(`${path}/_test`, { schema: schemas.test(side), ...bare }, async (request, reply) => {
    checkPretty(request)
    return sendWhole(request, reply, await operations.test(await open(request)))
  })

  app.get<Identified>(`${path}/secret`, { schema: schemas.getSecret(side), ...read }, async (request, reply) => {
    checkPretty(request)
    const { id } = await open(request)
    reply.header('cache-control', 'no-store')
    return sendJson(request, reply, await describeSecret(secrets, id, nowS()), { tag: 'none' })
  })

  app.post<Identified>(
    `${path}/secret`,
    { schema: schemas.renewSecret(side), onRequest: [guard, ignoreTypeOfNothing] },
    async (request, reply) => {
      checkPretty(request)
      const wanted = readSecretRequest(readOptionalBody(request))
      const { id } = await open(request)
      reply.code(201).header('cache-control', 'no-store')
      return sendJson(request, reply, await renewSecret(secrets, id, wanted, nowS()))
    },
  )
}

/** An absent body is `{}`. Messages do not quote the body, because it may contain a secret. */
function readOptionalBody(request: FastifyRequest): unknown {
  if (rawBody(request).length === 0) return {}
  try {
    return readJsonBody(request)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const { value: _value, ...details } = error.details
    throw problem(error.code, details)
  }
}

function readFilter(parameters: Parameters) {
  const state = readWord(parameters, 'state', DELIVERY_STATES)
  const before = readLong(parameters, 'before')
  const after = readLong(parameters, 'after')
  return {
    ...(state === undefined ? {} : { state }),
    ...(before === undefined ? {} : { before }),
    ...(after === undefined ? {} : { after }),
  }
}

function readChannel(parameters: Parameters) {
  const channel = readWord(parameters, 'channel', DELIVERY_CHANNELS)
  return channel === undefined ? {} : { channel }
}

function readWord<T extends string>(parameters: Parameters, name: string, words: readonly T[]): T | undefined {
  const text = parameters.text(name)
  const found = words.find((word) => word === text)
  if (text === undefined || found !== undefined) return found
  throw problem('INVALID_PARAMETER', { parameter: name, reason: `must be one of ${words.join(', ')}`, value: text })
}
