import { mapping } from '../../test/conformance/dataset.ts'
import { readAccess } from '../access/access-texts.ts'
import { type OpenCollection, openReference } from '../collections/open-collection.ts'
import type { CollectionReferenceParameters } from '../model/collection.ts'
import type { Mapping } from '../model/mapping.ts'
import type { Access } from '../query/access/access.ts'
import { unrestricted } from '../query/access/access.ts'
import { indexInfo } from '../query/request/sample-collection.fixture.ts'

export interface SampleOptions {
  readonly params?: Partial<CollectionReferenceParameters>
  readonly mapping?: Mapping
  readonly access?: Access
}

const TAGGABLE = 'params.tags,params.job'

/** Opens the sample collection. */
export async function openSample(options: SampleOptions = {}): Promise<OpenCollection> {
  const infos = [indexInfo('dataset', options.mapping ?? mapping)]
  const params = {
    index_name: 'dataset',
    id_path: 'id',
    geometry_path: 'geo_params.geometry',
    centroid_path: 'geo_params.centroid',
    timestamp_path: 'params.startdate',
    taggable_fields: TAGGABLE,
    ...options.params,
  }
  const reference = { collection_name: 'geodata', params }
  const opened = await openReference({ indices: async () => infos }, reference, options.access ?? unrestricted)
  if (opened === undefined) throw new Error('the sample has an index')
  return opened
}

/** The view that results from the headers. */
export const accessOf = (texts: { readonly partition?: string; readonly columns?: string }): Access =>
  readAccess(texts, { checkOrganisations: false })
