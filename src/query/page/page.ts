import type { Limits } from '../../config/settings.ts'
import { problem } from '../../errors.ts'
import type { Page } from '../../model/search.ts'
import type { Cursor, SortKey } from '../plan/plan.ts'
import type { Scalar } from '../plan/predicate.ts'
import type { CollectionView } from '../schema/collection-view.ts'
import { readTypedText } from '../value/typed-text.ts'
import { splitCursor } from './cursor.ts'
import { nameIn, presentText, type RequestOrigin } from './request-origin.ts'
import { endsWithId, parseSortItems, resolveSort, type SortItem } from './sort.ts'

const DEFAULT_SIZE = 10

interface PageContext {
  readonly collection: CollectionView
  readonly limits: Limits
  readonly origin: RequestOrigin
  /** Maximum from + size of the engine; absent: unlimited. */
  readonly window?: number | undefined
}

/** A syntactically valid page; fields are not looked up yet. */
interface ParsedPage {
  readonly size: number
  readonly from: number
  readonly items: readonly SortItem[]
  readonly cursor?: ParsedCursor
}

interface ParsedCursor {
  readonly direction: 'after' | 'before'
  readonly text: string
  /** One per sort item; null for a missing value. */
  readonly values: readonly (string | null)[]
}

/** The order and range of a search: ready for a plan, and sufficient to build links. */
export interface ResolvedPage {
  readonly size: number
  readonly from: number
  /** Ends with the id. */
  readonly sort: readonly SortKey[]
  readonly cursor?: Cursor
  /** True if the order can be continued with a cursor: sort ends with the id and has no geodistance (spec 5.2.6). */
  readonly continuable: boolean
}

/** Checks every rule of spec 5.2. */
export function resolvePage(page: Page | undefined, context: PageContext): ResolvedPage {
  return resolveParsedPage(parsePage(page, context), context)
}

export function parsePage(page: Page | undefined, context: PageContext): ParsedPage {
  const { origin, limits, window } = context
  const size = checkSize(page?.size ?? Math.min(DEFAULT_SIZE, limits.size), nameIn(origin, 'size'), limits.size)
  const from = page?.from ?? 0
  const fromName = nameIn(origin, 'from')
  if (!Number.isInteger(from) || from < 0) {
    throw problem('INVALID_PARAMETER', { parameter: fromName, value: from, reason: 'must be an integer of at least 0' })
  }
  if (window !== undefined && from + size > window) {
    const reason = `plus size must be at most ${window}; page with after instead`
    throw problem('LIMIT_EXCEEDED', { parameter: fromName, value: from, reason, setting: 'limits.window' })
  }
  const items = parseSortItems(presentText(page?.sort), nameIn(origin, 'sort'))
  const cursor = parseCursor(presentText(page?.after), presentText(page?.before), items, from, context)
  return { size, from, items, ...(cursor === undefined ? {} : { cursor }) }
}

/** Accepts 1 to `limit`; also used by operations that page in another way. */
function checkSize(size: number, parameter: string, limit: number): number {
  if (!Number.isInteger(size) || size < 1) {
    const reason = `must be an integer from 1 to ${limit}`
    throw problem('INVALID_PARAMETER', { parameter, value: size, reason })
  }
  if (size > limit) {
    const reason = `must be at most ${limit}; request several pages instead`
    throw problem('LIMIT_EXCEEDED', { parameter, value: size, reason, setting: 'limits.size' })
  }
  return size
}

function parseCursor(
  after: string | undefined,
  before: string | undefined,
  items: readonly SortItem[],
  from: number,
  { origin, collection }: PageContext,
): ParsedCursor | undefined {
  const text = after ?? before
  if (text === undefined) return undefined
  const direction = after === undefined ? 'before' : 'after'
  const fail = (reason: string): never => {
    throw problem('INVALID_PARAMETER', { parameter: nameIn(origin, direction), value: text, reason })
  }
  const id = collection.reference.params.id_path
  if (after !== undefined && before !== undefined) fail('must not be given together with before')
  if (from > 0) fail('must not be given together with a from greater than 0')
  if (items.length === 0) fail('requires sort')
  if (items.some((item) => item.kind === 'distance')) fail('must not be given when sort contains geodistance')
  if (!endsWithId(items, collection)) fail(`requires a sort whose last item is ${id}`)
  const values = splitCursor(text)
  if (values.length < items.length) fail(`has ${values.length} values, fewer than the ${items.length} items of sort`)
  if (values.length > items.length) fail(`has ${values.length} values, more than the ${items.length} items of sort`)
  return { direction, text, values }
}

export function resolveParsedPage(page: ParsedPage, context: PageContext): ResolvedPage {
  const { collection, origin } = context
  const sort = resolveSort(page.items, collection, nameIn(origin, 'sort'))
  const cursor = page.cursor === undefined ? undefined : resolveCursor(page.cursor, sort, origin)
  return {
    size: page.size,
    from: page.from,
    sort,
    ...(cursor === undefined ? {} : { cursor }),
    continuable: endsWithId(page.items, collection) && page.items.every((item) => item.kind === 'field'),
  }
}

function resolveCursor(cursor: ParsedCursor, sort: readonly SortKey[], origin: RequestOrigin): Cursor {
  const values = cursor.values.map((text, index): Scalar | null => {
    const field = sort[index]?.field
    if (text === null || field === undefined) return null
    const value = readTypedText(field, text) ?? undefined
    if (value !== undefined) return value
    const reason = `has a value that is not valid for ${field.path}, a field of type ${field.type}`
    throw problem('INVALID_PARAMETER', { parameter: nameIn(origin, cursor.direction), value: text, reason })
  })
  return { direction: cursor.direction, values }
}
