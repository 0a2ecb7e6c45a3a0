import { randomUUID } from 'node:crypto'
import { named, narrowingOf, type Viewed } from '../access/narrowing.ts'
import { mayRead, mayWrite } from '../access/organisations.ts'
import type { Settings } from '../config/settings.ts'
import type { Engine } from '../engine/engine.ts'
import { problem } from '../errors.ts'
import { checkBody } from '../model/check-body.ts'
import {
  type CollectionDisplayNames,
  type CollectionReference,
  DisplayNames,
  OrganisationsUpdate,
} from '../model/collection.ts'
import type { Access } from '../query/access/access.ts'
import { readImport } from './import-file.ts'
import { completeOrganisations } from './inspire/complete-parameters.ts'
import { checkIndicesOpen } from './open-indices.ts'
import { type PutOptions, prepareReference } from './prepare-reference.ts'
import type { ReferenceStore } from './store/reference-store.ts'
import { createWriteQueue } from './write-queue.ts'

/** Operations on collection references (spec 4). Bodies arrive as parsed JSON and are validated here. */
export interface Collections {
  /** In creation order, without those hidden from the caller. */
  list(access: Access): Promise<readonly CollectionReference[]>
  /** Throws COLLECTION_NOT_FOUND if it does not exist. */
  get(name: string, access: Access): Promise<CollectionReference>
  /** Like `get`, for reads: recent changes made by another server may be missing. */
  recent(name: string, access: Access): Promise<CollectionReference>
  /** Like `get`, for callers about to change the reference. Only the owner may. */
  getToChange(name: string, access: Access): Promise<CollectionReference>
  put(name: string, body: unknown, access: Access, options?: PutOptions): Promise<CollectionReference>
  delete(name: string, access: Access): Promise<void>
  patchOrganisations(name: string, body: unknown, access: Access): Promise<CollectionReference>
  patchDisplayName(name: string, displayName: string, access: Access): Promise<CollectionReference>
  patchFieldNames(name: string, body: unknown, access: Access): Promise<CollectionReference>
  patchShapeColumns(name: string, body: unknown, access: Access): Promise<CollectionReference>
  export(access: Access): Promise<readonly CollectionReference[]>
  /** Saves all references of the array or none. Returns their names. */
  import(body: unknown, access: Access, options?: PutOptions): Promise<readonly string[]>
}

interface CollectionsOptions {
  readonly store: ReferenceStore
  readonly engine: Pick<Engine, 'indices'>
  readonly settings: Pick<Settings, 'limits' | 'inspire'>
  readonly now: () => number
  /** Names and patterns of indices that contain the server's internal records. */
  readonly ownIndices?: readonly string[]
}

