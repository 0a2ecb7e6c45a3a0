import type { PendingEvent } from '../record/subscription-event.ts'
import type { MatcherIndex } from '../watched/matcher-index.ts'
import type { WatchedSubscription } from '../watched/watched-subscription.ts'
import type { MatchSubject, Verdict } from './match-subject.ts'

interface Candidate {
  readonly subscription: WatchedSubscription
  /** `unknown`: the document decides. */
  readonly verdict: Exclude<Verdict, 'no'>
}

/**
 * Returns subscriptions whose time window and trigger match an event (spec 3.5, all conditions except the access of
 * their writers).
 */
export function* candidates(index: MatcherIndex, event: PendingEvent, subject: MatchSubject): Generator<Candidate> {
  const { acceptedMs, subscriptionSeq } = event
  // A subscription changed during the iteration may appear again in its new version.
  const met = new Set<string>()
  for (const entry of index.find(event.event.collection, event.event.event, subject)) {
    if (entry.seq > subscriptionSeq || entry.startsMs > acceptedMs || acceptedMs >= entry.expiresMs) continue
    if (met.has(entry.id)) continue
    const subscription = index.compiled(entry)
    const verdict = subject.satisfies(subscription)
    if (verdict === 'no') continue
    met.add(entry.id)
    yield { subscription, verdict }
  }
}
