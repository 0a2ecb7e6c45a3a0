import type { Link, Links } from '../model/responses.ts'
import type { Search } from '../model/search.ts'

/** The address of a request: `base` + `path` + `?query` is the URL as received, made absolute. */
export interface RequestAddress {
  readonly base: string
  readonly path: string
  readonly query: string
}

/** Cursor texts of the pages beside this one; absent when there is no such page (spec 5.2.6). */
export interface PageCursors {
  readonly after?: string
  readonly before?: string
}

/** Parameters that say where a page lies; a link to another page carries one cursor in their place. */
const PLACE = new Set(['after', 'before', 'from'])

/** Links of a GET search: the same parameters in the order received, with the cursor changed. */
export function getLinks(address: RequestAddress, cursors: PageCursors): Links {
  const link = (href: string): Link => ({ href, method: 'GET' })
  const place = (name: string, cursor: string): Link =>
    link(absolute(address, [...keptParameters(address.query), encodePair(name, cursor)].join('&')))
  return {
    self: link(absolute(address, address.query)),
    ...(cursors.after === undefined ? {} : { next: place('after', cursors.after) }),
    ...(cursors.before === undefined ? {} : { previous: place('before', cursors.before) }),
  }
}

/** Links of a POST search: the body as received, size and from filled in, with the cursor changed. */
export function postLinks(
  address: RequestAddress,
  body: Search,
  page: { readonly size: number; readonly from: number },
  cursors: PageCursors,
): Links {
  const href = absolute(address, address.query)
  const link = (changed: Search['page']): Link => ({ href, method: 'POST', body: { ...body, page: changed ?? {} } })
  const { after: _after, before: _before, ...unplaced } = body.page ?? {}
  const place = { ...unplaced, size: page.size, from: 0 }
  return {
    self: link({ ...body.page, size: page.size, from: page.from }),
    ...(cursors.after === undefined ? {} : { next: link({ ...place, after: cursors.after }) }),
    ...(cursors.before === undefined ? {} : { previous: link({ ...place, before: cursors.before }) }),
  }
}

const absolute = (address: RequestAddress, query: string): string =>
  `${address.base}${address.path}${query === '' ? '' : `?${query}`}`

function keptParameters(query: string): readonly string[] {
  // URLSearchParams would take a leading `?` for the mark that begins a query.
  const received = [...new URLSearchParams(`&${query}`)]
  return received.filter(([name]) => !PLACE.has(name.toLowerCase())).map(([name, value]) => encodePair(name, value))
}

/** A value of a document may hold half a surrogate pair, which has no encoding. */
const encodePair = (name: string, value: string): string =>
  `${encodeURIComponent(name)}=${encodeURIComponent(value.toWellFormed())}`
