import type { FoundDocument } from '../../engine/engine.ts'
import { problem } from '../../errors.ts'
import { findDocuments } from '../../explore/find-documents.ts'
import type { Operation } from '../../explore/operation.ts'
import { exactSource } from '../../explore/page-cursors.ts'
import type { Search } from '../../model/search.ts'
import { cursorAfter, printCursor } from '../../query/page/cursor.ts'
import type { Scalar } from '../../query/plan/predicate.ts'
import { isSortable } from './item-names.ts'
import { filterOf, type ItemSearch, itemPredicate, nameOfCollection, type SearchedCollection } from './item-search.ts'
import type { Position } from './search-token.ts'

/** A found item, with its values for the order of the search. */
export interface FoundItem {
  readonly document: FoundDocument
  readonly keys: readonly (Scalar | null)[]
  readonly cursor: string
}

/** The items of one collection in the order of a search, read in chunks when they are needed. */
export class ItemStream {
  readonly name: string
  readonly collection: SearchedCollection
  readonly #search: ItemSearch
  readonly #size: number
  readonly #items: FoundItem[] = []
  #next = 0
  #readTo: string | undefined
  #isRead = false
  #position: Position | undefined
  #matched = 0

  constructor(collection: SearchedCollection, search: ItemSearch, size: number, position: Position | undefined) {
    this.name = nameOfCollection(collection)
    this.collection = collection
    this.#search = search
    this.#size = size
    this.#position = position
    this.#isRead = position === true
    this.#readTo = position === true ? undefined : position
  }

  /** Number of items of all pages. Known after the first `open`. */
  get matched(): number {
    return this.#matched
  }

  /** How far items were taken. Undefined: none were. */
  get position(): Position | undefined {
    return this.#isRead && this.head === undefined ? true : this.#position
  }

  /** The next item; undefined at the end, or before `fill`. */
  get head(): FoundItem | undefined {
    return this.#items[this.#next]
  }

  get needsMore(): boolean {
    return this.head === undefined && !this.#isRead
  }

  take(): void {
    this.#position = this.head?.cursor ?? this.#position
    this.#next++
  }

  /** Reads the first chunk, and counts the items. */
  async open(): Promise<void> {
    await this.#read(this.#isRead ? 1 : this.#size, true)
  }

  /** Reads the next chunk. */
  fill(): Promise<void> {
    return this.#read(this.#size, false)
  }

  async #read(size: number, wantsTotal: boolean): Promise<void> {
    const { operation, names } = this.collection
    const { id_path } = operation.collection.reference.params
    const fields = this.#search.sort.map(({ name, descending }) => {
      const field = name === 'collection' ? undefined : names.field(name)
      return field === undefined ? undefined : { path: field.path, descending }
    })
    const sorted = fields.flatMap((field) => field ?? [])
    const items = sorted.map(({ path, descending }) => `${descending ? '-' : ''}${path}`)
    const search: Search = {
      filter: filterOf(this.#search, this.collection),
      page: {
        size,
        sort: (sorted.at(-1)?.path === id_path ? items : [...items, id_path]).join(','),
        ...(this.#readTo === undefined ? {} : { after: this.#readTo }),
      },
    }
    const { result, page } = await findDocuments(search, withSize(operation, size), {
      wantsTotal,
      also: () => itemPredicate(this.#search.ids, this.collection),
    })
    if (result.total !== undefined) this.#matched = result.total
    if (this.#isRead) return
    this.#isRead = result.hits.length < size
    this.#next = 0
    this.#items.length = 0
    for (const document of result.hits) {
      const source = exactSource(document)
      const { values } = cursorAfter(page.sort, source)
      let at = 0
      const keys = this.#search.sort.map(({ name }, i) =>
        name === 'collection' ? this.name : fields[i] === undefined ? null : (values[at++] ?? null),
      )
      this.#items.push({ document, keys, cursor: printCursor(page.sort, source) })
    }
    this.#readTo = this.#items.at(-1)?.cursor ?? this.#readTo
  }
}

/** The limit of items has its own setting. */
const withSize = (operation: Operation, size: number): Operation => ({
  ...operation,
  limits: { ...operation.limits, size: Math.max(size, operation.limits.size) },
})

/** Throws for an order by a name that none of the collections has, or that cannot order items. */
export function checkSort({ sort }: ItemSearch, collections: readonly SearchedCollection[]): void {
  if (collections.length === 0) return
  for (const { name } of sort) {
    if (name === 'collection') continue
    const fields = collections.flatMap(({ names }) => names.field(name) ?? [])
    if (fields.length > 0 && fields.every(isSortable)) continue
    // Without a time all items have a period.
    if (fields.length === 0 && name === 'datetime') continue
    const reason = fields.length > 0 ? 'must not name geometries' : 'must name properties of the searched collections'
    throw problem('INVALID_PARAMETER', { parameter: 'sortby', value: name, reason })
  }
}
