import type { Settings } from '../config/settings.ts'
import type { Engine } from '../engine/engine.ts'
import { problem } from '../errors.ts'
import type { CollectionReference } from '../model/collection.ts'
import { checkFields, timestampFormat } from './check-fields.ts'
import { checkCollectionFilter } from './collection-filter.ts'
import { completeParameters } from './inspire/complete-parameters.ts'
import { requireInspire } from './inspire/inspire-rules.ts'
import { readCollectionParameters } from './store/read-parameters.ts'
import { checkValues } from './value-rules.ts'

export interface PutOptions {
  /**
   * False: the index and its fields are not checked, so a reference may be stored before its index exists. Default
   * true.
   */
  readonly checkFields?: boolean
  readonly signal?: AbortSignal
}

export interface PrepareContext {
  readonly engine: Pick<Engine, 'indices'>
  readonly settings: Pick<Settings, 'limits' | 'inspire'>
  readonly now: () => number
  readonly newIdentifier: () => string
  /** Throws if the caller may not store the reference. */
  readonly mayStore?: (reference: CollectionReference) => Promise<void>
}

/** Validates and completes a reference before it is stored, in the order of spec 4.3. */
export async function prepareReference(
  name: string,
  body: unknown,
  context: PrepareContext,
  options: PutOptions,
): Promise<CollectionReference> {
  const given = readCollectionParameters(body)
  checkCollectionName(name)
  const now = context.now()
  const params = completeParameters(given, { name, identifier: context.newIdentifier(), now })
  if (context.settings.inspire.required) requireInspire(params)
  checkValues(params)
  await context.mayStore?.({ collection_name: name, params })
  const infos = await context.engine.indices(params.index_name, options.signal)
  checkCollectionFilter(params, { infos, now, limits: context.settings.limits })
  if (options.checkFields !== false) checkFields(params, infos)
  const format = timestampFormat(params.timestamp_path, infos)
  return {
    collection_name: name,
    params: { ...params, custom_params: { ...params.custom_params, timestamp_format: format } },
  }
}

const LONGEST_NAME = 128
const FORBIDDEN_IN_NAME = /[\s\p{Cc}/\\,:*?#"<>|]/u

const NAME_RULE =
  'must have 1 to 128 characters, not start with _, and contain no white space, control character or any of / \\ , : * ? # " < > |'

/** Validates a name (spec 4.1). Throws INVALID_COLLECTION. */
function checkCollectionName(name: string): void {
  if (!isCollectionName(name)) {
    throw problem('INVALID_COLLECTION', { parameter: 'collection_name', value: name, reason: NAME_RULE })
  }
}

function isCollectionName(name: string): boolean {
  const length = [...name].length
  return (
    length >= 1 &&
    length <= LONGEST_NAME &&
    !name.startsWith('_') &&
    !FORBIDDEN_IN_NAME.test(name) &&
    name.isWellFormed()
  )
}
