import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Seen, type SubscriptionServer, startSubscriptionServer, subscriptionBody } from './subscription-server.ts'

const T = 1_794_736_800

let server: SubscriptionServer
beforeAll(async () => {
  server = await startSubscriptionServer()
})
afterAll(() => server?.stop())

let users = 0
/** Makes subscriptions of a new user, one second after the other, the last of them at second T. */
async function makeAll(changes: readonly object[]): Promise<{ user: string; ids: string[] }> {
  const user = `user ${++users}`
  const ids: string[] = []
  for (const [i, change] of changes.entries()) {
    server.now = (T - (changes.length - 1 - i)) * 1000
    const made = await server.ask('POST', '/admin/subscriptions', subscriptionBody({ created_by: user, ...change }))
    ids.push(made.seen.id)
  }
  return { user, ids }
}

const list = async (query: string, side = '/admin'): Promise<Seen> =>
  (await server.ask('GET', `${side}/subscriptions?${query}`)).seen
const idsOf = ({ subscriptions }: Seen): string[] => subscriptions.map(({ id }) => id)

describe('lists of subscriptions', () => {
  test('by every filter, at equality', async () => {
    const { user, ids } = await makeAll([
      { starts_at: T - 1, expires_at: T },
      { starts_at: T, expires_at: T + 1 },
      { starts_at: T + 1, expires_at: T + 2, active: false },
    ])
    const [a = '', b = '', c = ''] = ids
    const by = async (query: string) => idsOf(await list(`created-by=${encodeURIComponent(user)}&${query}`))
    expect(await by('')).toEqual([c, b, a])
    expect(await by(`before=${T - 1}`)).toEqual([b, a])
    expect(await by(`after=${T - 1}`)).toEqual([c, b])
    expect(await by(`BEFORE=${T - 1}&After=${T - 1}`)).toEqual([b])
    expect(await by('active=true')).toEqual([b, a])
    expect(await by('active=FALSE')).toEqual([c])
    expect(await by('started=true')).toEqual([b, a])
    expect(await by('started=false')).toEqual([c])
    expect(await by('expired=true')).toEqual([a])
    expect(await by('expired=false')).toEqual([c, b])
    expect(await by('expired=false&active=true')).toEqual([b])
    expect(await by('created-by-admin=true')).toEqual([c, b, a])
    expect(await by('created-by-admin=false')).toEqual([])
    await server.ask('DELETE', `/subscriptions/${b}`)
    expect(await by('deleted=true')).toEqual([b])
    expect(await by('deleted=false')).toEqual([c, a])
    expect(await by('active=&deleted=&size=&foo=bar')).toEqual([c, b, a])
    expect(await by('before=9223372036854775807&after=-9223372036854775808')).toEqual([c, b, a])
    expect(idsOf(await list('created-by=USER%201'))).toEqual([])
  })

  test('end users see what is not deleted, and filter by three properties', async () => {
    const { ids } = await makeAll([{}, { active: false }, {}])
    const [a = '', b = '', c = ''] = ids
    await server.ask('DELETE', `/subscriptions/${a}`)
    const seen = idsOf(await list('size=1000', ''))
    expect(seen).toEqual(expect.arrayContaining([b, c]))
    expect(seen).not.toContain(a)
    expect(idsOf(await list('size=1000&deleted=true&created-by=nobody&after=9999999999', ''))).toEqual(seen)
    expect(idsOf(await list('size=1000&active=false', ''))).toContain(b)
    expect(idsOf(await list(`size=1000&before=${T - 1}`, ''))).not.toContain(c)
  })

  test('pages follow each other’s links to the whole list', async () => {
    const { user, ids } = await makeAll(Array.from({ length: 7 }, () => ({})))
    const seen: string[] = []
    let href: string | undefined = `${server.base}/admin/subscriptions?created-by=${encodeURIComponent(user)}&size=3`
    let pages = 0
    while (href !== undefined) {
      const { pathname, search } = new URL(href)
      const page: Seen = (await server.ask('GET', `${pathname}${search}`)).seen
      expect(page.total).toBe(7)
      expect(page.count).toBe(page.subscriptions.length)
      seen.push(...idsOf(page))
      href = page._links.next?.href
      pages += 1
    }
    expect(pages).toBe(3)
    expect(seen).toEqual(ids.toReversed())
  })

  test('ten by default; a page past the end is empty', async () => {
    const { user, ids } = await makeAll(Array.from({ length: 11 }, () => ({})))
    const query = `created-by=${encodeURIComponent(user)}`
    const first = await list(query)
    expect([first.count, first.total, Object.keys(first._links)]).toEqual([10, 11, ['self', 'next', 'last']])
    expect(first._links.self?.href).toBe(`${server.base}/admin/subscriptions?${query}&size=10&page=1`)
    const past = await list(`${query}&page=3`)
    expect(past).toMatchObject({ count: 0, total: 11, subscriptions: [] })
    expect(past._links.prev?.href).toMatch(/size=10&page=2$/)
    expect(ids).toHaveLength(11)
  })

  test.each([
    ['page=0', 'page'],
    ['page=-1', 'page'],
    ['page=1.5', 'page'],
    ['page=x', 'page'],
    ['size=0', 'size'],
    ['size=1001', '1000'],
    ['size=1000&page=1001', '1000000'],
    ['page=1000001&size=1', '1000000'],
    ['page=9223372036854775807', '1000000'],
    ['page=9223372036854775808', 'page'],
    ['before=soon', 'before'],
    ['before=9223372036854775808', '64-bit'],
    ['active=yes', 'active'],
    ['expired=1', 'expired'],
    ['size=1&size=2', 'size'],
    ['pretty=perhaps', 'pretty'],
  ])('%s: 400 INVALID_PARAMETER', async (query, part) => {
    for (const side of ['', '/admin']) {
      const refused = await list(query, side)
      expect(refused).toMatchObject({ status: 400, error: 'INVALID_PARAMETER' })
      expect(refused.message).toContain(part)
    }
  })

  test.each(['after=soon', 'started=1', 'deleted=1', 'created-by-admin=1'])(
    '%s: 400 for administrators',
    async (query) => {
      expect((await list(query)).error).toBe('INVALID_PARAMETER')
      expect((await list(query, '')).count).toBeTypeOf('number')
    },
  )

  test('the last page that can be asked for', async () => {
    expect((await list('size=1000&page=1000')).count).toBe(0)
    expect((await list('size=1&page=1000000')).count).toBe(0)
  })
})

describe('links', () => {
  test('are made of the public URL', async () => {
    const publicUrl = 'https://geo.example.com/prefix'
    const behind = await startSubscriptionServer({ 'server.publicUrl': `${publicUrl}/` })
    const made = await behind.ask('POST', '/arlas-subscriptions-manager/subscriptions', subscriptionBody())
    expect(made.headers.location).toBe(`${publicUrl}/subscriptions/${made.seen.id}`)
    const { seen } = await behind.ask('GET', '/subscriptions?active=true&size=1&page=1')
    expect(seen._links.self?.href).toBe(`${publicUrl}/subscriptions?active=true&size=1&page=1`)
    await behind.stop()
  })
})