export function createCollections({ store, engine, settings, now, ownIndices }: CollectionsOptions): Collections {
  const queue = createWriteQueue()
  const context = { engine, settings, now, newIdentifier: randomUUID }

  const visible = (reference: CollectionReference | undefined, name: string, access: Access): CollectionReference => {
    if (reference === undefined) throw problem('COLLECTION_NOT_FOUND', { name })
    if (!isVisible(reference, access)) throw problem('COLLECTION_NOT_AVAILABLE', { name })
    return reference
  }

  const list = async (access: Access): Promise<readonly CollectionReference[]> =>
    (await store.list()).filter((reference) => isVisible(reference, access))

  const getToChange = async (name: string, access: Access): Promise<CollectionReference> => {
    const reference = await store.get(name)
    if (reference === undefined) throw problem('COLLECTION_NOT_FOUND', { name })
    checkWritable(reference, access)
    checkWhole(reference, access)
    return reference
  }

  /** Throws unless the caller may store the new reference and replace an existing one of the same name. */
  const storingAs =
    (access: Access, signal?: AbortSignal) =>
    async (reference: CollectionReference): Promise<void> => {
      checkWritable(reference, access)
      const before = await store.get(reference.collection_name)
      if (before !== undefined) checkWritable(before, access)
      // Checked by name only, so that declaring the collection public in the body does not lift the check.
      checkWhole(named(reference.collection_name), access)
      const use = { store, engine, ...(ownIndices === undefined ? {} : { ownIndices }) }
      await checkIndicesOpen(reference.params.index_name, access, use, signal)
    }

  /**
   * Fields are not validated again, so this works even if the index no longer exists (spec 4.6). `change` reads the
   * body.
   */
  const patch = (name: string, access: Access, change: (params: Params) => Partial<Params>) =>
    queue(async () => {
      const { params } = await getToChange(name, access)
      const reference = { collection_name: name, params: { ...params, ...change(params) } }
      await store.putAll([reference])
      return reference
    })

  const patchNames = (name: string, access: Access, names: () => CollectionDisplayNames) =>
    patch(name, access, (params) => ({ display_names: { ...params.display_names, ...names() } }))

  return {
    list,
    get: async (name, access) => visible(await store.get(name), name, access),
    recent: async (name, access) => visible(await store.recent(name), name, access),
    getToChange,
    export: list,

    put: async (name, body, access, options = {}) => {
      const mayStore = storingAs(access, options.signal)
      const reference = await prepareReference(name, body, { ...context, mayStore }, options)
      await queue(async () => {
        await mayStore(reference)
        await store.putAll([reference])
      })
      return reference
    },

    delete: (name, access) =>
      queue(async () => {
        await getToChange(name, access)
        await store.delete(name)
      }),

    patchOrganisations: (name, body, access) =>
      patch(name, access, (params) => ({
        organisations: completeOrganisations({ ...params.organisations, ...readOrganisationsUpdate(body) }),
      })),

    patchDisplayName: (name, displayName, access) => patchNames(name, access, () => ({ collection: displayName })),

    patchFieldNames: (name, body, access) =>
      patchNames(name, access, () => ({ fields: checkBody(DisplayNames, body) })),

    patchShapeColumns: (name, body, access) =>
      patchNames(name, access, () => ({ shape_columns: checkBody(DisplayNames, body) })),

    import: async (body, access, options = {}) => {
      const mayStore = storingAs(access, options.signal)
      const references = await readImport(body, { ...context, mayStore }, options)
      await queue(async () => {
        for (const reference of references) await mayStore(reference)
        await store.putAll(references)
      })
      return references.map((reference) => reference.collection_name)
    },
  }
}

type Params = CollectionReference['params']

/** True if lists show the collection to the caller. Column filters do not restrict public collections. */
function isVisible({ collection_name, params }: CollectionReference, access: Access): boolean {
  const { organisations } = params
  if (!mayRead(organisations, access)) return false
  return organisations?.public === true || isCovered(collection_name, access)
}

const isCovered = (name: string, { columns }: Access): boolean =>
  columns === undefined || columns.patternsOf(name) !== undefined

function checkWritable({ collection_name: name, params }: CollectionReference, access: Access): void {
  const isPublic = params.organisations?.public === true
  if (mayWrite(params.organisations, access) && (isPublic || isCovered(name, access))) return
  throw problem('COLLECTION_NOT_AVAILABLE', { name })
}

/** A caller that sees only a part of a collection must not change its index, its paths or who may see it. */
function checkWhole(collection: Viewed, access: Access): void {
  if (narrowingOf(access, collection) === undefined) return
  throw problem('FORBIDDEN', { reason: 'The collection cannot be changed, because the view of the caller is narrowed' })
}

/**
 * Reads the body of PATCH organisations. Also accepts the members wrapped in `organisations`, which one command-line
 * client sends.
 */
function readOrganisationsUpdate(body: unknown): OrganisationsUpdate {
  if (!isWrapped(body)) return checkUpdate(body)
  const other = Object.keys(body).find((key) => key !== 'organisations')
  if (other !== undefined) throw problem('INVALID_BODY', { parameter: other, reason: 'is not a known key' })
  return checkUpdate(body.organisations, 'organisations')
}

function isWrapped(body: unknown): body is { readonly organisations: unknown } {
  return typeof body === 'object' && body !== null && 'organisations' in body && body.organisations !== null
}

function checkUpdate(value: unknown, root?: string): OrganisationsUpdate {
  return checkBody(OrganisationsUpdate, value, root === undefined ? {} : { root })
}
