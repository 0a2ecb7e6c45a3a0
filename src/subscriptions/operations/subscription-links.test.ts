import { describe, expect, it } from 'vitest'
import type { SubscriptionRecord } from '../record/subscription-record.ts'
import { pageLinks, subscriptionLinks, subscriptionUrl } from './subscription-links.ts'

const base = 'https://geo.example.com'

describe('links of a list', () => {
  const hrefs = (query: string, page: number, size: number, total: number) =>
    Object.fromEntries(
      Object.entries(pageLinks({ base, path: '/subscriptions', query }, { page, size, total })).map(([name, link]) => {
        expect(link).toMatchObject({ relation: name, type: 'application/json', method: 'GET' })
        return [name, link.href.slice(`${base}/subscriptions?`.length)]
      }),
    )

  it.each([
    ['the first of several', 1, 2, 5, { self: 1, next: 2, last: 3 }],
    ['one in the middle', 2, 2, 5, { self: 2, first: 1, prev: 1, next: 3, last: 3 }],
    ['the last', 3, 2, 5, { self: 3, first: 1, prev: 2 }],
    ['the only one', 1, 5, 5, { self: 1 }],
    ['nothing', 1, 10, 0, { self: 1 }],
    ['past the end', 9, 2, 5, { self: 9, first: 1, prev: 3, last: 3 }],
    ['past the end of nothing', 9, 2, 0, { self: 9, first: 1, prev: 1 }],
  ])('%s', (_name, page, size, total, pages) => {
    const expected = Object.fromEntries(
      Object.entries(pages).map(([name, number]) => [name, `size=${size}&page=${number}`]),
    )
    expect(hrefs('', page, size, total)).toEqual(expected)
  })

  it('keep the other parameters, as they were sent and in their order', () => {
    expect(hrefs('Active=true&SIZE=1&created-by=a%20b&&page=1&x', 1, 1, 2)).toEqual({
      self: 'Active=true&created-by=a%20b&x&size=1&page=1',
      next: 'Active=true&created-by=a%20b&x&size=1&page=2',
      last: 'Active=true&created-by=a%20b&x&size=1&page=2',
    })
  })
})

describe('links of a subscription', () => {
  const named = (side: 'user' | 'administrator', deleted: boolean) =>
    Object.values(subscriptionLinks(base, side, { id: 'a', deleted } as SubscriptionRecord)).map(
      ({ relation, method, href }) => `${relation} ${method} ${href.slice(base.length)}`,
    )

  it('are those of the paths that were used', () => {
    expect(named('user', false)).toEqual([
      'self GET /subscriptions/a',
      'list GET /subscriptions',
      'update PUT /subscriptions/a',
      'delete DELETE /subscriptions/a',
    ])
    expect(named('administrator', false)).toEqual([
      'self GET /admin/subscriptions/a',
      'list GET /admin/subscriptions',
      'update PUT /admin/subscriptions/a',
      'delete DELETE /admin/subscriptions/a',
    ])
  })

  it('of a deleted one are what still answers', () => {
    expect(named('user', true)).toEqual(['list GET /subscriptions'])
    expect(named('administrator', true)).toEqual(['self GET /admin/subscriptions/a', 'list GET /admin/subscriptions'])
  })

  it('hold ids in encoded form', () => {
    expect(subscriptionUrl(base, 'user', 'a/b')).toBe(`${base}/subscriptions/a%2Fb`)
  })
})
