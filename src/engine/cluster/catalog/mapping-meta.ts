import type { WireJson, WireObject } from '../../../cluster-client/cluster-client.ts'
import type { Dynamic, Mapping, MappingField } from '../../../model/mapping.ts'

/*
 * Indices created by Periplus are always `dynamic: false` in the cluster: new fields are inferred by our own rules, so
 * that a document has the same fields on every engine. The `dynamic` settings of the mapping are stored by path in its
 * `_meta`: {"periplus": {"dynamic": {"": true, "params": "strict"}}}.
 */

/** Settings of a mapping stored in `_meta`. */
export interface MappingMeta {
  readonly dynamic: ReadonlyMap<string, Dynamic>
}

const KEY = 'periplus'

/** True if the index was created by Periplus, so that our rules for new fields apply. */
export const isOurs = (root: WireObject): boolean => ownPart(root) !== undefined

export function readMeta(root: WireObject): MappingMeta {
  const stated = ownPart(root)?.dynamic
  const dynamic = new Map<string, Dynamic>()
  if (isObject(stated)) {
    for (const [path, value] of Object.entries(stated)) {
      if (typeof value === 'boolean' || value === 'strict') dynamic.set(path, value)
    }
  }
  return { dynamic }
}

export const dynamicAt = (meta: MappingMeta, path: string): Dynamic | undefined => meta.dynamic.get(path)

/** Returns the `_meta` of a mapping, keeping the entries of others. */
export function writeMeta(mapping: Mapping, others: WireObject = {}): WireObject {
  const dynamic: Record<string, Dynamic> = {}
  if (mapping.dynamic !== undefined) dynamic[''] = mapping.dynamic
  addDynamic(mapping.properties, '', dynamic)
  return { ...others, [KEY]: { dynamic } }
}

function addDynamic(
  properties: Readonly<Record<string, MappingField>>,
  prefix: string,
  into: Record<string, Dynamic>,
): void {
  for (const [name, field] of Object.entries(properties)) {
    const path = prefix + name
    if (field.dynamic !== undefined) into[path] = field.dynamic
    addDynamic(field.properties ?? {}, `${path}.`, into)
  }
}

function ownPart(root: WireObject): WireObject | undefined {
  const { _meta: meta } = root
  const own = isObject(meta) ? meta[KEY] : undefined
  return isObject(own) ? own : undefined
}

const isObject = (value: WireJson | undefined): value is WireObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
