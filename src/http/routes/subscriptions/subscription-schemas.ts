import { type TSchema, Type } from 'typebox'
import type { SubscriptionSettings } from '../../../config/settings.ts'
import { Subscription, SubscriptionBody, SubscriptionList, SubscriptionResource } from '../../../model/subscription.ts'
import type { Side } from '../../../subscriptions/rights/subscription-caller.ts'
import { triggerSchema } from './trigger-schemas.ts'

/** OpenAPI descriptions of the subscription routes. The code in `subscriptions/` validates requests. */

const tags = ['Subscriptions']

const pretty = Type.Optional(Type.Boolean({ default: false, description: 'Indents the answer.' }))
const prettyOnly = Type.Object({ pretty })

export const subscriptionId = Type.String({ description: 'Id of the subscription.' })
const params = Type.Object({ id: subscriptionId })

const flag = (description: string) => Type.Optional(Type.Boolean({ description }))
const time = (description: string) => Type.Optional(Type.Integer({ format: 'int64', description }))

/** `page` and `size` of lists. */
export const pageParameters = {
  size: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, default: 10, description: 'Items of a page.' })),
  page: Type.Optional(Type.Integer({ minimum: 1, default: 1, description: 'Which page, from 1.' })),
}

const listParameters: Readonly<Record<Side, Readonly<Record<string, TSchema>>>> = {
  user: {
    before: time('Created at this second or before.'),
    active: flag('Whether they are active.'),
    expired: flag('Whether expires_at has passed.'),
  },
  administrator: {
    before: time('Created at this second or before.'),
    after: time('Created at this second or after.'),
    active: flag('Whether they are active.'),
    started: flag('Whether starts_at has come.'),
    expired: flag('Whether expires_at has passed.'),
    deleted: flag('Whether they are deleted.'),
    'created-by': Type.Optional(Type.String({ description: 'Whose they are.' })),
    'created-by-admin': flag('Whether an administrator made them.'),
  },
}

/** Returns the operation name; those of administrators are derived from those of users. */
export const operationName = (side: Side, name: string): string =>
  side === 'user' ? name : `admin${name.charAt(0).toUpperCase()}${name.slice(1)}`

const whose: Readonly<Record<Side, string>> = { user: 'a subscription', administrator: 'any subscription' }

type TriggerSettings = SubscriptionSettings['trigger']

/** Requests must match the current trigger schema. Stored subscriptions matched the schema of their time. */
const bodyWith = (trigger: TriggerSettings) => ({
  ...SubscriptionBody,
  properties: {
    ...SubscriptionBody.properties,
    subscription: {
      ...Subscription,
      $id: 'SubscriptionInput',
      properties: { ...Subscription.properties, trigger: triggerSchema(trigger) },
    },
  },
})

export const list = (side: Side) => ({
  tags,
  operationId: operationName(side, 'listSubscriptions'),
  summary: side === 'user' ? 'List subscriptions' : 'List subscriptions of all users',
  description:
    side === 'user'
      ? "The caller's subscriptions that are not deleted, latest first."
      : 'Subscriptions of all users, latest first, deleted ones included. For administrators.',
  querystring: Type.Object({ ...listParameters[side], ...pageParameters, pretty }),
  response: { 200: SubscriptionList },
})

export const get = (side: Side) => ({
  tags,
  operationId: operationName(side, 'getSubscription'),
  summary: `Read ${whose[side]}`,
  params,
  querystring:
    side === 'user' ? prettyOnly : Type.Object({ deleted: flag('false: one that is deleted is not found.'), pretty }),
  response: { 200: SubscriptionResource },
})

export const create = (side: Side, trigger: TriggerSettings) => ({
  tags,
  operationId: operationName(side, 'createSubscription'),
  summary: side === 'user' ? 'Subscribe' : "Subscribe in a user's name",
  description:
    'It is in force for every event accepted after the answer. Location names the subscription, Link the place of the ' +
    'secret that signs its notifications.',
  querystring: prettyOnly,
  body: bodyWith(trigger),
  response: { 201: SubscriptionResource },
})

export const replace = (side: Side, trigger: TriggerSettings) => ({
  tags,
  operationId: operationName(side, 'replaceSubscription'),
  summary: `Replace ${whose[side]}`,
  description: `Everything that can be sent is replaced${side === 'user' ? '; created_by must stay' : ''}.`,
  params,
  querystring: prettyOnly,
  body: bodyWith(trigger),
  response: { 201: SubscriptionResource },
})

export const remove = (side: Side) => ({
  tags,
  operationId: operationName(side, 'deleteSubscription'),
  summary: `Delete ${whose[side]}`,
  description: 'It is marked as deleted; what waits to be delivered is cancelled.',
  params,
  querystring: prettyOnly,
  response: { 202: SubscriptionResource },
})
