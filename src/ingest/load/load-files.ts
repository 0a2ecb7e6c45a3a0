import { randomUUID } from 'node:crypto'
import { checkIndexName } from '../../mapping/index-name.ts'
import type { Mapping } from '../../model/mapping.ts'
import type { FileSet } from '../plan/file-set.ts'
import type { CollectionPaths } from '../plan/guess-paths.ts'
import { describePlan, type LoadPlan, type PlanOptions } from '../plan/load-plan.ts'
import { makePlan } from '../plan/make-plan.ts'
import { ExistsFault, InputFault } from '../source/input-fault.ts'
import { type LoadedRows, RowLoader } from './load-rows.ts'
import type { LoadReport, LoadTarget, StoredReference } from './load-target.ts'

export interface LoadOptions extends PlanOptions {
  /** Index to load into. An index that is named here and exists is added to. */
  readonly index?: string
  /** Collection to register; false: none. Named after the index if neither is stated. */
  readonly collection?: string | false
  /** Replace the index if it exists. It stays until all documents are loaded. */
  readonly replace?: boolean
  /** Add to the index if it exists. */
  readonly append?: boolean
  /** Never add to an index that exists. */
  readonly isNew?: boolean
  /** Mapping of a new index, instead of the inferred one. */
  readonly mapping?: Mapping
  readonly dryRun?: boolean
  /** More documents follow. */
  readonly grows?: boolean
  /** Ends the load as a failure does. */
  readonly signal?: AbortSignal
}

export interface LoadOutcome {
  readonly index: string
  readonly collection?: string
  readonly plan: LoadPlan
  /** Absent for a dry run. */
  readonly loaded?: LoadedRows
}

interface Destination {
  readonly index: string
  readonly collection?: string
  /** Mapping of the index if documents are added to it. */
  readonly known?: Mapping
  /** The index exists and is dropped after the documents were loaded into another one. */
  readonly isReplaced: boolean
  readonly reference?: StoredReference
}

/**
 * Loads files into an index, and registers it as a collection. Everything is decided before the first document is
 * written; if loading fails, an index that was created is dropped.
 */
export async function loadFiles(
  target: LoadTarget,
  files: FileSet,
  title: string,
  given: LoadOptions,
  report: LoadReport,
): Promise<LoadOutcome> {
  const destination = await chooseDestination(target, title, given)
  const { index, collection, known, reference, isReplaced } = destination
  const mapping = known ?? given.mapping
  const plan = await makePlan(files, given, {
    ...(known === undefined || reference === undefined ? {} : { paths: pathsOf(reference) }),
    ...(mapping === undefined ? {} : { mapping }),
    isCollection: collection !== undefined,
    grows: given.grows === true,
    now: Date.now(),
  })
  for (const sentence of describePlan(plan)) report.say(sentence)
  const outcome = { index, plan, ...(collection === undefined ? {} : { collection }) }
  if (given.dryRun === true) return outcome
  const rowsBefore = known === undefined ? 0 : await target.countOf(index)
  if (isReplaced) await dropLeftovers(target, index, report)
  const written = isReplaced ? temporaryName(index) : index
  if (known === undefined) await target.createIndex(written, plan.mapping, plan)
  const { id } = plan.paths
  // a number of a row is no identifier of documents that are there already
  const isIdentified = id !== undefined && (known === undefined || plan.idFrom !== 'row')
  const loader = new RowLoader(target, report, plan, {
    index: written,
    rowsBefore,
    ...(isIdentified ? { idPath: id } : {}),
    ...(given.signal === undefined ? {} : { signal: given.signal }),
  })
  report.start()
  let isPlaced = false
  try {
    const loaded = await loader.load(files)
    if (loaded.created + loaded.replaced === 0) throw nothingLoaded(loaded)
    if (known === undefined) await target.complete?.(written)
    if (isReplaced) await replace(target, index, written, report)
    isPlaced = isReplaced
    if (collection !== undefined) await register(target, destination, collection, plan)
    return { ...outcome, loaded }
  } catch (error) {
    if (error instanceof KeptElsewhere) throw error.cause
    if (isPlaced) report.say(`Index ${index} has the new documents.`)
    else await undo(target, { ...destination, index: written }, loader.loaded, plan, report)
    throw error
  }
}

/**
 * Name of an index until it replaces another. Begins differently, so that collections that show indices by a pattern do
 * not show it.
 */
function temporaryName(index: string): string {
  const start = `loading-${randomUUID().slice(0, 8)}`
  return Buffer.byteLength(index) > MOST_NAMED_BYTES ? start : `${start}-${index}`
}

/** Drops what an interrupted load that was to replace the index left behind. */
async function dropLeftovers(target: LoadTarget, index: string, report: LoadReport): Promise<void> {
  for (const name of (await target.namesLike?.(`loading-*-${index}`)) ?? []) {
    if (!/^[0-9a-f]{8}$/.test(name.slice('loading-'.length, -index.length - 1))) continue
    await target.dropIndex(name)
    report.say(`Dropped index ${name}, which an interrupted load left behind.`)
  }
}

