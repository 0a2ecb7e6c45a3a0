import { problem } from '../../errors.ts'
import { checkBody } from '../../model/check-body.ts'
import { CollectionReferenceParameters } from '../../model/collection.ts'

const REQUIRED = ['index_name', 'id_path', 'geometry_path', 'centroid_path', 'timestamp_path'] as const

/**
 * Parses parameters sent by a client: validates types, requires the mandatory keys to be non-blank, drops unknown keys
 * (spec 1.3, steps 1 and 2 of 4.3). `root` prefixes the keys in messages.
 */
export function readCollectionParameters(value: unknown, root?: string): CollectionReferenceParameters {
  const options = { unknownKeys: 'drop', ...(root === undefined ? {} : { root }) } as const
  const params = checkBody(CollectionReferenceParameters, value, options)
  for (const key of REQUIRED) requireText(params[key], key, root)
  if (params.raster_tile_url !== undefined) requireText(params.raster_tile_url.url, 'raster_tile_url.url', root)
  return params
}

function requireText(value: string, key: string, root: string | undefined): void {
  if (value.trim() !== '') return
  throw problem('INVALID_BODY', { parameter: root === undefined ? key : `${root}.${key}`, reason: 'must not be blank' })
}
