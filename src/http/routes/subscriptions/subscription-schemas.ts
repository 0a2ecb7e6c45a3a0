import { type TSchema, Type } from 'typebox'
import type { SubscriptionSettings } from '../../../config/settings.ts'
import { Subscription, SubscriptionBody, SubscriptionList, SubscriptionResource } from '../../../model/subscription.ts'
import type { Side } from '../../../subscriptions/rights/subscription-caller.ts'
import { triggerSchema } from './trigger-schemas.ts'

/** OpenAPI descriptions of the subscription routes. The code in `subscriptions/` validates requests. */

const tags = ['Subscriptions']

const pretty = Type.Optional(Type.Boolean({ default: false, description: 'Indent the response.' }))
const prettyOnly = Type.Object({ pretty })

export const subscriptionId = Type.String({ description: 'Id of the subscription.' })
const params = Type.Object({ id: subscriptionId })

const flag = (description: string) => Type.Optional(Type.Boolean({ description }))
const time = (description: string) => Type.Optional(Type.Integer({ format: 'int64', description }))

/** `page` and `size` of lists. */
export const pageParameters = {
  size: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 1000, default: 10, description: 'Number of items per page.' }),
  ),
  page: Type.Optional(Type.Integer({ minimum: 1, default: 1, description: 'Page number, starting at 1.' })),
}

const listParameters: Readonly<Record<Side, Readonly<Record<string, TSchema>>>> = {
  user: {
    before: time('Created at or before this time, in seconds since 1970.'),
    active: flag('Whether the subscription is active.'),
    expired: flag('Whether expires_at has passed.'),
  },
  administrator: {
    before: time('Created at or before this time, in seconds since 1970.'),
    after: time('Created at or after this time, in seconds since 1970.'),
    active: flag('Whether the subscription is active.'),
    started: flag('Whether starts_at has passed.'),
    expired: flag('Whether expires_at has passed.'),
    deleted: flag('Whether the subscription is deleted.'),
    'created-by': Type.Optional(Type.String({ description: 'Owner of the subscriptions.' })),
    'created-by-admin': flag('Whether the subscription was created by an administrator.'),
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
      ? "The caller's subscriptions that are not deleted, newest first."
      : 'Subscriptions of all users, including deleted ones, newest first. For administrators.',
  querystring: Type.Object({ ...listParameters[side], ...pageParameters, pretty }),
  response: { 200: SubscriptionList },
})

export const get = (side: Side) => ({
  tags,
  operationId: operationName(side, 'getSubscription'),
  summary: `Get ${whose[side]}`,
  params,
  querystring:
    side === 'user'
      ? prettyOnly
      : Type.Object({ deleted: flag('false: return 404 if the subscription is deleted.'), pretty }),
  response: { 200: SubscriptionResource },
})

export const create = (side: Side, trigger: TriggerSettings) => ({
  tags,
  operationId: operationName(side, 'createSubscription'),
  summary: side === 'user' ? 'Subscribe' : 'Subscribe on behalf of a user',
  description:
    'The subscription applies to all events accepted after the response. Location is the URL of the subscription, Link ' +
    'the URL of the secret that signs its notifications.',
  querystring: prettyOnly,
  body: bodyWith(trigger),
  response: { 201: SubscriptionResource },
})

export const replace = (side: Side, trigger: TriggerSettings) => ({
  tags,
  operationId: operationName(side, 'replaceSubscription'),
  summary: `Replace ${whose[side]}`,
  description: `Replaces all members of the body${side === 'user' ? '; created_by must not change' : ''}.`,
  params,
  querystring: prettyOnly,
  body: bodyWith(trigger),
  response: { 201: SubscriptionResource },
})

export const remove = (side: Side) => ({
  tags,
  operationId: operationName(side, 'deleteSubscription'),
  summary: `Delete ${whose[side]}`,
  description: 'Marks the subscription as deleted and cancels its pending deliveries.',
  params,
  querystring: prettyOnly,
  response: { 202: SubscriptionResource },
})
