import type { StoredAccess } from '../../access/rights/stored-access.ts'
import type { SubscriptionRecord } from '../record/subscription-record.ts'
import type { TriggerKeys } from '../trigger/default-trigger-schema.ts'
import { type TriggerArea, triggerArea } from '../trigger/trigger-area.ts'
import { type TriggerKey, triggerConditions } from '../trigger/trigger-conditions.ts'

/** A subscription prepared for matching. */
export interface WatchedSubscription {
  readonly id: string
  readonly area?: TriggerArea
  readonly keys: readonly TriggerKey[]
  readonly hits: SubscriptionRecord['subscription']['hits']
  readonly access: StoredAccess
  /** Equal for equal views, of any writer. */
  readonly accessKey: string
  /** End of its notifications: `"subscription":...,"user_metadata":...`. */
  readonly ending: string
}

export function watchedSubscription(record: SubscriptionRecord, names: TriggerKeys): WatchedSubscription {
  const { trigger, callback, hits } = record.subscription
  const { shape, keys } = triggerConditions(trigger, names)
  const { writer: _writer, narrowedAt: _narrowed, ...view } = record.access
  const subscription = JSON.stringify({ id: record.id, callback })
  return {
    id: record.id,
    ...(shape === undefined ? {} : { area: triggerArea(shape) }),
    keys,
    hits,
    access: record.access,
    accessKey: JSON.stringify(view),
    ending: `"subscription":${subscription},"user_metadata":${JSON.stringify(record.userMetadatas)}`,
  }
}
