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

const pretty = Type.Optional(Type.Boolean({ default: false, description: 'Indents the answer.' }))
const time = (description: string) => Type.Optional(Type.Integer({ format: 'int64', description }))
const word = (values: readonly string[], description: string) =>
  Type.Optional(Type.Unsafe<string>({ type: 'string', enum: [...values], description }))

const params = Type.Object({ id: subscriptionId })
const deliveryParams = Type.Object({ id: subscriptionId, deliveryId: Type.String({ description: 'webhook-id.' }) })
const channel = word(DELIVERY_CHANNELS, 'Which channel; without it the webhook when there is one.')
const state = word(DELIVERY_STATES, 'Their state.')
const before = time('Created at this second or before.')
const after = time('Created at this second or after.')
const prettyOnly = Type.Object({ pretty })

export const list = (side: Side) => ({
  tags,
  operationId: operationName(side, 'listDeliveries'),
  summary: 'List the deliveries of a subscription',
  description: 'Newest first, without payloads.',
  params,
  querystring: Type.Object({
    state,
    channel: word(DELIVERY_CHANNELS, 'How they leave.'),
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
  summary: 'Read a delivery with its attempts',
  params: deliveryParams,
  querystring: Type.Object({ channel, pretty }),
  response: { 200: WholeDeliveryResource },
})

export const redeliver = (side: Side) => ({
  tags,
  operationId: operationName(side, 'redeliver'),
  summary: 'Send a delivery again',
  description: 'An attempt at once and, when it fails, the whole schedule again. The same bytes under the same id.',
  params: deliveryParams,
  querystring: Type.Object({ channel, pretty }),
  response: { 202: WholeDeliveryResource },
})

export const redeliverAll = (side: Side) => ({
  tags,
  operationId: operationName(side, 'redeliverAll'),
  summary: 'Send deliveries of a subscription again',
  description: 'All that match, FAILED ones unless a state is named.',
  params,
  querystring: Type.Object({ state, before, after, pretty }),
  response: { 202: Redelivered },
})

export const test = (side: Side) => ({
  tags,
  operationId: operationName(side, 'testSubscription'),
  summary: 'Send a test message to the callback',
  description: 'One attempt, of which the answer tells how it ended.',
  params,
  querystring: prettyOnly,
  response: { 200: WholeDeliveryResource },
})

export const getSecret = (side: Side) => ({
  tags,
  operationId: operationName(side, 'getSecret'),
  summary: 'What is known of the secret that signs notifications',
  params,
  querystring: prettyOnly,
  response: { 200: SecretDescription },
})

export const renewSecret = (side: Side) => ({
  tags,
  operationId: operationName(side, 'renewSecret'),
  summary: 'Renew the secret that signs notifications',
  description: 'The answer shows it, once. The former one signs along for a while, unless it was never shown.',
  params,
  querystring: prettyOnly,
  body: SecretBody,
  bodyRequired: false,
  response: { 201: ShownSecret },
})
