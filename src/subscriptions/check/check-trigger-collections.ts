import { type CollectionSources, type OpenCollection, openReference } from '../../collections/open-collection.ts'
import type { Limits } from '../../config/settings.ts'
import { Problem, problem } from '../../errors.ts'
import type { Access } from '../../query/access/access.ts'
import { checkHitsColumns, checkHitsFields } from '../hits/hits-fragment.ts'
import type { Side } from '../rights/subscription-caller.ts'
import type { CheckedSubscription } from './check-subscription.ts'

interface CollectionChecks {
  readonly sources: CollectionSources
  readonly limits: Limits
  /** Access of the writer the subscription is matched for. */
  readonly access: Access
  readonly side: Side
  /** Milliseconds. */
  readonly now: number
  readonly signal?: AbortSignal | undefined
}

/**
 * Checks a subscription against the collections its trigger names, in the order of spec 2.4: they exist (404; an
 * administrator may name any), the writer may see the columns used (403), the hits fit their fields (400).
 */
export async function checkTriggerCollections(checked: CheckedSubscription, checks: CollectionChecks): Promise<void> {
  const { trigger, hits } = checked
  const views: OpenCollection[] = []
  for (const name of new Set(trigger.collections)) {
    const found = await findCollection(name, checks)
    if (found === 'none' && checks.side === 'user') throw problem('COLLECTION_NOT_FOUND', { name })
    if (typeof found !== 'string') views.push(found)
  }
  for (const view of views) checkHitsColumns(hits, view, [...trigger.others.keys()])
  for (const view of views) checkHitsFields(hits, view, checks)
}

const HIDDEN = new Set(['COLLECTION_NOT_FOUND', 'COLLECTION_NOT_AVAILABLE'])

/** `none`: it does not exist or is hidden from the writer. `empty`: it has no index, and so no fields. */
async function findCollection(name: string, checks: CollectionChecks): Promise<OpenCollection | 'none' | 'empty'> {
  const { sources, access, signal } = checks
  if (access.explores?.(name) === false) return 'none'
  try {
    const reference = await sources.collections.get(name, access)
    return (await openReference(sources.engine, reference, access, signal)) ?? 'empty'
  } catch (error) {
    if (error instanceof Problem && HIDDEN.has(error.code)) return 'none'
    throw error
  }
}