/** Most bytes of a name that can have a prefix. */
const MOST_NAMED_BYTES = 230

/** If the old index is gone and the new one could not get its name, the documents are in the new one. */
async function replace(target: LoadTarget, index: string, by: string, report: LoadReport): Promise<void> {
  try {
    await target.replaceIndex(index, by)
  } catch (error) {
    const isThere = await target.mappingOf(index).then(
      (mapping) => mapping !== undefined,
      () => false,
    )
    if (isThere) throw error
    report.say(`The documents are in index ${by}, which could not be renamed to ${index}.`)
    throw new KeptElsewhere(error)
  }
}

/** The new documents are all there is: they must not be dropped. */
class KeptElsewhere extends Error {
  constructor(cause: unknown) {
    super('an index could not be renamed', { cause })
  }
}

async function chooseDestination(target: LoadTarget, title: string, options: LoadOptions): Promise<Destination> {
  const index = options.index ?? title
  checkIndexName(index)
  const named = options.collection ?? (options.index === undefined ? index : false)
  const collection = named === false ? {} : { collection: named }
  const known = await target.mappingOf(index)
  const reference = named === false ? undefined : await target.referenceOf(named)
  const stored = reference === undefined ? {} : { reference }
  if (reference !== undefined && reference.index_name !== index) {
    throw new ExistsFault(
      `Collection ${named}`,
      `exists and shows index ${String(reference.index_name)}: choose another name with --collection`,
    )
  }
  if (known === undefined || options.replace === true) {
    return { index, ...collection, ...stored, isReplaced: known !== undefined }
  }
  if (options.isNew === true || (options.append !== true && options.index === undefined)) {
    const add = options.isNew === true ? '' : 'add to it with --append, '
    throw new ExistsFault(
      `Index ${index}`,
      `exists with ${await target.countOf(index)} documents: ${add}replace it with --replace, or choose another name with --index and --collection`,
    )
  }
  if (options.mapping !== undefined) {
    throw new InputFault(
      `Index ${index} exists and has a mapping: omit --mapping, or replace the index with --replace.`,
    )
  }
  return { index, ...collection, ...stored, known, isReplaced: false }
}

/** The paths of a collection that documents are added to. */
function pathsOf(reference: StoredReference): CollectionPaths {
  const text = (name: string): string | undefined => {
    const value = reference[name]
    return typeof value === 'string' ? value : undefined
  }
  const id = text('id_path')
  const geometry = text('geometry_path')
  const centroid = text('centroid_path')
  const timestamp = text('timestamp_path')
  return {
    ...(id === undefined ? {} : { id }),
    ...(geometry === undefined ? {} : { geometry }),
    ...(centroid === undefined ? {} : { centroid }),
    ...(timestamp === undefined ? {} : { timestamp }),
  }
}

/** Registers the index. A collection that exists keeps its other members. */
async function register(
  target: LoadTarget,
  { index, reference, known }: Destination,
  collection: string,
  { paths }: LoadPlan,
): Promise<void> {
  if (known !== undefined && reference !== undefined) return
  await target.putReference(collection, {
    ...reference,
    index_name: index,
    id_path: paths.id,
    geometry_path: paths.geometry,
    centroid_path: paths.centroid,
    timestamp_path: paths.timestamp,
  })
}

/** Leaves nothing behind of a new index; tells what was added to one that existed. */
async function undo(
  target: LoadTarget,
  { index, known, isReplaced }: Pick<Destination, 'index' | 'known' | 'isReplaced'>,
  { created, replaced }: LoadedRows,
  { idFrom }: LoadPlan,
  report: LoadReport,
): Promise<void> {
  if (known === undefined) {
    report.say(isReplaced ? 'The index is not replaced.' : `Nothing is kept: index ${index} is dropped.`)
    // the cause of the failure is thrown by the caller; a server that is gone cannot drop the index
    await target.dropIndex(index).catch((error: unknown) => report.say(`Index ${index} remains: ${String(error)}`))
    return
  }
  if (created + replaced === 0) return
  const next =
    idFrom === 'nothing' || idFrom === 'row'
      ? 'if you load the file again, these documents are duplicated'
      : 'fix the cause and load again; existing documents are replaced'
  report.say(
    `Stopped after ${(created + replaced).toLocaleString('en-US')} documents were written to index ${index}: ${next}.`,
  )
}

function nothingLoaded({ rejected, firstReject }: LoadedRows): InputFault {
  if (firstReject === undefined) return new InputFault('There are no documents to load.')
  const { line, reason } = firstReject
  return new InputFault(`All ${rejected} documents were rejected: the one in line ${line} ${reason}.`)
}
