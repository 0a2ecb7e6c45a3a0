/** Which path answers: kernels on the parts of an index, or statements of the database. */
export type Path = 'kernel' | 'sql'

const FORCED = 'forced'

/** Numbers of answers since the start. */
interface PathCounts {
  readonly kernel: number
  /** By reason. */
  readonly sql: ReadonlyMap<string, number>
}

/**
 * Chooses the path of each read. Kernels answer whatever they cover; the database answers the rest. Both give the same
 * answers, which tests check by forcing one of them.
 */
export class Planner {
  readonly #forced: () => Path | undefined
  #kernel = 0
  readonly #sql = new Map<string, number>()

  constructor(forced: () => Path | undefined = () => undefined) {
    this.#forced = forced
  }

  get counts(): PathCounts {
    return { kernel: this.#kernel, sql: this.#sql }
  }

  /** A kernel could not read what it needed, so that statements answer instead. */
  fellBack(reason: string): void {
    this.#kernel--
    this.#sql.set(reason, (this.#sql.get(reason) ?? 0) + 1)
  }

  /** `gap`: why kernels cannot answer; undefined if they can. One of few texts, without names of fields. */
  choose(gap: () => string | undefined): Path {
    const forced = this.#forced()
    const reason = forced === 'sql' ? FORCED : gap()
    if (reason === undefined) {
      this.#kernel++
      return 'kernel'
    }
    if (forced === 'kernel') throw new Error(`kernels do not cover this plan: ${reason}`)
    this.#sql.set(reason, (this.#sql.get(reason) ?? 0) + 1)
    return 'sql'
  }

  /** Returns why the database would answer; undefined if kernels would. Counts nothing. */
  reasonForSql(gap: () => string | undefined): string | undefined {
    return this.#forced() === 'sql' ? FORCED : gap()
  }
}
