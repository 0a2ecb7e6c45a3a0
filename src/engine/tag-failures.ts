import type { JsonObject } from '../model/json/document.ts'
import { firstAt, sourcePath } from '../model/source-path.ts'
import type { Scalar } from '../query/plan/predicate.ts'
import type { Field } from '../query/schema/field.ts'
import { printIp } from '../query/value/ip-text.ts'
import type { Failure } from './tag-store.ts'
import type { TagTask } from './tag-task.ts'

/** Characters. Maximum length of a value in a message. */
const LONGEST_SHOWN = 100

/** Failure of a unit with more documents than the collection allows to change at once (spec tagging 1.15). */
export function limitFailure(
  { record: { id, collection }, maxHits }: Pick<TagTask, 'record' | 'maxHits'>,
  documents: number,
  propagated?: { readonly field: Field; readonly value: Scalar },
): Failure {
  const many = `${documents} documents, more than update_max_hits ${maxHits} of collection ${collection}`
  if (propagated === undefined) {
    return { id, type: 'LIMIT_EXCEEDED', message: `The request selects ${many}; nothing was changed.` }
  }
  const value = printValue(propagated.value, propagated.field)
  const message = `The value ${shown(value)} of ${propagated.field.path} selects ${many}; none of them was changed.`
  return { id: value, type: 'LIMIT_EXCEEDED', message }
}

export const mismatchFailure = (id: string, path: string, reason: string): Failure => ({
  id,
  type: 'PATH_MISMATCH',
  message: `The path ${path} does not match the document: ${reason}.`,
})

export const refusedFailure = (id: string, path: string, reason: string): Failure => ({
  id,
  type: 'VALUE_REFUSED',
  message: `The index rejects the value of ${path}: ${reason}.`,
})

/**
 * Returns the name of a document in a failure: the value at the collection's id path, else the index-level identifier.
 */
export function documentName(source: JsonObject, idPath: string, id: string): string {
  const named = firstAt(source, sourcePath(idPath))
  return named === undefined || typeof named === 'object' ? id : String(named)
}

const printValue = (value: Scalar, { type }: Field): string => (type === 'IP' ? printIp(String(value)) : String(value))

const shown = (text: string): string => (text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}...` : text)
