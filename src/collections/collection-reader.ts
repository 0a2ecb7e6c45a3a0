import { type DocumentReader, documentReader } from '../formats/document-reader.ts'
import type { OpenCollection } from './open-collection.ts'

/** Reads id, timestamp, geometry and centroid from the documents of a collection. */
export function documentReaderOf({ reference, schema }: OpenCollection): DocumentReader {
  return documentReader(reference.params, schema)
}
