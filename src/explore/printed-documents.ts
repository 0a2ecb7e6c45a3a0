import { documentReaderOf, type OpenCollection } from '../collections/open-collection.ts'
import type { FoundDocument } from '../engine/engine.ts'
import { hitMaker } from '../formats/hit.ts'
import { featurePrinter } from '../formats/printed/feature-text.ts'
import { hitPrinter } from '../formats/printed/hit-text.ts'
import type { ResolvedSearch } from '../query/request/search-request.ts'
import { featuresOf } from './feature-stream.ts'

/*
 * Documents are printed as slices of their stored texts where these are printed as `JSON.stringify` would print them.
 * The others are parsed and printed.
 */

type Planned = Pick<ResolvedSearch, 'projection'>
type TextOf = (document: FoundDocument) => string

/** True if answers have whole documents, and no other geometries than those of the collection. */
const showsWhole = ({ projection }: Planned): boolean =>
  projection.root.fate === 'whole' && projection.returnedGeometries === undefined

/**
 * Returns a function from a document to the texts of its features in nested form, with `separator` between them; empty
 * if it has none.
 */
export function featureTexts(collection: OpenCollection, planned: Planned, separator: string): TextOf {
  const features = featuresOf(collection, planned, { flat: false })
  const general: TextOf = (document) =>
    features(document)
      .map((feature) => JSON.stringify(feature))
      .join(separator)
  if (!showsWhole(planned)) return general
  return fromText(featurePrinter(collection.reference.params, collection.schema), general)
}

/** Returns a function from a document to the text of its hit in nested form. */
export function hitTexts(collection: OpenCollection, planned: Planned): TextOf {
  const { params } = collection.reference
  const { projection } = planned
  const makeHit = hitMaker({ reader: documentReaderOf(collection), projection, flat: false, paths: params })
  const general: TextOf = (document) => JSON.stringify(makeHit(document))
  return showsWhole(planned) ? fromText(hitPrinter(params, collection.schema), general) : general
}

const fromText =
  (print: (text: string) => string | undefined, general: TextOf): TextOf =>
  (document) =>
    (document.text === undefined ? undefined : print(document.text)) ?? general(document)
