import type { Selection } from '../query/plan/plan.ts'
import { canonicalPlan } from './canonical-plan.ts'
import { deepFreeze } from './deep-freeze.ts'
import type { CacheStatistics, Engine } from './engine.ts'
import { ResultCache } from './result-cache.ts'
import { SharedWork } from './shared-work.ts'

interface CacheOptions {
  /** Memory limit of the cache. */
  readonly maxBytes: number
}

/**
 * Wraps an engine with a cache for count, aggregate, measure and suggest. An entry is valid until one of its indices
 * changes. Concurrent equal requests share one execution. Results are frozen, since several callers may hold the same
 * one.
 */
export function cachedEngine(engine: Engine, options: CacheOptions): Engine {
  const answers = new CachedAnswers(engine, options.maxBytes)
  return {
    name: engine.name,
    capabilities: engine.capabilities,
    indices: (pattern, signal) => engine.indices(pattern, signal),
    documentCounts: (pattern, signal) => engine.documentCounts(pattern, signal),
    storedBytes: (pattern, signal) => engine.storedBytes(pattern, signal),
    // Pages and exports are large and rarely requested twice.
    search: (plan, signal) => engine.search(plan, signal),
    scan: (selection, signal) => engine.scan(selection, signal),
    count: (selection, signal) => answers.answer('count', selection, signal, (s) => engine.count(selection, s)),
    aggregate: (plan, signal) => answers.answer('aggregate', plan, signal, (s) => engine.aggregate(plan, s)),
    measure: (plan, signal) => answers.answer('measure', plan, signal, (s) => engine.measure(plan, s)),
    suggest: (plan, signal) => answers.answer('suggest', plan, signal, (s) => engine.suggest(plan, s)),
    document: (index, id, signal) => engine.document(index, id, signal),
    createIndex: (name, mapping, opened) => engine.createIndex(name, mapping, opened),
    ...(engine.seal ? { seal: engine.seal.bind(engine) } : {}),
    dropIndex: (name) => engine.dropIndex(name),
    replaceIndex: (name, by) => engine.replaceIndex(name, by),
    extendMapping: (name, mapping) => engine.extendMapping(name, mapping),
    write: (index, operations, options) => engine.write(index, operations, options),
    refresh: (pattern) => engine.refresh(pattern),
    arrange: (pattern) => engine.arrange(pattern),
    ...(engine.explain ? { explain: engine.explain.bind(engine) } : {}),
    statistics: () => ({ ...engine.statistics?.(), cache: answers.statistics() }),
    writes: engine.writes,
    revisions: (indices, signal) => engine.revisions(indices, signal),
    ...(engine.changes ? { changes: engine.changes } : {}),
    ...(engine.tags ? { tags: engine.tags } : {}),
    health: () => engine.health(),
    close: () => engine.close(),
  }
}

type Ask<T> = (signal: AbortSignal | undefined) => Promise<T>

class CachedAnswers {
  readonly #engine: Engine
  readonly #cache: ResultCache
  /** Executions in progress, by versions and request. */
  readonly #underway = new Map<string, SharedWork<unknown>>()
  #hits = 0
  #misses = 0

  constructor(engine: Engine, maxBytes: number) {
    this.#engine = engine
    this.#cache = new ResultCache(maxBytes)
  }

  statistics(): CacheStatistics {
    return { hits: this.#hits, misses: this.#misses, bytes: this.#cache.bytes, entries: this.#cache.size }
  }

  /**
   * Versions are read after the request arrives, so they include every write acknowledged before it. A result computed
   * from these versions, or started while they were current, is never older than the request.
   */
  async answer<T>(operation: string, plan: Selection, signal: AbortSignal | undefined, ask: Ask<T>): Promise<T> {
    const versions = await this.#versionsOf(plan.indices, signal)
    // Either an index does not exist, and the engine reports it, or the engine has no versions to validate an entry
    // with.
    if (versions === undefined) return ask(signal)
    const question = `${operation} ${canonicalPlan(plan)}`
    const kept = this.#cache.get(question, versions)
    if (kept !== undefined) {
      this.#hits++
      // The key starts with the operation, which determines the type of the result.
      return kept.value as T
    }
    return this.#share(question, versions, plan, ask).join(signal) as Promise<T>
  }

  #share<T>(question: string, versions: string, plan: Selection, ask: Ask<T>): SharedWork<unknown> {
    const name = `${versions} ${question}`
    const known = this.#underway.get(name)
    if (known !== undefined && !known.abandoned) {
      this.#hits++
      return known
    }
    this.#misses++
    const work = new SharedWork<unknown>(async (signal) => {
      try {
        const value = await ask(signal)
        // A concurrent write may or may not be included in the result, so the result belongs to neither version.
        if ((await this.#versionsOf(plan.indices, signal)) === versions) this.#cache.put(question, versions, value)
        if (work.shared) deepFreeze(value)
        return value
      } finally {
        if (this.#underway.get(name) === work) this.#underway.delete(name)
      }
    })
    this.#underway.set(name, work)
    return work
  }

  async #versionsOf(indices: readonly string[], signal: AbortSignal | undefined): Promise<string | undefined> {
    const found = await Promise.all(indices.map((name) => this.#engine.indices(name, signal)))
    const versions = found.flatMap((infos) => infos.flatMap((info) => info.version ?? []))
    return versions.length === indices.length ? JSON.stringify(versions) : undefined
  }
}
