import type { HeldTargets, Hold } from '../record/delivery-store.ts'
import type { SubscriptionRecord } from '../record/subscription-record.ts'
import type { Channel } from './delivery-channel.ts'
import { HostLines, type LineLimits } from './host-lines.ts'

interface TargetOptions {
  readonly channel: Channel
  readonly limits: LineLimits
  readonly find: (subscriptionId: string) => Promise<SubscriptionRecord | undefined>
  /** Called when an attempt has ended or a queued one was dropped, so that there may be room for another. */
  readonly onRoom: () => void
}

/** Cached properties of a subscription. */
interface Target {
  readonly host: string
  readonly callback: string
  readonly active: boolean
  readonly deleted: boolean
  readonly isGone: boolean
}

/**
 * Caches the subscriptions that deliveries belong to, and decides which must wait: inactive, paused, without consent,
 * or with full queues.
 */
export class DeliveryTargets implements HeldTargets {
  readonly lines: HostLines
  readonly #options: TargetOptions
  readonly #known = new Map<string, Target>()
  /** End of the pause in milliseconds, by subscription. */
  readonly #pauses = new Map<string, number>()
  /** Deliveries of the current claim. */
  readonly #comingByHost = new Map<string, number>()
  readonly #comingBySubscription = new Map<string, number>()
  readonly #freed = new Set<string>()
  readonly #moved = new Set<string>()

  constructor(options: TargetOptions) {
    this.#options = options
    this.lines = new HostLines(options.limits, (host, subscriptionId) => {
      if (this.lines.isSpacious(host)) this.#freed.add(lineKey(host))
      if (this.lines.isSpaciousFor(host, subscriptionId)) this.#freed.add(subscriptionKey(subscriptionId))
      options.onRoom()
    })
  }

  note(subscription: SubscriptionRecord): void {
    const { id, active, deleted, disabled } = subscription
    const { callback } = subscription.subscription
    const host = this.#options.channel.hostOf(callback)
    const known = this.#known.get(id)
    const isGone = !active && disabled?.reason === 'GONE'
    this.#known.set(id, { host, callback, active, deleted, isGone })
    if (known?.active !== active || known.deleted !== deleted || known.callback !== callback) this.#moved.add(id)
  }

  /** Updates a subscription that is cached. Others are loaded when they are needed. */
  relearn(subscription: SubscriptionRecord): void {
    if (this.#known.has(subscription.id)) this.note(subscription)
  }

  async learn(subscriptionIds: readonly string[]): Promise<void> {
    const unknown = subscriptionIds.filter((id) => !this.#known.has(id))
    const found = await Promise.all(unknown.map((id) => this.#options.find(id)))
    for (const subscription of found) if (subscription !== undefined) this.note(subscription)
  }

  forget(subscriptionId: string): void {
    this.#known.delete(subscriptionId)
    this.#pauses.delete(subscriptionId)
  }

  /** False if the subscription is unknown or deleted. */
  exists(subscriptionId: string): boolean {
    return this.#known.get(subscriptionId)?.deleted === false
  }

  pause(subscriptionId: string, untilMs: number): void {
    this.#pauses.set(subscriptionId, Math.max(untilMs, this.#pauses.get(subscriptionId) ?? 0))
  }

  /** Ends a pause. */
  resume(subscriptionId: string): void {
    this.#pauses.delete(subscriptionId)
    this.#moved.add(subscriptionId)
  }

  /** The channel allows calls to the callback again. */
  mayCallAgain(callback: string): void {
    this.#freed.add(callbackKey(callback))
  }

  /** True if the subscription was disabled because its target is gone. */
  isGone(subscriptionId: string): boolean {
    return this.#known.get(subscriptionId)?.isGone === true
  }

  /** Claimed deliveries were queued or released, so held subscriptions are checked again. */
  arrived(): void {
    for (const host of this.#comingByHost.keys()) this.#freed.add(lineKey(host))
    for (const subscriptionId of this.#comingBySubscription.keys()) this.#freed.add(subscriptionKey(subscriptionId))
    this.#comingByHost.clear()
    this.#comingBySubscription.clear()
  }

  onTaken(subscriptionId: string): void {
    const host = this.hostOf(subscriptionId)
    this.#comingByHost.set(host, (this.#comingByHost.get(host) ?? 0) + 1)
    this.#comingBySubscription.set(subscriptionId, (this.#comingBySubscription.get(subscriptionId) ?? 0) + 1)
  }

  takeFreed(): readonly string[] {
    const freed = [...this.#freed]
    this.#freed.clear()
    return freed
  }

  takeMoved(): readonly string[] {
    const moved = [...this.#moved]
    this.#moved.clear()
    return moved
  }

  hostOf(subscriptionId: string): string {
    return this.#known.get(subscriptionId)?.host ?? ''
  }

  lineOf(subscriptionId: string): string {
    return lineKey(this.hostOf(subscriptionId))
  }

  holdOf(subscriptionId: string, nowMs: number): Hold | undefined {
    // Deliveries of a deleted subscription are claimed too, to be cancelled.
    if (!this.exists(subscriptionId)) return undefined
    const waiting = this.#waitingOf(subscriptionId, nowMs)
    if (waiting !== undefined) return waiting
    const host = this.hostOf(subscriptionId)
    if (!this.lines.hasRoom(host, this.#comingByHost.get(host))) return { key: lineKey(host) }
    const hasRoom = this.lines.hasRoomFor(host, subscriptionId, this.#comingBySubscription.get(subscriptionId))
    return hasRoom ? undefined : { key: subscriptionKey(subscriptionId) }
  }

  /** True if its deliveries must wait for a reason other than a full queue. */
  isWaiting(subscriptionId: string, nowMs: number): boolean {
    return this.#waitingOf(subscriptionId, nowMs) !== undefined
  }

  #waitingOf(subscriptionId: string, nowMs: number): Hold | undefined {
    const target = this.#known.get(subscriptionId)
    if (target?.active === false) return { key: subscriptionKey(subscriptionId) }
    const untilMs = this.#pauses.get(subscriptionId)
    if (untilMs !== undefined) {
      if (untilMs > nowMs) return { key: subscriptionKey(subscriptionId), untilMs }
      this.#pauses.delete(subscriptionId)
    }
    if (target === undefined || this.#options.channel.mayCall?.(target.callback, nowMs) !== false) return undefined
    return { key: callbackKey(target.callback) }
  }
}

const lineKey = (host: string): string => `line ${host}`
const subscriptionKey = (subscriptionId: string): string => `subscription ${subscriptionId}`
const callbackKey = (callback: string): string => `callback ${callback}`
