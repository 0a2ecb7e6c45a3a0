import type { SubscriptionLink, SubscriptionLinks } from '../../model/subscription.ts'
import type { SubscriptionRecord } from '../record/subscription-record.ts'
import type { Side } from '../rights/subscription-caller.ts'

/** URL of a list request: `base` + `path` + `?query`. */
interface ListAddress {
  readonly base: string
  readonly path: string
  readonly query: string
}

interface ListedPage {
  readonly page: number
  readonly size: number
  readonly total: number
}

export const link = (relation: string, href: string, method = 'GET'): SubscriptionLink => ({
  relation,
  href,
  type: 'application/json',
  method,
})

export const linksOf = (links: readonly SubscriptionLink[]): SubscriptionLinks =>
  Object.fromEntries(links.map((one) => [one.relation, one]))

const listUrl = (base: string, side: Side): string => `${base}${side === 'user' ? '' : '/admin'}/subscriptions`

/** URL of a subscription on the user or administrator path. */
export const subscriptionUrl = (base: string, side: Side, id: string): string =>
  `${listUrl(base, side)}/${encodeURIComponent(id)}`

/** Links of a subscription (spec 2.7). For a deleted one, only those that still work. */
export function subscriptionLinks(base: string, side: Side, { id, deleted }: SubscriptionRecord): SubscriptionLinks {
  const url = subscriptionUrl(base, side, id)
  const self = link('self', url)
  const list = link('list', listUrl(base, side))
  if (deleted) return linksOf(side === 'user' ? [list] : [self, list])
  return linksOf([self, list, link('update', url, 'PUT'), link('delete', url, 'DELETE')])
}

const PLACE = new Set(['size', 'page'])

/** Links of a list page (spec 2.7). Other parameters are kept; size and page come last. */
export function pageLinks({ base, path, query }: ListAddress, { page, size, total }: ListedPage): SubscriptionLinks {
  const kept = query.split('&').filter((part) => part !== '' && !PLACE.has(nameOf(part)))
  const at = (relation: string, number: number): SubscriptionLink =>
    link(relation, `${base}${path}?${[...kept, `size=${size}`, `page=${number}`].join('&')}`)
  const last = Math.ceil(total / size)
  return linksOf([
    at('self', page),
    ...(page > 1 ? [at('first', 1), at('prev', Math.max(1, Math.min(page - 1, last)))] : []),
    ...(page * size < total ? [at('next', page + 1)] : []),
    ...(total > 0 && page !== last ? [at('last', last)] : []),
  ])
}

/** The parameter was parsed before, so decoding cannot fail. */
const nameOf = (part: string): string =>
  decodeURIComponent(part.split('=', 1)[0]?.replaceAll('+', ' ') ?? '').toLowerCase()
