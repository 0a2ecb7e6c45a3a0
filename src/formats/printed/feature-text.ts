import type { CollectionPaths } from '../../query/schema/collection-view.ts'
import type { Schema } from '../../query/schema/schema.ts'
import { DocumentScan } from './document-scan.ts'
import { metadataPaths, metadataPrinter } from './metadata-text.ts'

/** Properties of every feature; a document that has one of them keeps its place. */
const RESERVED = ['md', 'feature_type', 'geometry_path']

/**
 * Returns a function from the text of a document to that of its feature, in nested form and with all fields: the same
 * text as of the feature that `featureMaker` makes. Empty if the document has no geometry; undefined if it must be
 * parsed.
 */
export function featurePrinter(
  paths: CollectionPaths,
  schema: Pick<Schema, 'lookup'>,
): (text: string) => string | undefined {
  const { geometry_path, centroid_path } = paths
  const cut = geometry_path === centroid_path ? undefined : geometry_path
  const scan = new DocumentScan({ wanted: metadataPaths(paths), cut, reserved: RESERVED })
  const printMetadata = metadataPrinter(paths, schema, scan)
  const ends = {
    geometry: `},"feature_type":"hit","geometry_path":${JSON.stringify(geometry_path)}}}`,
    centroid: `},"feature_type":"hit","geometry_path":${JSON.stringify(centroid_path)}}}`,
  }
  return (text) => {
    if (!scan.read(text)) return undefined
    const md = printMetadata(text)
    if (md === undefined) return undefined
    const { id, timestamp, geometry, centroid } = md
    const place = geometry ?? centroid
    if (place === undefined) return ''
    const rest = `${text.slice(1, scan.cutFrom)}${text.slice(Math.max(1, scan.cutTo), -1)}`
    const comma = rest === '' ? '' : ','
    let members = id === undefined ? '' : `,"id":${id}`
    if (timestamp !== undefined) members += `,"timestamp":${timestamp}`
    if (centroid !== undefined) members += `,"centroid":${centroid}`
    const end = geometry === undefined ? ends.centroid : ends.geometry
    return `{"type":"Feature","geometry":${place},"properties":{${rest}${comma}"md":{${members.slice(1)}${end}`
  }
}
