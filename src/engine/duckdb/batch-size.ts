export interface BatchLimits {
  readonly start: number
  readonly min: number
  readonly max: number
  /** How long a batch may take. */
  readonly targetMs: number
}

/** Batches are made as large as takes this share of the time they may: some take longer than the one before. */
const AIM = 0.8
/** The one before may have been an exception. */
const MOST_GROWTH = 2

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
    const { min, max, targetMs } = this.#limits
    const growth = Math.min(MOST_GROWTH, Math.max(1 / MOST_GROWTH, (AIM * targetMs) / ms))
    this.#size = Math.min(max, Math.max(min, Math.round(this.#size * growth)))
  }

  /** False when it is as small as it may be. */
  halve(): boolean {
    const smaller = Math.max(this.#limits.min, Math.floor(this.#size / 2))
    const isSmaller = smaller < this.#size
    this.#size = smaller
    return isSmaller
  }
}
