import type { CollectionPaths } from '../../query/schema/collection-view.ts'
import type { Schema } from '../../query/schema/schema.ts'
import { DocumentScan } from './document-scan.ts'
import { metadataPaths, metadataPrinter } from './metadata-text.ts'

/**
 * Returns a function from the text of a document to that of its hit, in nested form and with all fields: the same text
 * as of the hit that `hitMaker` makes. Undefined if the document must be parsed for it.
 */
export function hitPrinter(
  paths: CollectionPaths,
  schema: Pick<Schema, 'lookup'>,
): (text: string) => string | undefined {
  const scan = new DocumentScan({ wanted: metadataPaths(paths) })
  const printMetadata = metadataPrinter(paths, schema, scan)
  return (text) => {
    // Hits have no nulls.
    if (!scan.read(text) || scan.hasNullMember) return undefined
    const md = printMetadata(text)
    if (md === undefined) return undefined
    const { id, timestamp, geometry, centroid } = md
    let members = id === undefined ? '' : `,"id":${id}`
    if (timestamp !== undefined) members += `,"timestamp":${timestamp}`
    if (geometry !== undefined) members += `,"geometry":${geometry}`
    if (centroid !== undefined) members += `,"centroid":${centroid}`
    return `{"md":{${members.slice(1)}},"data":${text}}`
  }
}
