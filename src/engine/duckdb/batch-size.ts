export interface BatchLimits {
  readonly start: number
  readonly min: number
  readonly max: number
  /** A batch that took longer makes the next one smaller. */
  readonly targetMs: number
}

/** A batch that took less than this share of the target makes the next one larger. */
const QUICK_SHARE = 0.4

/** How many documents are edited at once: as many as keep others waiting no longer than wanted. */
export class BatchSize {
  readonly #limits: BatchLimits
  #size: number

  constructor(limits: BatchLimits) {
    this.#limits = limits
    this.#size = limits.start
  }

  get current(): number {
    return this.#size
  }

  /** Told how long a full batch took. */
  took(ms: number): void {
    if (ms > this.#limits.targetMs) this.halve()
    else if (ms < this.#limits.targetMs * QUICK_SHARE) this.#size = Math.min(this.#limits.max, this.#size * 2)
  }

  /** False when it is as small as it may be. */
  halve(): boolean {
    const smaller = Math.max(this.#limits.min, Math.floor(this.#size / 2))
    const isSmaller = smaller < this.#size
    this.#size = smaller
    return isSmaller
  }
}
