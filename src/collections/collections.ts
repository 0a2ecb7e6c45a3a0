import { randomUUID } from 'node:crypto'
import type { Access } from '../access/access.ts'
import type { Settings } from '../config/settings.ts'
import type { Engine } from '../engine/engine.ts'
import { problem } from '../errors.ts'
import { checkBody } from '../model/check-body.ts'
import { type CollectionDisplayNames, type CollectionReference, DisplayNames } from '../model/collection.ts'
import { completeOrganisations } from './complete-parameters.ts'
import { readImport } from './import-file.ts'
import { readOrganisationsUpdate } from './organisations-update.ts'
import { type PutOptions, prepareReference } from './prepare-reference.ts'
import type { ReferenceStore } from './reference-store.ts'
import { createWriteQueue } from './write-queue.ts'

/** Operations on collection references (spec 4). Bodies arrive as parsed JSON and are checked here. */
export interface Collections {
  /** In creation order, without those the caller may not see. */
  list(access: Access): Promise<readonly CollectionReference[]>
  /** COLLECTION_NOT_FOUND when there is none. */
  get(name: string, access: Access): Promise<CollectionReference>
  put(name: string, body: unknown, access: Access, options?: PutOptions): Promise<CollectionReference>
  delete(name: string, access: Access): Promise<void>
  patchOrganisations(name: string, body: unknown, access: Access): Promise<CollectionReference>
  patchDisplayName(name: string, displayName: string, access: Access): Promise<CollectionReference>
  patchFieldNames(name: string, body: unknown, access: Access): Promise<CollectionReference>
  patchShapeColumns(name: string, body: unknown, access: Access): Promise<CollectionReference>
  export(access: Access): Promise<readonly CollectionReference[]>
  /** Saves every reference of the array or none; answers with their names. */
  import(body: unknown, access: Access, options?: PutOptions): Promise<readonly string[]>
}

export interface CollectionsOptions {
  readonly store: ReferenceStore
  readonly engine: Pick<Engine, 'indices'>
  readonly settings: Pick<Settings, 'limits' | 'inspire'>
  readonly now: () => number
}

export function createCollections({ store, engine, settings, now }: CollectionsOptions): Collections {
  const queue = createWriteQueue()
  const context = { engine, settings, now, newIdentifier: randomUUID }

  const get = async (name: string, _access: Access): Promise<CollectionReference> => {
    const reference = await store.get(name)
    if (reference === undefined) throw problem('COLLECTION_NOT_FOUND', { name })
    return reference
  }

  const list = (_access: Access): Promise<readonly CollectionReference[]> => store.list()

  /** Fields are not checked again, so it works when the index is gone (spec 4.6). The body is read by `change`. */
  const patch = (name: string, access: Access, change: (params: Params) => Partial<Params>) =>
    queue(async () => {
      const { params } = await get(name, access)
      const reference = { collection_name: name, params: { ...params, ...change(params) } }
      await store.putAll([reference])
      return reference
    })

  const patchNames = (name: string, access: Access, names: () => CollectionDisplayNames) =>
    patch(name, access, (params) => ({ display_names: { ...params.display_names, ...names() } }))

  return {
    list,
    get,
    export: list,

    put: async (name, body, _access, options = {}) => {
      const reference = await prepareReference(name, body, context, options)
      await queue(() => store.putAll([reference]))
      return reference
    },

    delete: (name, access) =>
      queue(async () => {
        await get(name, access)
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

    import: async (body, _access, options = {}) => {
      const references = await readImport(body, context, options)
      await queue(() => store.putAll(references))
      return references.map((reference) => reference.collection_name)
    },
  }
}

type Params = CollectionReference['params']
