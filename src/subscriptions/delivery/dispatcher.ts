import type { Delivery } from '../record/delivery-record.ts'
import type { AttemptOutcome, DeliveryStore } from '../record/delivery-store.ts'
import type { SubscriptionRecord } from '../record/subscription-record.ts'
import type { SubscriptionStore } from '../record/subscription-store.ts'
import { ClaimLoop } from './claim-loop.ts'
import type { Clock } from './clock.ts'
import { type Channel, outcomeOf } from './delivery-channel.ts'
import { LONGEST_PAUSE_MS, LONGEST_RETRY_MS } from './delivery-schedule.ts'
import { DeliveryTargets } from './delivery-targets.ts'
import type { HostSign, LineLimits } from './host-lines.ts'
import { isExhausted, switchOff } from './subscription-switch.ts'
import { hostSign, type WebhookResult } from './webhook-attempt.ts'

export interface DispatcherOptions {
  readonly channel: Channel
  readonly deliveries: DeliveryStore
  readonly subscriptions: SubscriptionStore
  readonly clock: Clock
  readonly limits: LineLimits
  /** Maximum duration of an attempt. */
  readonly timeoutMs: number
  /** Milliseconds after which a claim without a recorded outcome expires. */
  readonly claimMs: number
  /** True if the writer may still see the content of a delivery. Called just before each attempt. Absent: always. */
  readonly mayTell?: (subscription: SubscriptionRecord, collection: string) => Promise<boolean>
  /** Milliseconds. Poll interval where other servers insert too. */
  readonly pollMs?: number
  readonly onFault: (error: unknown) => void
}

/** Milliseconds to wait if the writer may not see a delivery, unless the rights change earlier. */
const RIGHTS_MS = 10_000

/** Milliseconds running attempts may take when the server stops. */
const STOP_MS = 15_000

/** Outcomes that may be written while the next attempts run. Beyond it, attempts wait. */
const MOST_RECORDING = 512

interface Running {
  readonly subscriptionId: string
  readonly controller: AbortController
  readonly ended: Promise<unknown>
}

/** Result of an attempt. `recorded` resolves when its outcome is stored. */
interface Attempted {
  readonly sign: HostSign
  readonly recorded: Promise<void>
}

/** The attempt was cancelled. Its result is unknown. */
class CalledOff extends Error {}

/** Claims due deliveries of a channel, attempts them and records their outcomes. */
export class Dispatcher {
  readonly #options: DispatcherOptions
  readonly #targets: DeliveryTargets
  readonly #loop: ClaimLoop
  readonly #running = new Set<Running>()
  readonly #stopListening: (() => void)[] = []
  #recording = 0
  #isStarted = false

