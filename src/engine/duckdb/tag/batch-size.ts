export interface BatchLimits {
  readonly start: number
  readonly min: number
  readonly max: number
  /** Work of a batch, in ms: what others who write wait for it. */
  readonly targetMs: number
}

/** A batch that took less than this share of the target is too small. */
const QUICK_SHARE = 0.4

/** Batches of one size that are compared with those of another: a single one may have met a stall. */
const COMPARED = 3

/**
 * A smaller batch may take this much longer per document. Halving a batch doubles the share of what each commit takes,
 * so this ends before that share is more than about a quarter.
 */
const WORTH = 1.15

/** Batches between two trials at most; every trial that fails doubles their number. */
const LONGEST_PAUSE = 64

interface Batch {
  readonly ms: number
  readonly msPerDocument: number
}

/** Another size is tried: what the size before was, and what a document took then. */
interface Trial {
  readonly from: number
  readonly msPerDocument: number
}

/**
 * How many documents a batch has (spec tagging 1.8 rule 3). The aim is `targetMs` of work, but not at any price: on a
 * machine that is starved, every batch takes long whatever its size, and smaller ones only make more of them.
 *
 * - A quick batch doubles the size at once: nothing makes a batch quicker than it is.
 * - When most of the last batches took longer than the target, half the size is tried. It is kept when none of its
 *   batches was slower per document; otherwise the size goes back.
 * - A size below `start` may be what a bad time has left. From time to time twice the size is tried, and kept when most
 *   of its batches were faster per document by as much as a smaller one may be slower.
 */
export class BatchSize {
  readonly #limits: BatchLimits
  #size: number
  /** The last batches of this size. */
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

  /** Told of every batch but the last, which has what is left. It has less than `current` when the documents are large. */
  took(documents: number, ms: number): void {
    if (documents <= 0) return
    this.#batches = [...this.#batches, { ms, msPerDocument: ms / documents }].slice(-COMPARED)
    if (this.#trial) this.#judge(this.#trial)
    else if (ms < this.#limits.targetMs * QUICK_SHARE) this.#grow(documents)
    else this.#consider()
  }

  /** Whatever it costs, as after a batch that memory did not suffice for. False when it is as small as it may be. */
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
    // To stay too large for a while does less harm than to become too small.
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
