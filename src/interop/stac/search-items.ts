import { problem } from '../../errors.ts'
import { identifies } from '../../explore/document.ts'
import { findDocuments } from '../../explore/find-documents.ts'
import type { JsonObject } from '../../model/json/document.ts'
import { printCql2Json } from '../../query/cql2/printer.ts'
import { and, nothing } from '../../query/plan/predicate.ts'
import { ownerOf } from '../../query/schema/collection-view.ts'
import { compareCodePoints } from '../../query/value/code-point-order.ts'
import { compareScalars } from '../../query/value/scalar-order.ts'
import { mapInTurns, Turn } from '../../turn.ts'
import { fingerprint } from '../page-token.ts'
import { memberChooser } from './chosen-members.ts'
import { itemMaker } from './item.ts'
import { checkNames } from './item-filter.ts'
import { type ItemConditions, type ItemSearch, itemPredicate, type SearchedCollection } from './item-search.ts'
import { checkSort, type FoundItem, ItemStream } from './item-stream.ts'
import { type Position, printSearchToken, readSearchToken } from './search-token.ts'

export interface ItemsFound {
  readonly items: readonly JsonObject[]
  readonly matched: number
  /** Token of the next page, if there is one. */
  readonly next?: string
}

/** Items read at a time from each of several collections, at least. */
const LEAST_CHUNK = 20

/** Finds a page of the items of collections, in one order over all of them. */
export async function searchItems(
  search: ItemSearch,
  collections: readonly SearchedCollection[],
  base: string,
  signal: AbortSignal,
): Promise<ItemsFound> {
  checkConditions(search, collections)
  checkSort(search, collections)
  const question = questionOf(search)
  const positions = search.token === undefined ? undefined : readSearchToken(search.token, question)
  // One more than wanted tells whether there is a further page.
  const wanted = search.limit + 1
  const share = Math.max(LEAST_CHUNK, Math.ceil((2 * wanted) / Math.max(collections.length, 1)))
  const chunk = collections.length === 1 ? wanted : Math.min(wanted, share)
  const streams = collections
    .map((collection) => {
      const name = collection.operation.collection.reference.collection_name
      return new ItemStream(collection, search, chunk, positions?.get(name))
    })
    .toSorted((a, b) => compareCodePoints(a.name, b.name))
  await Promise.all(streams.map((stream) => stream.open()))
  const found = await merge(streams, search, signal)
  const choose = search.fields === undefined ? undefined : memberChooser(search.fields)
  const makers = new Map(streams.map((stream) => [stream, itemMaker(stream.collection, base)]))
  const items = await mapInTurns(found, ({ stream, item }) => {
    const made = makers.get(stream)?.(item.document) ?? {}
    return choose === undefined ? made : choose(made)
  })
  const matched = streams.reduce((sum, stream) => sum + stream.matched, 0)
  if (!streams.some(({ head }) => head !== undefined)) return { items, matched }
  const reached = streams.flatMap(({ name, position }): [string, Position][] =>
    position === undefined ? [] : [[name, position]],
  )
  return { items, matched, next: printSearchToken(new Map(reached), question) }
}

/** Throws for names in filters that no collection has. */
export const checkConditions = ({ filter }: ItemConditions, collections: readonly SearchedCollection[]): void =>
  checkNames(
    filter,
    collections.map(({ names }) => names),
  )

const questionOf = ({ collections, ids, bbox, datetime, filter, words, sort }: ItemSearch): string =>
  fingerprint([
    ...[collections ?? null, ids ?? null, bbox ?? null, datetime ?? null],
    ...[filter === undefined ? null : printCql2Json(filter), words ?? null, sort],
  ])

interface Taken {
  readonly stream: ItemStream
  readonly item: FoundItem
}

/** Takes items from the streams, the first of all heads each time. Leaves the heads filled. */
async function merge(
  streams: readonly ItemStream[],
  search: ItemSearch,
  signal: AbortSignal,
): Promise<readonly Taken[]> {
  const turn = new Turn(signal)
  const taken: Taken[] = []
  for (;;) {
    if (turn.isOver) await turn.next()
    let first: Taken | undefined
    for (const stream of streams) {
      if (stream.needsMore) await stream.fill()
      const item = stream.head
      // Streams are in the order of their names, which decides between equal items.
      if (item !== undefined && (first === undefined || compareItems(item, first.item, search) < 0)) {
        first = { stream, item }
      }
    }
    if (first === undefined || taken.length === search.limit) return taken
    taken.push(first)
    first.stream.take()
  }
}

/** Missing values are last in both directions. */
function compareItems(a: FoundItem, b: FoundItem, { sort }: ItemSearch): number {
  for (let i = 0; i < sort.length; i++) {
    const [x, y] = [a.keys[i] ?? null, b.keys[i] ?? null]
    if (x === null && y === null) continue
    if (x === null) return 1
    if (y === null) return -1
    const order = kindOf(x) - kindOf(y) || compareScalars(x, y)
    if (order !== 0) return sort[i]?.descending ? -order : order
  }
  return 0
}

/** Values of different kinds, from fields of different types, are ordered by their kind. */
const KINDS: readonly string[] = ['boolean', 'number', 'string']
const kindOf = (value: unknown): number => KINDS.indexOf(typeof value === 'bigint' ? 'number' : typeof value)

/** Returns the item with an identifier. Throws DOCUMENT_NOT_FOUND if it does not exist or is not visible. */
export async function findStacItem(
  identifier: string,
  collection: SearchedCollection,
  base: string,
): Promise<JsonObject> {
  const { operation } = collection
  const { schema, reference } = operation.collection
  const id = schema.lookup(reference.params.id_path)
  const { result } = await findDocuments({ page: { size: 1 } }, operation, {
    wantsTotal: false,
    also: () => (id === undefined ? nothing : and([identifies(id, identifier), itemPredicate(undefined, collection)])),
  })
  const [document] = result.hits
  if (document === undefined) {
    throw problem('DOCUMENT_NOT_FOUND', { name: identifier, owner: ownerOf(operation.collection) })
  }
  return itemMaker(collection, base)(document)
}
