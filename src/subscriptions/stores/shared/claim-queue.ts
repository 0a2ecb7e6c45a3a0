import type { HeldTargets } from '../../record/delivery-store.ts'
import { PlaceHeap } from './place-heap.ts'

/**
 * The earliest delivery of a subscription: due time in milliseconds, and its order among those due at the same time.
 */
export interface Head {
  readonly due: number
  readonly order: number
}

/** A subscription with waiting deliveries. */
interface Entry extends Head {
  readonly subscriptionId: string
  due: number
  order: number
  /** Undefined: not assigned yet. */
  lane: Lane | undefined
  place: number
}

/** Subscriptions that wait for the same thing, such as room in the queue of their host. */
interface Lane {
  readonly key: string
  readonly entries: PlaceHeap<Entry>
  /** Milliseconds. Nothing of the lane is claimed before. Infinity: until it is freed. */
  openAt: number
  place: number
}

/** Maximum number of target lookups per claim, to keep claims short. */
const MOST_PLACED = 256
/** Number of held subscriptions a claim may skip before it yields. */
const MOST_PASSED = 256

const isEarlier = (a: Head, b: Head): boolean => a.due < b.due || (a.due === b.due && a.order < b.order)

/**
 * Selects the subscription to claim from next. Subscriptions that wait for the same thing share a lane, and a closed
 * lane is skipped as a whole, so the cost of a claim does not depend on how many wait.
 */
export class ClaimQueue {
  readonly #entries = new Map<string, Entry>()
  readonly #fresh = new Set<Entry>()
  readonly #lanes = new Map<string, Lane>()
  readonly #order = new PlaceHeap<Lane>(isLaneEarlier)

  get size(): number {
    return this.#entries.size
  }

  /** Sets the earliest delivery of a subscription. Undefined: none is waiting. */
  set(subscriptionId: string, head: Head | undefined): void {
    const known = this.#entries.get(subscriptionId)
    if (head === undefined) {
      if (known === undefined) return
      this.#entries.delete(subscriptionId)
      this.#leave(known)
      return
    }
    if (known === undefined) {
      const entry: Entry = { subscriptionId, due: head.due, order: head.order, lane: undefined, place: -1 }
      this.#entries.set(subscriptionId, entry)
      this.#fresh.add(entry)
      return
    }
    known.due = head.due
    known.order = head.order
    if (known.lane === undefined) return
    known.lane.entries.put(known)
    this.#order.put(known.lane)
  }

  /** Records a new delivery, which may be the earliest one. */
  added(subscriptionId: string, head: Head): void {
    const known = this.#entries.get(subscriptionId)
    if (known === undefined || isEarlier(head, known)) this.set(subscriptionId, head)
  }

  /** Prepares a claim: opens freed lanes and assigns new subscriptions to lanes. */
  async prepare(held: HeldTargets): Promise<void> {
    for (const key of held.takeFreed?.() ?? []) this.#open(key)
    for (const subscriptionId of held.takeMoved?.() ?? []) {
      const entry = this.#entries.get(subscriptionId)
      if (entry?.lane !== undefined) this.#move(entry, held.lineOf(subscriptionId))
    }
    if (this.#fresh.size === 0) return
    const placed: Entry[] = []
    for (const entry of this.#fresh) {
      if (placed.push(entry) === MOST_PLACED) break
    }
    await held.learn?.(placed.map(({ subscriptionId }) => subscriptionId))
    for (const entry of placed) {
      if (this.#fresh.has(entry)) this.#move(entry, held.lineOf(entry.subscriptionId))
    }
  }

  /** True if something may be claimed, apart from new subscriptions. */
  hasDue(nowMs: number): boolean {
    const lane = this.#order.first
    return lane !== undefined && laneTime(lane) <= nowMs
  }

  /** True if some subscriptions are not assigned to a lane yet. */
  get hasFresh(): boolean {
    return this.#fresh.size > 0
  }

  /** Returns the subscription that has waited longest and is not held. `passed` counts the held ones skipped. */
  next(nowMs: number, held: HeldTargets, passed: { count: number }): string | undefined {
    for (;;) {
      const lane = this.#order.first
      if (lane === undefined || laneTime(lane) > nowMs || passed.count >= MOST_PASSED) return undefined
      const entry = lane.entries.first
      if (entry === undefined) return undefined
      const { subscriptionId } = entry
      const hold = held.holdOf(subscriptionId, nowMs)
      if (hold === undefined) {
        this.#move(entry, held.lineOf(subscriptionId))
        return subscriptionId
      }
      passed.count += 1
      const closed = this.#move(entry, hold.key)
      closed.openAt = hold.untilMs ?? Number.POSITIVE_INFINITY
      this.#order.put(closed)
    }
  }

  /** Returns when to claim next, in milliseconds. Skips held subscriptions like a claim. */
  nextDue(nowMs: number, held: HeldTargets): number | undefined {
    const passed = { count: 0 }
    // `next` does not remove the subscription: it stays first in its lane.
    if (this.next(nowMs, held, passed) === undefined && this.hasDue(nowMs)) return nowMs
    const lane = this.#order.first
    const next = lane === undefined ? Number.POSITIVE_INFINITY : laneTime(lane)
    return Number.isFinite(next) ? next : undefined
  }

  #open(key: string): void {
    const lane = this.#lanes.get(key)
    if (lane === undefined) return
    lane.openAt = 0
    this.#order.put(lane)
  }

  #move(entry: Entry, key: string): Lane {
    if (entry.lane?.key === key) return entry.lane
    this.#leave(entry)
    const lane = this.#lanes.get(key) ?? { key, entries: new PlaceHeap<Entry>(isEarlier), openAt: 0, place: -1 }
    this.#lanes.set(key, lane)
    entry.lane = lane
    lane.entries.put(entry)
    this.#order.put(lane)
    return lane
  }

  #leave(entry: Entry): void {
    this.#fresh.delete(entry)
    const { lane } = entry
    if (lane === undefined) return
    lane.entries.remove(entry)
    entry.lane = undefined
    if (lane.entries.size > 0) {
      this.#order.put(lane)
      return
    }
    this.#order.remove(lane)
    this.#lanes.delete(lane.key)
  }
}

const laneTime = ({ openAt, entries }: Lane): number => Math.max(openAt, entries.first?.due ?? 0)

function isLaneEarlier(a: Lane, b: Lane): boolean {
  const [timeA, timeB] = [laneTime(a), laneTime(b)]
  if (timeA !== timeB) return timeA < timeB
  const [headA, headB] = [a.entries.first, b.entries.first]
  return headA !== undefined && headB !== undefined && isEarlier(headA, headB)
}
