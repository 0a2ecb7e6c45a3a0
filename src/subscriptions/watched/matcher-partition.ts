import RBush, { type BBox } from 'rbush'
import type { Box } from '../../geo/area.ts'
import type { TriggerKey } from '../trigger/trigger-conditions.ts'

/** Known facts about an event. Unknown facts exclude nothing. */
export interface EventFacts {
  /** Boxes that cover the event's geometry. Empty: it has no geometry. */
  readonly boxes: readonly Box[] | 'unknown'
  /** Returns the texts a value at the key can equal. Empty: no value. */
  readonly textsAt: (key: string) => readonly string[] | 'unknown'
}

interface Placed<E> extends BBox {
  readonly entry: E
}

/**
 * Subscriptions of one collection and event kind, or of any. Indexed by area, else by the values of one key, else in
 * one set.
 */
export class MatcherPartition<E> {
  readonly #areas = new RBush<Placed<E>>()
  readonly #placed = new Map<E, readonly Placed<E>[]>()
  readonly #byValue = new Map<string, Map<string, Set<E>>>()
  readonly #hashed = new Map<E, TriggerKey>()
  readonly #plain = new Set<E>()
  /** Number of entries per key and value. The key with the most distinct values is the most selective. */
  readonly #wanted = new Map<string, Map<string, number>>()

  get size(): number {
    return this.#placed.size + this.#hashed.size + this.#plain.size
  }

  add(entry: E, boxes: readonly Box[] | undefined, keys: readonly TriggerKey[]): void {
    if (boxes !== undefined) {
      const placed = boxes.map((box) => place(box, entry))
      this.#placed.set(entry, placed)
      for (const item of placed) this.#areas.insert(item)
      return
    }
    this.#count(keys, 1)
    const key = this.#telling(keys)
    if (key === undefined) {
      this.#plain.add(entry)
      return
    }
    this.#hashed.set(entry, key)
    const values = this.#byValue.get(key.key) ?? new Map<string, Set<E>>()
    this.#byValue.set(key.key, values)
    for (const text of key.wanted) {
      const entries = values.get(text)
      if (entries === undefined) values.set(text, new Set([entry]))
      else entries.add(entry)
    }
  }

  remove(entry: E, keys: readonly TriggerKey[]): void {
    const placed = this.#placed.get(entry)
    if (placed !== undefined) {
      this.#placed.delete(entry)
      for (const item of placed) this.#areas.remove(item)
      return
    }
    this.#count(keys, -1)
    if (this.#plain.delete(entry)) return
    const key = this.#hashed.get(entry)
    if (key === undefined) return
    this.#hashed.delete(entry)
    const values = this.#byValue.get(key.key)
    for (const text of key.wanted) {
      const entries = values?.get(text)
      entries?.delete(entry)
      if (entries?.size === 0) values?.delete(text)
    }
    if (values?.size === 0) this.#byValue.delete(key.key)
  }

  /** Returns a superset of the matching entries, each once. */
  *find({ boxes, textsAt }: EventFacts): Generator<E> {
    yield* this.#plain
    if (boxes === 'unknown') yield* this.#placed.keys()
    else yield* this.#inAreas(boxes)
    for (const [key, values] of this.#byValue) {
      const texts = textsAt(key)
      const wanted = texts === 'unknown' ? values.values() : texts.map((text) => values.get(text) ?? [])
      yield* distinct(wanted)
    }
  }

  *#inAreas(boxes: readonly Box[]): Generator<E> {
    yield* distinct(boxes.map((box) => this.#areas.search(bounds(box)).map(({ entry }) => entry)))
  }

  #count(keys: readonly TriggerKey[], by: number): void {
    for (const { key, wanted } of keys) {
      const values = this.#wanted.get(key) ?? new Map<string, number>()
      this.#wanted.set(key, values)
      for (const text of wanted) {
        const count = (values.get(text) ?? 0) + by
        if (count > 0) values.set(text, count)
        else values.delete(text)
      }
      if (values.size === 0) this.#wanted.delete(key)
    }
  }

  #telling(keys: readonly TriggerKey[]): TriggerKey | undefined {
    const values = ({ key }: TriggerKey): number => this.#wanted.get(key)?.size ?? 0
    return keys.reduce<TriggerKey | undefined>(
      (best, key) => (best === undefined || values(key) > values(best) ? key : best),
      undefined,
    )
  }
}

function* distinct<E>(groups: Iterable<Iterable<E>>): Generator<E> {
  const seen = new Set<E>()
  for (const group of groups) {
    for (const entry of group) {
      if (seen.has(entry)) continue
      seen.add(entry)
      yield entry
    }
  }
}

const bounds = ({ west, south, east, north }: Box): BBox => ({ minX: west, minY: south, maxX: east, maxY: north })

const place = <E>(box: Box, entry: E): Placed<E> => ({ ...bounds(box), entry })
