import type { Engine, ReadEngine } from '../engine/engine.ts'
import type { EngineRead, ReadExplanation } from '../engine/read-explanation.ts'

/** A read of a request, with its duration in milliseconds. */
interface ProfiledRead extends Partial<ReadExplanation> {
  readonly read: EngineRead['method']
  readonly ms: number
}

/** What the reads of a request did. */
export class ReadProfile {
  readonly engine: string
  readonly reads: ProfiledRead[] = []

  constructor({ name }: Pick<Engine, 'name'>) {
    this.engine = name
  }
}

/** Returns an engine whose reads are recorded. */
export function profiledEngine(engine: Engine, profile: ReadProfile): ReadEngine {
  async function timed<T>(read: EngineRead, work: Promise<T>): Promise<T> {
    const began = performance.now()
    const value = await work
    const ms = Math.round((performance.now() - began) * 1000) / 1000
    profile.reads.push({ read: read.method, ms, ...(await engine.explain?.(read)) })
    return value
  }
  return {
    capabilities: engine.capabilities,
    search: (plan, signal) => timed({ method: 'search', plan }, engine.search(plan, signal)),
    count: (plan, signal) => timed({ method: 'count', plan }, engine.count(plan, signal)),
    aggregate: (plan, signal) => timed({ method: 'aggregate', plan }, engine.aggregate(plan, signal)),
    measure: (plan, signal) => timed({ method: 'measure', plan }, engine.measure(plan, signal)),
    suggest: (plan, signal) => timed({ method: 'suggest', plan }, engine.suggest(plan, signal)),
    async *scan(plan, signal) {
      // The answer begins before the scan ends, so only its path can be told.
      profile.reads.push({ read: 'scan', ms: 0, ...(await engine.explain?.({ method: 'scan', plan }, signal)) })
      yield* engine.scan(plan, signal)
    },
  }
}
