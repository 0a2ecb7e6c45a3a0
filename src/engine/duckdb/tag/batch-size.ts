export interface BatchLimits {
  readonly start: number
  readonly min: number
  readonly max: number
  /** Target duration of a batch in milliseconds. Other writes wait for that long. */
  readonly targetMs: number
}

/** A batch that took less than this share of the target is too small. */
const QUICK_SHARE = 0.4

/** Number of batches compared per size, because a single one may have been delayed by a stall. */
const COMPARED = 3

/**
 * Factor by which a smaller batch may be slower per document. Halving a batch doubles the share of the commit overhead,
 * so shrinking ends before that share exceeds about a quarter.
 */
const WORTH = 1.15

/** Maximum number of batches between two trials. Every failed trial doubles the number. */
const LONGEST_PAUSE = 64

interface Batch {
  readonly ms: number
  readonly msPerDocument: number
}

/** A trial of another size: the previous size and its time per document. */
interface Trial {
  readonly from: number
  readonly msPerDocument: number
}

/**
 * Adapts the number of documents per batch (spec tagging 1.8 rule 3). The goal is `targetMs` per batch, but not at any
 * cost: on an overloaded machine every batch takes long whatever its size, and smaller ones only add overhead.
 *
 * - A quick batch doubles the size immediately: noise never makes a batch faster than it is.
 * - If most of the last batches took longer than the target, half the size is tried. It is kept if none of its batches
 *   was slower per document; otherwise the size is restored.
 * - A size below `start` may be the result of a temporary overload. Now and then twice the size is tried, and kept if
 *   most of its batches were faster per document by the factor WORTH.
 */
export class BatchSize {
  readonly #limits: BatchLimits
  #size: number
  /** Last batches of the current size. */
  #batches: readonly Batch[] = []
  #trial: Trial | undefined
  #pause = COMPARED
  /** Batches until the next trial. */
  #left = COMPARED
  #triesSmaller = true

  constructor(limits: BatchLimits) {
    this.#limits = limits
    this.#size = limits.start
  }

  get current(): number {
    return this.#size
  }

  /**
   * Records a batch. Not called for the last one, which has only the remaining documents. `documents` is less than
   * `current` if they are large.
   */
  took(documents: number, ms: number): void {
    if (documents <= 0) return
    this.#batches = [...this.#batches, { ms, msPerDocument: ms / documents }].slice(-COMPARED)
    if (this.#trial) this.#judge(this.#trial)
    else if (ms < this.#limits.targetMs * QUICK_SHARE) this.#grow(documents)
    else this.#consider()
  }

  /** Halves the size unconditionally, for example after running out of memory. Returns false at the minimum. */
  halve(): boolean {
    const before = this.#size
    this.#trial = undefined
    this.#change(before / 2)
    this.#rest(LONGEST_PAUSE)
    return this.#size < before
  }

  #grow(documents: number): void {
    if (documents >= this.#size) this.#change(this.#size * 2)
  }

  #consider(): void {
    this.#left--
    if (this.#left > 0 || this.#batches.length < COMPARED) return
    const { min, max, targetMs } = this.#limits
    const start = Math.min(max, this.#limits.start)
    const canShrink = this.#size > min && median(this.#batches.map(({ ms }) => ms)) > targetMs
    const canGrow = this.#size < start
    if (!canShrink && !canGrow) return
    const tried = canShrink && (this.#triesSmaller || !canGrow) ? this.#size / 2 : Math.min(start, this.#size * 2)
    this.#trial = { from: this.#size, msPerDocument: median(this.#batches.map((batch) => batch.msPerDocument)) }
    this.#change(tried)
  }

  #judge({ from, msPerDocument: before }: Trial): void {
    const isSmaller = this.#size < from
    const isWorth = ({ msPerDocument: now }: Batch): boolean =>
      isSmaller ? now <= before * WORTH : now * WORTH < before
    const failed = this.#batches.filter((batch) => !isWorth(batch)).length
    // A size that stays too large for a while does less harm than one that becomes too small.
    const tolerated = isSmaller ? 0 : Math.floor(COMPARED / 2)
    if (failed > tolerated) {
      this.#trial = undefined
      this.#triesSmaller = !isSmaller
      this.#change(from)
      this.#rest(Math.min(LONGEST_PAUSE, this.#pause * 2))
    } else if (this.#batches.length === COMPARED) {
      this.#trial = undefined
      this.#triesSmaller = isSmaller
      this.#rest(COMPARED)
      this.#left = 1
    }
  }

  #change(size: number): void {
    const { min, max } = this.#limits
    this.#size = Math.min(max, Math.max(min, Math.floor(size)))
    this.#batches = []
  }

  #rest(pause: number): void {
    this.#pause = pause
    this.#left = pause
  }
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0
