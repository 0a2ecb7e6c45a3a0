import type { ChangeInterest, ChangeKind } from '../../engine/change-feed.ts'
import type { SubscriptionStore } from '../record/subscription-store.ts'
import type { MatcherIndex } from '../watched/matcher-index.ts'
import type { IndexOwners } from './index-owners.ts'

interface ChangeInterestOptions {
  readonly index: Pick<MatcherIndex, 'concerns' | 'concernsAny' | 'namedCollections'>
  readonly owners: Pick<IndexOwners, 'of'>
  readonly subscriptions: Pick<SubscriptionStore, 'lastSeq' | 'catchUp'>
  /** False until all subscriptions are loaded. Every change may matter until then. */
  readonly isLoaded: () => boolean
}

/**
 * Decides which document changes may matter to a subscription. Includes changes if uncertain; irrelevant ones are
 * skipped later.
 */
export function changeInterest({ index, owners, subscriptions, isLoaded }: ChangeInterestOptions): ChangeInterest {
  return {
    mark: () => subscriptions.lastSeq(),
    catchUp: () => subscriptions.catchUp(),
    wants(name, kind) {
      if (!isLoaded()) return 'both'
      if (!index.concernsAny(kind) && index.namedCollections(kind).length === 0) return 'nothing'
      const collections = owners.of(name)
      if (collections === undefined) return 'both'
      const concerned = collections.filter(({ collection_name }) => index.concerns(collection_name, kind))
      if (concerned.length === 0) return 'nothing'
      return needsBefore(
        kind,
        concerned.some(({ params }) => params.filter !== undefined),
      )
        ? 'both'
        : 'after'
    },
  }
}

/** A document that leaves a filtered collection is reported with its former state. */
const needsBefore = (kind: ChangeKind, isFiltered: boolean): boolean =>
  kind === 'DELETE' || (kind === 'UPDATE' && isFiltered)
