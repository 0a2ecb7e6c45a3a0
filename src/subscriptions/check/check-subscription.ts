import type { Limits, Settings } from '../../config/settings.ts'
import { Problem, problem } from '../../errors.ts'
import type { Access } from '../../query/access/access.ts'
import { unusableGrant } from '../../query/access/partition-filter.ts'
import { anyPlaces, parseFilter } from '../../query/filter/filter-syntax.ts'
import { expressionBudget } from '../../query/plan/expression-budget.ts'
import { checkHitsDates } from '../hits/hits-dates.ts'
import { type ParsedHits, parseHits } from '../hits/hits-fragment.ts'
import type { SubscriptionContent } from '../record/subscription-record.ts'
import { geometryFault, type PointedFault, pointFault } from '../trigger/trigger-geometry.ts'
import { readTrigger, type TriggerParts } from '../trigger/trigger-parts.ts'
import { compileTriggerSchema, TRIGGER_POINTER } from '../trigger/trigger-schema.ts'
import { callbackCheck } from './callback-url.ts'
import { readSubscriptionBody } from './subscription-body.ts'
import { checkSubscriptionValues } from './subscription-values.ts'

/** A subscription that is valid in itself. The collections and fields it names have not been looked up. */
export interface CheckedSubscription {
  readonly content: SubscriptionContent
  readonly trigger: TriggerParts
  readonly hits: ParsedHits
}

/** All checks of a body that need no other data, in the order of spec 2.4. */
type SubscriptionCheck = (body: unknown, access: Access, now: number) => CheckedSubscription

/** Compiles the checks of bodies. Invalid settings fail at the start. */
export function subscriptionCheck({ subscriptions, egress, limits }: Settings): SubscriptionCheck {
  const { keys } = subscriptions.trigger
  const checkSchema = compileTriggerSchema(subscriptions.trigger)
  const checkCallback = callbackCheck(egress)
  return (body, access, now) => {
    const content = readSubscriptionBody(body)
    checkSubscriptionValues(content)
    const { trigger: sent, callback, hits: fragments } = content.subscription
    checkSchema(sent)
    const trigger = readTrigger(sent, keys)
    if (trigger.geometry !== undefined) refuse(keys.geometry, geometryFault(trigger.geometry))
    if (trigger.centroid !== undefined) refuse(keys.centroid, pointFault(trigger.centroid))
    const hits = parseHits(fragments, limits)
    checkHitsDates(hits, { now, anyField: trigger.collections === undefined })
    checkPartition(access, trigger.collections ?? [], limits)
    checkCallback(callback)
    return { content, trigger, hits }
  }
}

function refuse(key: string, fault: PointedFault | undefined): void {
  if (fault === undefined) return
  const place = key.replaceAll('~', '~0').replaceAll('/', '~1')
  const parameter = `${TRIGGER_POINTER}/${place}${fault.pointer}`
  throw problem('INVALID_GEOMETRY', { parameter, reason: fault.reason })
}

/** The partition filter is stored, so it must be valid. Error messages contain nothing of it. */
function checkPartition({ partition }: Access, collections: readonly string[], limits: Limits): void {
  if (partition === undefined) return
  const filters = ['', ...collections].flatMap((name) => partition.filtersOf(name))
  try {
    for (const filter of new Set(filters)) {
      const budget = expressionBudget(limits)
      parseFilter(filter, { limits, budget, parameter: 'partition-filter', places: anyPlaces })
    }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    if (partition.granted === true) throw unusableGrant()
    const reason = 'must contain valid Filters'
    throw problem('INVALID_FILTER', { parameter: 'partition-filter', reason })
  }
}
