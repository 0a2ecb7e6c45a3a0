import type { ChangeFeed } from '../../src/engine/change-feed.ts'
import type { Bucket, BucketList, Engine, FoundDocument } from '../../src/engine/engine.ts'
import type { TagStore } from '../../src/engine/tag-store.ts'
import { WriteFeed } from '../../src/engine/write-feed.ts'
import type { Selection } from '../../src/query/plan/plan.ts'

/**
 * Wraps an engine and adds a prefix to the names of all indices, invisible to the caller, so that several test files
 * can use one cluster and the same names concurrently.
 */
export function inNameSpace(engine: Engine, prefix: string): Engine {
  const named = (name: string): string => `${prefix}${name}`
  const unnamed = (name: string): string => (name.startsWith(prefix) ? name.slice(prefix.length) : name)
  const selected = <T extends Selection>(plan: T): T => ({ ...plan, indices: plan.indices.map(named) })
  const found = <T extends FoundDocument>(document: T): T => ({ ...document, index: unnamed(document.index) })
  const listed = <T extends BucketList>(list: T): T => ({ ...list, buckets: list.buckets.map(bucketed) })
  const bucketed = (bucket: Bucket): Bucket => ({
    ...bucket,
    tops: bucket.tops.map((documents) => documents.map(found)),
    ...(bucket.children === undefined ? {} : { children: listed(bucket.children) }),
  })
  const writes = new WriteFeed()
  engine.writes.listen((index, ...batch) => {
    if (index.startsWith(prefix)) writes.tell(unnamed(index), ...batch)
  })
  return {
    name: engine.name,
    capabilities: engine.capabilities,
    indices: async (pattern, signal) =>
      (await engine.indices(named(pattern), signal)).map((info) => ({
        ...info,
        name: unnamed(info.name),
        ...(info.alsoNamed === undefined ? {} : { alsoNamed: info.alsoNamed.map(unnamed) }),
      })),
    documentCounts: async (pattern, signal) =>
      new Map(
        [...(await engine.documentCounts(named(pattern), signal))].map(([name, count]) => [unnamed(name), count]),
      ),
    storedBytes: async (pattern, signal) =>
      new Map([...(await engine.storedBytes(named(pattern), signal))].map(([name, bytes]) => [unnamed(name), bytes])),
    search: async (plan, signal) => {
      const result = await engine.search(selected(plan), signal)
      return { ...result, hits: result.hits.map(found) }
    },
    count: (selection, signal) => engine.count(selected(selection), signal),
    scan: async function* (selection, signal) {
      for await (const batch of engine.scan(selected(selection), signal)) yield batch.map(found)
    },
    aggregate: async (plan, signal) => listed(await engine.aggregate(selected(plan), signal)),
    measure: (plan, signal) => engine.measure(selected(plan), signal),
    suggest: (plan, signal) => engine.suggest(selected(plan), signal),
    document: async (index, id, signal) => {
      const document = await engine.document(named(index), id, signal)
      return document === undefined ? undefined : found(document)
    },
    createIndex: (name, mapping) => engine.createIndex(named(name), mapping),
    dropIndex: (name) => engine.dropIndex(named(name)),
    replaceIndex: (name, by) => engine.replaceIndex(named(name), named(by)),
    extendMapping: (name, mapping) => engine.extendMapping(named(name), mapping),
    write: (index, operations, options) => engine.write(named(index), operations, options),
    writes,
    revisions: async (indices, signal) =>
      new Map([...(await engine.revisions(indices.map(named), signal))].map(([name, text]) => [unnamed(name), text])),
    refresh: (pattern) => engine.refresh(named(pattern)),
    arrange: (pattern) => engine.arrange(named(pattern)),
    ...(engine.tags === undefined ? {} : { tags: spacedTags(engine.tags, named, unnamed) }),
    ...(engine.changes === undefined ? {} : { changes: spacedChanges(engine.changes, unnamed) }),
    statistics: () => engine.statistics?.() ?? {},
    health: () => engine.health(),
    close: () => engine.close(),
  }
}

type Rename = (name: string) => string

function spacedTags(tags: TagStore, named: Rename, unnamed: Rename): TagStore {
  const inside = <T extends { readonly indices: readonly string[] }>(work: T): T => ({
    ...work,
    indices: work.indices.map(named),
  })
  return {
    lead: (signal) => tags.lead(signal),
    position: (collection) => tags.position(collection),
    positions: () => tags.positions(),
    replay: (collection, fromOffset, acceptedMs) => tags.replay(collection, fromOffset, acceptedMs),
    status: (id) => tags.status(id),
    underWay: async (collection) => {
      const found = await tags.underWay(collection)
      return found === undefined ? undefined : { ...found, indices: found.indices.map(unnamed) }
    },
    plan: (task, signal) => tags.plan(inside(task), signal),
    apply: (work, signal) => tags.apply(inside(work), signal),
    fail: (work, failure) => tags.fail(work, failure),
    isTransient: (error) => tags.isTransient(error),
    close: () => tags.close(),
  }
}

function spacedChanges(changes: ChangeFeed, unnamed: Rename): ChangeFeed {
  return {
    watch: (interest) =>
      changes.watch({ wants: (index, kind) => interest.wants(unnamed(index), kind), mark: () => interest.mark() }),
    read: async (after, limit, signal) =>
      (await changes.read(after, limit, signal)).map((change) => ({ ...change, index: unnamed(change.index) })),
    forget: (upTo) => changes.forget(upTo),
    onChanges: (listener) => changes.onChanges(listener),
  }
}