  constructor(options: DispatcherOptions) {
    this.#options = options
    const { channel, deliveries, subscriptions, clock, limits, claimMs, pollMs, onFault } = options
    this.#targets = new DeliveryTargets({
      channel,
      limits,
      find: (subscriptionId) => subscriptions.get(subscriptionId),
      onRoom: () => this.wake(),
    })
    let caughtUpMs = Number.NEGATIVE_INFINITY
    this.#loop = new ClaimLoop({
      store: deliveries,
      channel: channel.name,
      clock,
      limit: () => Math.min(limits.concurrency, this.#targets.lines.room),
      claimMs,
      held: this.#targets,
      before: async () => {
        this.#targets.arrived()
        if (pollMs === undefined || clock.now() - caughtUpMs < pollMs) return
        caughtUpMs = clock.now()
        await subscriptions.catchUp()
      },
      take: (claimed) => this.#take(claimed),
      ...(pollMs === undefined ? {} : { pollMs }),
      onFault,
    })
  }

  start(): void {
    const { deliveries, subscriptions } = this.#options
    this.#isStarted = true
    this.#stopListening.push(
      deliveries.onDue(() => this.wake()),
      subscriptions.onChange((subscription) => {
        this.#targets.relearn(subscription)
        if (subscription.active) this.wake()
      }),
    )
    this.wake()
  }

  /** With `subscriptionId`, also ends the pause its target requested. */
  wake(subscriptionId?: string): void {
    if (subscriptionId !== undefined) this.#targets.resume(subscriptionId)
    // Nothing is sent unless `start` was called.
    if (this.#isStarted) this.#loop.wake()
  }

  /** Deliveries to a callback need no longer wait for its consent. */
  mayCallAgain(callback: string): void {
    this.#targets.mayCallAgain(callback)
    this.wake()
  }

  /** For a deleted subscription: aborts running attempts, cancels waiting deliveries and prevents new attempts. */
  async cancel(subscriptionId: string): Promise<void> {
    await this.#targets.lines.drop(subscriptionId)
    const mine = [...this.#running].filter((running) => running.subscriptionId === subscriptionId)
    for (const { controller } of mine) controller.abort(new CalledOff())
    await Promise.all(mine.map(({ ended }) => ended))
    await this.#options.deliveries.cancel(subscriptionId)
  }

  /** Waits a limited time for running attempts. The rest is sent after the next start. */
  async stop(): Promise<void> {
    for (const stop of this.#stopListening.splice(0)) stop()
    await this.#loop.stop()
    await this.#targets.lines.drop()
    const all = [...this.#running]
    const callOff = this.#options.clock.after(STOP_MS, () => {
      for (const { controller } of all) controller.abort(new CalledOff())
    })
    await Promise.all(all.map(({ ended }) => ended))
    callOff()
  }

  async #take(claimed: readonly Delivery[]): Promise<void> {
    const { deliveries, clock } = this.#options
    const nowMs = clock.now()
    await this.#targets.learn([...new Set(claimed.map(({ subscriptionId }) => subscriptionId))])
    const back: Delivery[] = []
    const gone = new Set<string>()
    for (const delivery of claimed) {
      const { subscriptionId } = delivery
      const isGone = !this.#targets.exists(subscriptionId)
      if (isGone) gone.add(subscriptionId)
      if (isGone || this.#targets.isWaiting(subscriptionId, nowMs)) {
        back.push(delivery)
        continue
      }
      const run = () => this.#track(delivery, nowMs)
      this.#targets.lines.add(this.#targets.hostOf(subscriptionId), subscriptionId, run, () =>
        this.#release([delivery]),
      )
    }
    if (back.length > 0) await deliveries.release(back)
    for (const subscriptionId of gone) await this.#giveUp(subscriptionId)
  }

  async #giveUp(subscriptionId: string): Promise<void> {
    await this.#options.deliveries.cancel(subscriptionId)
    this.#targets.forget(subscriptionId)
  }

  /**
   * Resolves when the host has answered, so that it has room again. After a success, it does not wait until the outcome
   * is stored.
   */
  async #track(delivery: Delivery, claimedMs: number): Promise<HostSign> {
    const controller = new AbortController()
    const attempt = this.#attempt(delivery, claimedMs, controller.signal)
    const ended = attempt
      .then(({ recorded }) => recorded)
      // The claim expires, and the delivery is sent again.
      .catch((error: unknown) => this.#options.onFault(error))
    const running = { subscriptionId: delivery.subscriptionId, controller, ended }
    this.#running.add(running)
    this.#recording += 1
    void ended.then(() => {
      this.#running.delete(running)
      this.#recording -= 1
    })
    const sign = await attempt.then(
      (attempted) => attempted.sign,
      (): HostSign => 'neither',
    )
    if (sign !== 'success' || this.#recording > MOST_RECORDING) await ended
    return sign
  }

  async #attempt(delivery: Delivery, claimedMs: number, signal: AbortSignal): Promise<Attempted> {
    const { channel, subscriptions, mayTell, clock, timeoutMs, claimMs } = this.#options
    const startMs = clock.now()
    const subscription = await subscriptions.get(delivery.subscriptionId)
    if (subscription !== undefined) this.#targets.note(subscription)
    if (subscription?.deleted === false && (await mayTell?.(subscription, delivery.collection)) === false) {
      this.#targets.pause(subscription.id, startMs + RIGHTS_MS)
    }
    const isLate = startMs + timeoutMs > claimedMs + claimMs
    const isOff = subscription === undefined || subscription.deleted
    if (isLate || isOff || signal.aborted || this.#targets.isWaiting(delivery.subscriptionId, startMs)) {
      return { sign: 'neither', recorded: this.#giveBack(delivery) }
    }
    channel.called?.(subscription.subscription.callback, startMs)
    let result: WebhookResult
    try {
      result = await channel.send(delivery, subscription, startMs, signal)
    } catch (error) {
      if (!(signal.reason instanceof CalledOff)) throw error
      return { sign: 'neither', recorded: this.#giveBack(delivery) }
    }
    const times = { startMs, endMs: clock.now() }
    const outcome = outcomeOf(delivery, result, times, channel.wait, LONGEST_RETRY_MS)
    return { sign: hostSign(result), recorded: this.#settle(delivery, subscription, result, outcome) }
  }

  /** Disables the subscription before it records the outcome, so that a reader of the outcome sees both. */
  async #settle(
    delivery: Delivery,
    { id, subscription }: SubscriptionRecord,
    { status, error, retryAfterMs }: WebhookResult,
    outcome: AttemptOutcome,
  ): Promise<void> {
    const { channel, deliveries, subscriptions, clock } = this.#options
    const nowMs = clock.now()
    const at = Math.floor(nowMs / 1000)
    if ((status === 429 || status === 503) && retryAfterMs !== undefined) {
      this.#targets.pause(id, nowMs + Math.min(retryAfterMs, LONGEST_PAUSE_MS))
    }
    let isGone = false
    if (error === 'GONE') isGone = await switchOff(subscriptions, id, subscription.callback, { reason: 'GONE', at })
    else if (outcome.state === 'FAILED' && (await isExhausted(deliveries, delivery, outcome.attempt.at))) {
      await switchOff(subscriptions, id, subscription.callback, { reason: 'EXHAUSTED', at })
    }
    await deliveries.record(delivery.id, channel.name, outcome)
    if (isGone) await this.#targets.lines.drop(id)
    if (isGone || this.#targets.isGone(id)) await deliveries.cancel(id)
  }

  async #giveBack(delivery: Delivery): Promise<void> {
    await this.#release([delivery])
    if (this.#targets.isGone(delivery.subscriptionId)) await this.#options.deliveries.cancel(delivery.subscriptionId)
  }

  async #release(deliveries: readonly Delivery[]): Promise<void> {
    try {
      await this.#options.deliveries.release(deliveries)
    } catch (error) {
      // The claims expire instead.
      this.#options.onFault(error)
    }
  }
}
