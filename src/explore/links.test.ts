import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { getLinks, postLinks } from './links.ts'

const address = (query: string) => ({ base: 'http://localhost:9999', path: '/explore/geodata/_search', query })

describe('links of a GET', () => {
  it('follow the example of the specification', () => {
    const query = 'size=1&sort=params.startdate,id&include=params.job'
    expect(getLinks(address(query), { after: '763600,ID__170__80DI' })).toEqual({
      self: { href: `http://localhost:9999/explore/geodata/_search?${query}`, method: 'GET' },
      next: {
        href: 'http://localhost:9999/explore/geodata/_search?size=1&sort=params.startdate%2Cid&include=params.job&after=763600%2CID__170__80DI',
        method: 'GET',
      },
    })
  })

  it('have only self, as received, when there is no other page', () => {
    expect(getLinks(address(''), {})).toEqual({
      self: { href: 'http://localhost:9999/explore/geodata/_search', method: 'GET' },
    })
    expect(getLinks(address('?&&Size=2'), {}).self.href).toBe('http://localhost:9999/explore/geodata/_search??&&Size=2')
  })

  it('replace both cursors and from, whatever their case', () => {
    const { next, previous } = getLinks(address('From=0&AFTER=a,b&sort=x,id&Before='), { after: 'n', before: 'p' })
    expect(next?.href).toBe('http://localhost:9999/explore/geodata/_search?sort=x%2Cid&after=n')
    expect(previous?.href).toBe('http://localhost:9999/explore/geodata/_search?sort=x%2Cid&before=p')
  })

  it('keep every other parameter, decoded, in order', () => {
    const pairs = fc.array(
      fc.tuple(
        fc.constantFrom('f', 'q', 'sort', 'F', 'x y', 'é&='),
        fc.string({ unit: 'binary' }).filter((text) => text.isWellFormed()),
      ),
    )
    fc.assert(
      fc.property(pairs, fc.string(), (received, cursor) => {
        const query = new URLSearchParams(received).toString()
        const href = getLinks(address(query), { after: cursor }).next?.href ?? ''
        expect([...new URL(href).searchParams]).toEqual([...received, ['after', cursor]])
      }),
    )
  })
})

describe('links of a POST', () => {
  const body = {
    filter: { f: [[{ field: 'params.job', op: 'eq', value: 'Actor' }]] },
    page: { size: 1, sort: '-params.startdate,id' },
    form: { flat: true },
  }

  it('carry the body with size and from filled in', () => {
    const href = 'http://localhost:9999/explore/geodata/_search'
    expect(postLinks(address(''), body, { size: 1, from: 0 }, { after: '1209600,ID_120_80DI' })).toEqual({
      self: { href, method: 'POST', body: { ...body, page: { size: 1, from: 0, sort: '-params.startdate,id' } } },
      next: {
        href,
        method: 'POST',
        body: { ...body, page: { size: 1, from: 0, sort: '-params.startdate,id', after: '1209600,ID_120_80DI' } },
      },
    })
  })

  it('fill in a page that was not given', () => {
    expect(postLinks(address(''), {}, { size: 10, from: 0 }, {}).self.body).toEqual({ page: { size: 10, from: 0 } })
  })

  it('drop the other cursor and from', () => {
    const { self, next, previous } = postLinks(
      address('flat=true'),
      { page: { sort: 'id', before: 'b', from: 0 } },
      { size: 10, from: 0 },
      { after: 'n', before: 'p' },
    )
    expect(self.href).toBe('http://localhost:9999/explore/geodata/_search?flat=true')
    expect(self.body?.page).toEqual({ sort: 'id', size: 10, from: 0, before: 'b' })
    expect(next?.body?.page).toEqual({ sort: 'id', size: 10, from: 0, after: 'n' })
    expect(previous?.body?.page).toEqual({ sort: 'id', size: 10, from: 0, before: 'p' })
  })
})
