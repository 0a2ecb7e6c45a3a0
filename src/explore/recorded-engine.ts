import type { Engine, ReadEngine } from '../engine/engine.ts'
import type { EngineRead, ReadExplanation } from '../engine/read-explanation.ts'

/** A read of a request. */
interface RecordedRead {
  readonly read: EngineRead
  /** Its duration in milliseconds; undefined before it ends. */
  ms: number | undefined
}

/** A read, how long it took and how it was answered. */
export interface ProfiledRead extends Partial<ReadExplanation> {
  readonly read: EngineRead['method']
  readonly ms: number | undefined
}

/** Reads that are recorded: answers have few, but a mosaic of tiles may have more. */
const MOST_READS = 20

/** The first reads of a request. */
export class RecordedReads {
  readonly #engine: Engine
  readonly #reads: RecordedRead[] = []

  constructor(engine: Engine) {
    this.#engine = engine
  }

  get plans(): readonly EngineRead[] {
    return this.#reads.map(({ read }) => read)
  }

  /** Returns an engine whose reads are recorded. */
  engine(): ReadEngine {
    const engine = this.#engine
    return {
      capabilities: engine.capabilities,
      search: (plan, signal) => this.#timed({ method: 'search', plan }, engine.search(plan, signal)),
      count: (plan, signal) => this.#timed({ method: 'count', plan }, engine.count(plan, signal)),
      aggregate: (plan, signal) => this.#timed({ method: 'aggregate', plan }, engine.aggregate(plan, signal)),
      measure: (plan, signal) => this.#timed({ method: 'measure', plan }, engine.measure(plan, signal)),
      suggest: (plan, signal) => this.#timed({ method: 'suggest', plan }, engine.suggest(plan, signal)),
      scan: (plan, signal) => {
        // The answer begins before the scan ends, so its duration is not known.
        this.#record({ method: 'scan', plan }).ms = 0
        return engine.scan(plan, signal)
      },
    }
  }

  /** Tells how the reads were answered. */
  async profile(): Promise<readonly ProfiledRead[]> {
    const explained = this.#reads.map(async ({ read, ms }) => {
      return { read: read.method, ms, ...(await this.#engine.explain?.(read)) }
    })
    return Promise.all(explained)
  }

  async #timed<T>(read: EngineRead, work: Promise<T>): Promise<T> {
    const began = performance.now()
    const recorded = this.#record(read)
    const value = await work
    recorded.ms = Math.round((performance.now() - began) * 1000) / 1000
    return value
  }

  #record(read: EngineRead): RecordedRead {
    const recorded = { read, ms: undefined }
    if (this.#reads.length < MOST_READS) this.#reads.push(recorded)
    return recorded
  }
}
