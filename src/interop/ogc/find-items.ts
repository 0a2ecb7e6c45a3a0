import { documentReaderOf } from '../../collections/open-collection.ts'
import type { FoundDocument } from '../../engine/engine.ts'
import { problem } from '../../errors.ts'
import { identifies } from '../../explore/document.ts'
import { findDocuments } from '../../explore/find-documents.ts'
import type { Operation } from '../../explore/operation.ts'
import { exactSource } from '../../explore/page-cursors.ts'
import { mapPositions } from '../../geo/map-positions.ts'
import type { Filter } from '../../model/filter.ts'
import type { Json, JsonObject } from '../../model/json/document.ts'
import type { Search } from '../../model/search.ts'
import { printCursor } from '../../query/page/cursor.ts'
import type { ResolvedPage } from '../../query/page/page.ts'
import { projectDocument, resolveProjection } from '../../query/page/projection.ts'
import { nothing } from '../../query/plan/predicate.ts'
import { ownerOf } from '../../query/schema/collection-view.ts'
import { type Field, isInteger } from '../../query/schema/field.ts'
import { mapInTurns } from '../../turn.ts'
import { fingerprint } from '../page-token.ts'
import { propertiesOf, visibleFields } from '../properties.ts'
import { type Crs, crs84 } from './crs.ts'
import { type PagePlace, printPlace, readPlace } from './page-place.ts'

export interface ItemsRequest {
  readonly limit: number
  /** `-a,+b`, checked; undefined: by identifier. */
  readonly sort: string | undefined
  readonly token: string | undefined
  readonly filter: Filter['cql2'] | undefined
  readonly form: FeatureForm
}

/** What features contain. */
export interface FeatureForm {
  /** Properties to return; undefined: all. */
  readonly properties?: readonly Field[] | undefined
  readonly skipGeometry: boolean
  readonly crs: Crs
}

export interface ItemsPage {
  readonly features: readonly JsonObject[]
  readonly matched: number
  /** Tokens of the adjacent pages, if they exist. */
  readonly next?: string
  readonly prev?: string
}

/** Finds a page of the features of a collection. */
export async function findItems(request: ItemsRequest, operation: Operation): Promise<ItemsPage> {
  const { collection_name } = operation.collection.reference
  const { filter, limit, token } = request
  const sort = sortOf(request.sort, operation)
  const question = fingerprint([collection_name, filter ?? null, sort])
  const place = token === undefined ? undefined : readPlace(token, question)
  const search: Search = {
    ...(filter === undefined ? {} : { filter: { cql2: filter } }),
    page: { size: limit, sort, ...(place === undefined ? {} : { [place.direction]: place.cursor }) },
  }
  const { result, page } = await findDocuments(search, withPageSize(operation, limit), { wantsTotal: true })
  const feature = featureOf(operation, request.form)
  const { hits, total = hits.length } = result
  return {
    features: await mapInTurns(hits, feature),
    matched: total,
    ...tokens(hits, total, page, place, question),
  }
}

/** The limit of items has its own setting. */
const withPageSize = (operation: Operation, size: number): Operation => ({
  ...operation,
  limits: { ...operation.limits, size: Math.max(size, operation.limits.size) },
})

/** The order of pages ends with the identifier, so that they can be continued. */
function sortOf(sort: string | undefined, { collection }: Operation): string {
  const { id_path } = collection.reference.params
  if (sort === undefined) return id_path
  const isById = sort.split(',').some((item) => item.replace(/^-/, '') === id_path)
  return isById ? sort : `${sort},${id_path}`
}

function tokens(
  hits: readonly FoundDocument[],
  total: number,
  page: ResolvedPage,
  place: PagePlace | undefined,
  question: string,
): Pick<ItemsPage, 'next' | 'prev'> {
  const [first, last] = [hits[0], hits.at(-1)]
  if (first === undefined || last === undefined) return {}
  const token = (direction: PagePlace['direction'], hit: FoundDocument): string =>
    printPlace({ direction, cursor: printCursor(page.sort, exactSource(hit)) }, question)
  const isFull = hits.length === page.size
  const hasNext = place === undefined ? total > hits.length : place.direction === 'before' || isFull
  const hasPrev = place !== undefined && (place.direction === 'after' || isFull)
  return {
    ...(hasNext ? { next: token('after', last) } : {}),
    ...(hasPrev ? { prev: token('before', first) } : {}),
  }
}

/** Returns the feature with an identifier. Throws DOCUMENT_NOT_FOUND if it does not exist or is not visible. */
export async function findItem(identifier: string, operation: Operation, form: FeatureForm): Promise<JsonObject> {
  const { collection } = operation
  const id = collection.schema.lookup(collection.reference.params.id_path)
  const { result } = await findDocuments({ page: { size: 1 } }, operation, {
    wantsTotal: false,
    also: () => (id === undefined ? nothing : identifies(id, identifier)),
  })
  const [document] = result.hits
  if (document === undefined) throw problem('DOCUMENT_NOT_FOUND', { name: identifier, owner: ownerOf(collection) })
  return featureOf(operation, form)(document)
}

/** Returns a function from a document to its feature. */
export function featureOf(operation: Operation, form: FeatureForm): (document: FoundDocument) => JsonObject {
  const { collection } = operation
  const { id_path, geometry_path } = collection.reference.params
  const reader = documentReaderOf(collection)
  const fields = form.properties ?? visibleFields(collection)
  const read = propertiesOf(fields.filter(({ path }) => path !== id_path && path !== geometry_path))
  const projection = resolveProjection(undefined, undefined, operation)
  const id = collection.schema.lookup(id_path)
  return (document) => {
    const geometry = form.skipGeometry ? undefined : reader.geometry(document.source)
    const { fromLonLat } = form.crs
    return {
      type: 'Feature',
      id: identifierOf(reader.id(document), id),
      geometry: geometry === undefined ? null : form.crs === crs84 ? geometry : mapPositions(geometry, fromLonLat),
      properties: read(projectDocument(document.source, projection)),
    }
  }
}

/** A number where the field is one and JSON can hold it. */
function identifierOf(text: string | undefined, field: Field | undefined): Json {
  if (text === undefined) return null
  const isExact = field !== undefined && isInteger(field.type) && Number.isSafeInteger(Number(text))
  return isExact ? Number(text) : text
}
