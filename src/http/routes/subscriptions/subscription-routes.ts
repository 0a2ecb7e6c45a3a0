import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Notifications } from '../../../subscriptions/notifications.ts'
import { pageLinks, subscriptionUrl } from '../../../subscriptions/operations/subscription-links.ts'
import {
  type Asker,
  createSubscriptionOperations,
  type ListRequest,
  type SubscriptionOperations,
  type Writer,
} from '../../../subscriptions/operations/subscription-operations.ts'
import { subscriptionResource } from '../../../subscriptions/operations/subscription-resource.ts'
import type { SubscriptionRecord } from '../../../subscriptions/record/subscription-record.ts'
import type { Side } from '../../../subscriptions/rights/subscription-caller.ts'
import { sendJson } from '../../answer/send-json.ts'
import { callerAccess, callerStoredAccess, requestSignal } from '../../request/caller.ts'
import { type Parameters, readParameters } from '../../request/parameters.ts'
import type { Routes, Services } from '../../services.ts'
import { ignoreTypeOfNothing } from '../tagging-request.ts'
import { guardSubscriptions, subscriptionCaller } from './subscription-guard.ts'
import {
  checkPretty,
  readListPage,
  readLong,
  readSubscriptionJson,
  subscriptionAddress,
} from './subscription-request.ts'
import * as schemas from './subscription-schemas.ts'

interface Identified {
  Params: { readonly id: string }
}

/** Routes of subscriptions (spec 2.2). Throws at start-up if the trigger schema is invalid. */
export function subscriptionRoutes(services: Services, notifications: Notifications): Routes {
  const { settings, now } = services
  const operations = createSubscriptionOperations({ notifications, sources: services, settings, now })
  return (app) => {
    registerSide(app, services, operations, 'user')
    if (settings.subscriptions.admin) registerSide(app, services, operations, 'administrator')
  }
}

/** Registers the same five routes for end users or for administrators. */
function registerSide(
  app: FastifyInstance,
  { settings }: Services,
  operations: SubscriptionOperations,
  side: Side,
): void {
  const guard = guardSubscriptions(settings, side)
  const path = side === 'user' ? '/subscriptions' : '/admin/subscriptions'
  const one = `${path}/:id`
  const read = { onRequest: guard }
  const write = { onRequest: [guard, ignoreTypeOfNothing] }
  const asker = (request: FastifyRequest): Asker => ({ caller: subscriptionCaller(request), side })
  const writer = (request: FastifyRequest): Writer => ({
    ...asker(request),
    access: callerAccess(request),
    stored: callerStoredAccess(request),
    signal: requestSignal(request),
  })
  const baseOf = (request: FastifyRequest): string => subscriptionAddress(request, settings).base
  const send = (request: FastifyRequest, reply: FastifyReply, record: SubscriptionRecord): Promise<FastifyReply> =>
    sendJson(request, reply, subscriptionResource(baseOf(request), side, record))
  const sendWritten = (
    request: FastifyRequest,
    reply: FastifyReply,
    record: SubscriptionRecord,
  ): Promise<FastifyReply> =>
    send(request, reply.code(201).header('location', subscriptionUrl(baseOf(request), side, record.id)), record)

  app.get(path, { schema: schemas.list(side), ...read }, async (request, reply) => {
    checkPretty(request)
    const wanted = readList(readParameters(request), side)
    const { total, subscriptions } = await operations.list(wanted, asker(request))
    const address = subscriptionAddress(request, settings)
    return sendJson(request, reply, {
      count: subscriptions.length,
      total,
      _links: pageLinks(address, { ...wanted, total }),
      subscriptions: subscriptions.map((record) => subscriptionResource(address.base, side, record)),
    })
  })

  app.post(path, { schema: schemas.create(side, settings.subscriptions.trigger), ...write }, async (request, reply) => {
    const record = await operations.create(readSubscriptionJson(request), writer(request))
    const url = subscriptionUrl(baseOf(request), side, record.id)
    return sendWritten(request, reply.header('link', `<${url}/secret>; rel="webhook-secret"`), record)
  })

  app.get<Identified>(one, { schema: schemas.get(side), ...read }, async (request, reply) => {
    checkPretty(request)
    const deleted = side === 'user' ? undefined : readParameters(request).boolean('deleted')
    return send(request, reply, await operations.get(request.params.id, asker(request), deleted))
  })

  app.put<Identified>(
    one,
    { schema: schemas.replace(side, settings.subscriptions.trigger), ...write },
    async (request, reply) => {
      const body = readSubscriptionJson(request)
      return sendWritten(request, reply, await operations.replace(request.params.id, body, writer(request)))
    },
  )

  app.delete<Identified>(one, { schema: schemas.remove(side), ...read }, async (request, reply) => {
    checkPretty(request)
    return send(request, reply.code(202), await operations.delete(request.params.id, asker(request)))
  })
}

function readList(parameters: Parameters, side: Side): ListRequest {
  const before = readLong(parameters, 'before')
  const active = parameters.boolean('active')
  const expired = parameters.boolean('expired')
  const filter = {
    ...(before === undefined ? {} : { before }),
    ...(active === undefined ? {} : { active }),
    ...(expired === undefined ? {} : { expired }),
    ...(side === 'user' ? {} : readAdministratorFilter(parameters)),
  }
  return { filter, ...readListPage(parameters) }
}

function readAdministratorFilter(parameters: Parameters): ListRequest['filter'] {
  const after = readLong(parameters, 'after')
  const started = parameters.boolean('started')
  const deleted = parameters.boolean('deleted')
  const createdBy = parameters.text('created-by')
  const createdByAdmin = parameters.boolean('created-by-admin')
  return {
    ...(after === undefined ? {} : { after }),
    ...(started === undefined ? {} : { started }),
    ...(deleted === undefined ? {} : { deleted }),
    ...(createdBy === undefined ? {} : { createdBy }),
    ...(createdByAdmin === undefined ? {} : { createdByAdmin }),
  }
}
