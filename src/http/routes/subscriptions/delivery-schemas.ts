import { Type } from 'typebox'
import {
  DELIVERY_CHANNELS,
  DELIVERY_STATES,
  DeliveryList,
  Redelivered,
  SecretBody,
  SecretDescription,
  ShownSecret,
  WholeDeliveryResource,
} from '../../../model/delivery.ts'
import type { Side } from '../../../subscriptions/rights/subscription-caller.ts'
import { operationName, pageParameters, subscriptionId } from './subscription-schemas.ts'

/** OpenAPI descriptions of deliveries and secrets. The code in `subscriptions/` validates requests. */

const tags = ['Subscriptions']

const pretty = Type.Optional(Type.Boolean({ default: false, description: 'Indent the response.' }))
const time = (description: string) => Type.Optional(Type.Integer({ format: 'int64', description }))
const word = (values: readonly string[], description: string) =>
  Type.Optional(Type.Unsafe<string>({ type: 'string', enum: [...values], description }))

const params = Type.Object({ id: subscriptionId })
const deliveryParams = Type.Object({ id: subscriptionId, deliveryId: Type.String({ description: 'webhook-id.' }) })
const channel = word(DELIVERY_CHANNELS, 'Channel of the delivery. Default: webhook if there is one.')
const state = word(DELIVERY_STATES, 'State of the deliveries.')
const before = time('Created at or before this time, in seconds since 1970.')
const after = time('Created at or after this time, in seconds since 1970.')
const prettyOnly = Type.Object({ pretty })

export const list = (side: Side) => ({
  tags,
  operationId: operationName(side, 'listDeliveries'),
  summary: 'List the deliveries of a subscription',
  description: 'Newest first, without payloads.',
  params,
  querystring: Type.Object({
    state,
    channel: word(DELIVERY_CHANNELS, 'Channel of the deliveries.'),
    before,
    after,
    ...pageParameters,
    pretty,
  }),
  response: { 200: DeliveryList },
})

export const get = (side: Side) => ({
  tags,
  operationId: operationName(side, 'getDelivery'),
  summary: 'Get a delivery with its attempts',
  params: deliveryParams,
  querystring: Type.Object({ channel, pretty }),
  response: { 200: WholeDeliveryResource },
})

export const redeliver = (side: Side) => ({
  tags,
  operationId: operationName(side, 'redeliver'),
  summary: 'Send a delivery again',
  description:
    'Makes an attempt immediately. If it fails, the complete retry schedule starts again. Id and payload are unchanged.',
  params: deliveryParams,
  querystring: Type.Object({ channel, pretty }),
  response: { 202: WholeDeliveryResource },
})

export const redeliverAll = (side: Side) => ({
  tags,
  operationId: operationName(side, 'redeliverAll'),
  summary: 'Send deliveries of a subscription again',
  description: 'Sends all matching deliveries, by default those with state FAILED.',
  params,
  querystring: Type.Object({ state, before, after, pretty }),
  response: { 202: Redelivered },
})

export const test = (side: Side) => ({
  tags,
  operationId: operationName(side, 'testSubscription'),
  summary: 'Send a test message to the callback',
  description: 'Makes one attempt and returns its result.',
  params,
  querystring: prettyOnly,
  response: { 200: WholeDeliveryResource },
})

export const getSecret = (side: Side) => ({
  tags,
  operationId: operationName(side, 'getSecret'),
  summary: 'Describe the secret that signs notifications',
  params,
  querystring: prettyOnly,
  response: { 200: SecretDescription },
})

export const renewSecret = (side: Side) => ({
  tags,
  operationId: operationName(side, 'renewSecret'),
  summary: 'Renew the secret that signs notifications',
  description:
    'The response shows the new secret once. The previous secret also signs for a while, unless it was never shown.',
  params,
  querystring: prettyOnly,
  body: SecretBody,
  bodyRequired: false,
  response: { 201: ShownSecret },
})
