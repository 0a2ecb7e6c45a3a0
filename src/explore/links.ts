import type { Link, Links } from '../model/answer/responses.ts'
import type { Search } from '../model/search.ts'

/** URL of a request: `base` + `path` + `?query` is the received URL, made absolute. */
interface RequestAddress {
  readonly base: string
  readonly path: string
  readonly query: string
}

/** Cursors of the adjacent pages; absent if that page does not exist (spec 5.2.6). */
export interface PageCursors {
  readonly after?: string
  readonly before?: string
}

/** Parameters that define the position of a page; links to other pages replace them by one cursor. */
const PLACE = new Set(['after', 'before', 'from'])

/** Links of a GET search: the received parameters in their order, with the cursor replaced. */
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

/** Links of a POST search: the received body with size and from filled in and the cursor replaced. */
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
  // URLSearchParams strips a leading `?` as the start of a query.
  const received = [...new URLSearchParams(`&${query}`)]
  return received.filter(([name]) => !PLACE.has(name.toLowerCase())).map(([name, value]) => encodePair(name, value))
}

/** A document value may contain an unpaired surrogate, which cannot be encoded. */
const encodePair = (name: string, value: string): string =>
  `${encodeURIComponent(name)}=${encodeURIComponent(value.toWellFormed())}`
