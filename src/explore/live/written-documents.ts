import type { WriteOperation, WriteResult } from '../../engine/engine.ts'
import type { DocumentReader } from '../../formats/document-reader.ts'
import type { Box } from '../../geo/area.ts'
import { normaliseShape, shapeBounds } from '../../geo/shape/shape.ts'
import { withExactIntegers } from '../../model/json/exact-json.ts'
import type { Evaluator } from '../../query/evaluate/predicate-evaluator.ts'
import { inTurns } from '../../turn.ts'
import { unionOf } from './live-change.ts'

/** Maximum number of written documents that are kept to be read; further ones are only counted by the engine. */
export const MOST_KEPT = 500

interface WrittenDocument {
  readonly index: string
  readonly operation: Extract<WriteOperation, { kind: 'index' | 'create' }>
  readonly isNew: boolean
}

/** What is known of the written documents that match. */
export interface WrittenSummary {
  /** Number of documents read, matching or not. */
  readonly noted: number
  readonly created: number
  readonly updated: number
  readonly extent?: Box
  readonly newest?: number
  /** False if documents were written that were not read. */
  readonly complete: boolean
}

/** Documents written since the last look. */
export class WrittenDocuments {
  #kept: WrittenDocument[] = []
  #complete = true

  /** True if no writes were told. */
  get isEmpty(): boolean {
    return this.#kept.length === 0 && this.#complete
  }

  note(index: string, operations: readonly WriteOperation[], results: readonly WriteResult[]): void {
    for (const [i, operation] of operations.entries()) {
      const result = results[i]
      if (result?.ok !== true || result.result === 'noop') continue
      const isWhole = operation.kind === 'index' || operation.kind === 'create'
      if (isWhole && this.#kept.length < MOST_KEPT) {
        this.#kept.push({ index, operation, isNew: result.result === 'created' })
      } else {
        // where a deleted document was is not known, nor a document of which only a part was sent
        this.#complete = false
        if (this.#kept.length >= MOST_KEPT) return
      }
    }
  }

  /** Reads the documents and forgets them. `evaluator`: of the documents of an index. */
  async summarise(
    evaluator: (index: string) => Evaluator | undefined,
    reader: Pick<DocumentReader, 'timestamp' | 'geometry' | 'centroid'>,
  ): Promise<WrittenSummary> {
    const [kept, complete] = [this.#kept, this.#complete]
    this.#kept = []
    this.#complete = true
    const counts = { created: 0, updated: 0 }
    let isExact = complete
    const found: { extent?: Box; newest?: number } = {}
    await inTurns(kept, ({ index, operation, isNew }) => {
      const test = evaluator(index)
      if (test?.exact !== true) isExact = false
      const source = withExactIntegers(operation.text ?? JSON.stringify(operation.source))
      if (test?.holds(source) !== true) {
        // it may have matched before
        if (!isNew) isExact = false
        return
      }
      counts[isNew ? 'created' : 'updated']++
      const geometry = reader.geometry(source) ?? reader.centroid(source)
      const shape = geometry === undefined ? undefined : normaliseShape(geometry)
      if (shape !== undefined) {
        const box = shapeBounds(shape)
        found.extent = found.extent === undefined ? box : unionOf(found.extent, box)
      }
      const time = reader.timestamp(source)
      if (time !== undefined) found.newest = Math.max(found.newest ?? time, time)
    })
    return {
      noted: kept.length,
      ...counts,
      ...found,
      complete: isExact,
    }
  }
}
