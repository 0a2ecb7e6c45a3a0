import type { DocumentReader } from '../../formats/document-reader.ts'
import type { Box } from '../../geo/area.ts'
import { readGeometry } from '../../geo/shape/document-geometry.ts'
import { normaliseShape, type Shape } from '../../geo/shape/shape.ts'
import type { Json, JsonObject } from '../../model/json/document.ts'
import type { PendingEvent } from '../record/subscription-event.ts'
import { shapeBoxes } from '../trigger/trigger-area.ts'
import { comparableTexts, readDrawn, valueAt } from '../trigger/trigger-conditions.ts'
import type { EventFacts } from '../watched/matcher-partition.ts'
import type { WatchedSubscription } from '../watched/watched-subscription.ts'

export type Verdict = 'yes' | 'no' | 'unknown'

/** The document of an event: `unknown` before the lookup, undefined if it does not exist. */
export type SubjectDocument = JsonObject | undefined | 'unknown'

/** An event with its document, as triggers see it (spec 3.5, conditions 5 and 6). */
export class MatchSubject implements EventFacts {
  readonly #event: PendingEvent
  readonly #document: SubjectDocument
  readonly #reader: Pick<DocumentReader, 'geometry' | 'centroid'> | undefined
  readonly #texts = new Map<string, readonly string[] | 'unknown'>()
  #shape: { readonly shape: Shape | undefined | 'unknown' } | undefined
  #boxes: readonly Box[] | 'unknown' | undefined

  /** `reader` reads documents of the event's collection. Undefined if the collection no longer exists. */
  constructor(
    event: PendingEvent,
    document: SubjectDocument,
    reader: Pick<DocumentReader, 'geometry' | 'centroid'> | undefined,
  ) {
    this.#event = event
    this.#document = document
    this.#reader = reader
  }

  get boxes(): readonly Box[] | 'unknown' {
    if (this.#boxes === undefined) {
      const shape = this.#knownShape()
      this.#boxes = shape === 'unknown' ? 'unknown' : shape === undefined ? [] : shapeBoxes(shape)
    }
    return this.#boxes
  }

  readonly textsAt = (key: string): readonly string[] | 'unknown' => {
    let texts = this.#texts.get(key)
    if (texts === undefined) {
      const value = this.#valueAt(key)
      texts = value === 'unknown' ? 'unknown' : value === undefined ? [] : comparableTexts(value.value)
      this.#texts.set(key, texts)
    }
    return texts
  }

  /** Evaluates the geometry and the other keys of a trigger. */
  satisfies({ area, keys }: Pick<WatchedSubscription, 'area' | 'keys'>): Verdict {
    let verdict: Verdict = 'yes'
    for (const { key, wanted } of keys) {
      const texts = this.textsAt(key)
      if (texts === 'unknown') verdict = 'unknown'
      else if (!texts.some((text) => wanted.includes(text))) return 'no'
    }
    if (area === undefined) return verdict
    const shape = this.#knownShape()
    if (shape === 'unknown') return 'unknown'
    return shape !== undefined && area.intersects(shape) ? verdict : 'no'
  }

  #knownShape(): Shape | undefined | 'unknown' {
    this.#shape ??= { shape: this.#readShape() }
    return this.#shape.shape
  }

  #readShape(): Shape | undefined | 'unknown' {
    const { object } = this.#event.event
    // The geometry of a change comes from the document, so it is read there with the rules for documents.
    if (!this.#isChange()) {
      const own = readDrawn(object.geometry) ?? readPlace(object.centroid)
      if (own !== undefined) return own
    }
    if (this.#document === 'unknown') return 'unknown'
    if (this.#document === undefined || this.#reader === undefined) return undefined
    const geometry = this.#reader.geometry(this.#document) ?? this.#reader.centroid(this.#document)
    return geometry === undefined ? undefined : normaliseShape(geometry)
  }

  #valueAt(key: string): { readonly value: Json } | undefined | 'unknown' {
    const own = this.#isChange() ? undefined : valueAt(this.#event.event.object, key)
    if (own !== undefined) return { value: own }
    if (this.#document === 'unknown') return 'unknown'
    const value = this.#document === undefined ? undefined : valueAt(this.#document, key)
    return value === undefined ? undefined : { value }
  }

  #isChange(): boolean {
    return this.#event.source === 'load' || this.#event.source === 'tag'
  }
}

/** Reads a centroid, in any supported point notation. */
function readPlace(value: Json | undefined): Shape | undefined {
  const geometry = value === undefined ? undefined : readGeometry(value)
  return geometry?.type === 'Point' ? normaliseShape(geometry) : undefined
}
