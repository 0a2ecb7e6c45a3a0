import type { IndexInfo } from '../engine/engine.ts'
import { Problem, problem } from '../errors.ts'
import { checkBody } from '../model/check-body.ts'
import { CollectionReference } from '../model/collection.ts'
import { type PrepareContext, type PutOptions, prepareReference } from './prepare-reference.ts'

/**
 * Reads the references of an import. Each one is validated and completed like a PUT (spec 4.7). Any error is an error
 * of the file, so a missing field or index is a 400 here. The message names the entry.
 */
export async function readImport(
  body: unknown,
  context: PrepareContext,
  options: PutOptions,
): Promise<readonly CollectionReference[]> {
  if (!Array.isArray(body)) {
    throw problem('INVALID_BODY', { parameter: 'file', reason: 'must be an array of collection references' })
  }
  const once = { ...context, engine: { indices: rememberIndices(context) } }
  const references = new Map<string, CollectionReference>()
  for (const [i, entry] of body.entries()) {
    const reference = await readEntry(entry, `file[${i}]`, once, options)
    const name = reference.collection_name
    if (references.has(name)) {
      const reason = 'must not occur twice in the file'
      throw problem('INVALID_COLLECTION', { parameter: `file[${i}].collection_name`, value: name, reason })
    }
    references.set(name, reference)
  }
  return [...references.values()]
}

async function readEntry(
  entry: unknown,
  label: string,
  context: PrepareContext,
  options: PutOptions,
): Promise<CollectionReference> {
  const { collection_name: name, params } = checkBody(CollectionReference, entry, { root: label, unknownKeys: 'drop' })
  try {
    return await prepareReference(name, params, context, options)
  } catch (error) {
    throw blameEntry(error, `${label} (${name})`)
  }
}

function blameEntry(error: unknown, label: string): unknown {
  if (!(error instanceof Problem) || (error.status !== 400 && error.status !== 404)) return error
  const code = error.code === 'INVALID_BODY' ? 'INVALID_BODY' : 'INVALID_COLLECTION'
  return problem(code, { parameter: label, reason: `is not valid: ${error.message}` })
}

/** Caches index lookups, since most entries of a file share an index. */
function rememberIndices(context: PrepareContext): PrepareContext['engine']['indices'] {
  const known = new Map<string, Promise<readonly IndexInfo[]>>()
  return (pattern, signal) => {
    const found = known.get(pattern) ?? context.engine.indices(pattern, signal)
    known.set(pattern, found)
    return found
  }
}

/** Message with the number and names of the imported references. */
export function importedMessage(names: readonly string[]): string {
  const count = `${names.length} ${names.length === 1 ? 'collection' : 'collections'} imported`
  return names.length === 0 ? count : `${count}: ${names.join(', ')}`
}
