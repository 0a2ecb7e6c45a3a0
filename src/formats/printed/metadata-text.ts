import type { FieldType } from '../../model/field-type.ts'
import type { Json } from '../../model/json/document.ts'
import { readableFormats, readStoredDate } from '../../query/date/field-date.ts'
import type { CollectionPaths } from '../../query/schema/collection-view.ts'
import type { Schema } from '../../query/schema/schema.ts'
import type { DocumentScan } from './document-scan.ts'
import { geometryPrinter } from './geometry-text.ts'

/** Integers that are instants in any case. */
const MILLIS = /^-?[0-9]{1,15}$/

/** Slots of the collection paths in a scan. */
const SLOTS = { id: 0, timestamp: 1, geometry: 2, centroid: 3 } as const

/** The wanted paths of a scan for `metadataPrinter`, by their slots. */
export const metadataPaths = (paths: CollectionPaths): readonly string[] => [
  paths.id_path,
  paths.timestamp_path,
  paths.geometry_path,
  paths.centroid_path,
]

/** Texts of the four collection paths of a document. */
export interface MetadataText {
  readonly id: string | undefined
  readonly timestamp: string | undefined
  readonly geometry: string | undefined
  readonly centroid: string | undefined
}

/**
 * Returns a function from a scanned document to the texts of its collection paths, as `documentReader` reads them.
 * Undefined if the document must be parsed for them.
 */
export function metadataPrinter(
  paths: CollectionPaths,
  schema: Pick<Schema, 'lookup'>,
  scan: DocumentScan,
): (text: string) => MetadataText | undefined {
  const typeOf = (path: string): FieldType | undefined => schema.lookup(path)?.type
  const printGeometry = geometryPrinter(typeOf(paths.geometry_path))
  const printCentroid = geometryPrinter(typeOf(paths.centroid_path))
  const isOnePath = paths.geometry_path === paths.centroid_path
  // Equal paths have one slot, the last one.
  const slot = slotsOf(paths)
  const formats = readableFormats(schema.lookup(paths.timestamp_path)?.format)
  const isMillis = formats.find(({ kind }) => isEpoch(kind))?.kind === 'epoch_millis'
  const printTime = (text: string): string | undefined => {
    if (isMillis && MILLIS.test(text)) return text
    const value: Json = JSON.parse(text)
    const ms = readStoredDate(formats, value)
    return ms === undefined ? undefined : JSON.stringify(ms)
  }
  return (text) => {
    const textAt = (at: number): string | undefined => {
      const start = scan.starts[at] ?? -1
      const value = start < 0 ? 'null' : text.slice(start, scan.ends[at])
      return value === 'null' ? undefined : value
    }
    const id = textAt(slot.id)
    const timestamp = textAt(slot.timestamp)
    if (isNested(id) || isNested(timestamp)) return undefined
    const place = textAt(slot.geometry)
    const geometry = place === undefined ? undefined : printGeometry(place)
    const centre = isOnePath ? undefined : textAt(slot.centroid)
    return {
      id: id === undefined || id.startsWith('"') ? id : `"${id}"`,
      timestamp: timestamp === undefined ? undefined : printTime(timestamp),
      geometry,
      centroid: isOnePath ? geometry : centre === undefined ? undefined : printCentroid(centre),
    }
  }
}

function slotsOf(paths: CollectionPaths): Readonly<Record<keyof typeof SLOTS, number>> {
  const wanted = metadataPaths(paths)
  const lastOf = (slot: number): number => wanted.lastIndexOf(wanted[slot] ?? '')
  return {
    id: lastOf(SLOTS.id),
    timestamp: lastOf(SLOTS.timestamp),
    geometry: lastOf(SLOTS.geometry),
    centroid: lastOf(SLOTS.centroid),
  }
}

const isEpoch = (kind: string): boolean => kind === 'epoch_millis' || kind === 'epoch_second'

const isNested = (text: string | undefined): boolean =>
  text !== undefined && (text.startsWith('[') || text.startsWith('{'))
