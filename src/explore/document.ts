import { documentReaderOf } from '../collections/open-collection.ts'
import { problem } from '../errors.ts'
import { hitMaker } from '../formats/hit.ts'
import type { Hit } from '../model/answer/responses.ts'
import type { FieldType } from '../model/field-type.ts'
import { resolveProjection } from '../query/page/projection.ts'
import { and, nothing, type Predicate } from '../query/plan/predicate.ts'
import { resolveSelection } from '../query/request/effective-query.ts'
import { ownerOf } from '../query/schema/collection-view.ts'
import { type Field, isInteger } from '../query/schema/field.ts'
import type { Operation } from './operation.ts'

/**
 * Returns the document with the id `identifier`. Throws DOCUMENT_NOT_FOUND also if the effective query hides it (spec
 * 5.11).
 */
export async function readDocument(identifier: string, operation: Operation, flat: boolean): Promise<Hit> {
  const { engine, collection, signal } = operation
  const { params } = collection.reference
  const id = collection.schema.lookup(params.id_path)
  const isIt = id === undefined ? nothing : identifies(id, identifier)
  const predicate = and([isIt, resolveSelection({}, operation)])
  const found =
    id === undefined || predicate.kind === 'nothing'
      ? undefined
      : await engine.search(
          {
            indices: collection.schema.indices,
            predicate,
            sort: [{ kind: 'field', field: id, descending: false }],
            size: 1,
            from: 0,
            wantsTotal: false,
          },
          signal,
        )
  const document = found?.hits[0]
  if (document === undefined) throw problem('DOCUMENT_NOT_FOUND', { name: identifier, owner: ownerOf(collection) })

  const projection = resolveProjection(undefined, undefined, operation)
  return hitMaker({ reader: documentReaderOf(collection), projection, flat, paths: params })(document)
}

/** Compares ids with a path segment as strings, so `007` matches no integer. */
export function identifies(id: Field, identifier: string): Predicate {
  if (!id.indexed) return nothing
  if (id.type === 'KEYWORD') return { kind: 'equals', field: id, values: [identifier] }
  if (!isInteger(id.type) || !/^(?:0|-?[1-9][0-9]{0,18})$/.test(identifier)) return nothing
  const value = BigInt(identifier)
  const bits = BITS[id.type] ?? 64
  return BigInt.asIntN(bits, value) === value ? { kind: 'equals', field: id, values: [value] } : nothing
}

const BITS: Readonly<Partial<Record<FieldType, number>>> = { BYTE: 8, SHORT: 16, INTEGER: 32, LONG: 64 }
