import type { Delivery, DeliveryChannel } from '../record/delivery-record.ts'
import type { DeliveryStore, HeldTargets } from '../record/delivery-store.ts'
import type { Clock } from './clock.ts'

interface ClaimLoopOptions {
  readonly store: DeliveryStore
  readonly channel: DeliveryChannel
  readonly clock: Clock
  /** Maximum number of deliveries of the next claim. */
  readonly limit: () => number
  readonly claimMs: number
  readonly held: HeldTargets
  /** Called before each claim: reservations of the previous claim have ended, and other servers may have written. */
  readonly before: () => Promise<void>
  readonly take: (deliveries: readonly Delivery[]) => Promise<void>
  /** Milliseconds. Poll interval where other servers insert too. Absent: the store notifies. */
  readonly pollMs?: number
  readonly onFault: (error: unknown) => void
}

/** Milliseconds before the next attempt after an error of the store. */
const FAULT_MS = 5_000
/** Milliseconds. Minimum poll interval when idle. */
const LEAST_MS = 20

/** Claims due deliveries when notified by the store, at the time the next one is due, or on `wake`. */
export class ClaimLoop {
  readonly #options: ClaimLoopOptions
  #running: Promise<void> | undefined
  #again = false
  #isStopped = false
  #callOff: () => void = () => undefined

  constructor(options: ClaimLoopOptions) {
    this.#options = options
  }

  wake(): void {
    if (this.#isStopped) return
    this.#again = true
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined
      // Woken between the last claim and the end of the run.
      if (this.#again) this.wake()
    })
  }

  /** Nothing is claimed after it resolves. */
  async stop(): Promise<void> {
    this.#isStopped = true
    this.#again = false
    this.#callOff()
    await this.#running
  }

  async #run(): Promise<void> {
    const { store, channel, clock, limit, claimMs, held, before, take, onFault } = this.#options
    this.#callOff()
    try {
      while (this.#again && !this.#isStopped) {
        this.#again = false
        await before()
        const claimed = await store.claim(channel, limit(), clock.now(), claimMs, held)
        if (claimed.length === 0) continue
        this.#again = true
        await take(claimed)
      }
      if (this.#isStopped) return
      this.#wakeIn(await this.#untilNext())
    } catch (error) {
      onFault(error)
      this.#wakeIn(FAULT_MS)
    }
  }

  async #untilNext(): Promise<number | undefined> {
    const { store, channel, clock, held, pollMs } = this.#options
    const now = clock.now()
    const times = [await store.nextDue(channel, now, held), pollMs === undefined ? undefined : now + pollMs].flatMap(
      (time) => time ?? [],
    )
    return times.length === 0 ? undefined : Math.max(LEAST_MS, Math.min(...times) - now)
  }

  #wakeIn(ms: number | undefined): void {
    if (ms === undefined || this.#isStopped) return
    this.#callOff = this.#options.clock.after(ms, () => this.wake())
  }
}
