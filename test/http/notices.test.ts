import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call } from '../support/http-client.ts'
import { type GuardedServer, loadTwoCollections, startGuardedServer } from './access/guarded-server.ts'

let server: GuardedServer
beforeAll(async () => {
  server = await startGuardedServer({ 'log.level': 'silent' })
  await loadTwoCollections(server)
})
afterAll(() => server.stop())

async function noticesOf(path: string, headers: Record<string, string> = {}, more: object = {}) {
  const answer = await server.ask(path, headers, more)
  const header = answer.headers['periplus-notice']
  return { status: answer.status, notices: header === undefined ? [] : JSON.parse(`[${String(header)}]`) }
}

const secrett = 'no field `secrett`; did you mean `secret`?'

describe('Periplus-Notice', () => {
  it.each<[path: string, status: number, notices: readonly string[]]>([
    ['_search?f=secret:eq:s1&sort=id&include=secret', 200, []],
    ['_search?f=$timestamp:gt:0&q=nothing:a&include=s*', 200, []],
    ['_count?f=secrett:ne:x', 200, [secrett]],
    ['_search?include=secrett', 200, [secrett]],
    ['_search?filter=secrett%20IS%20NULL', 400, [secrett]],
    ['_search?sort=secrett', 404, [secrett]],
    ['_aggregate?agg=term:secrett', 200, [secrett]],
    ['_compute?field=secrett&metric=cardinality', 200, [secrett]],
    ['_search?format=csv&f=secrett:ne:x', 200, [secrett]],
    ['_search?sise=2&Size=1&Pretty=', 200, ['no parameter `sise`; did you mean `size`?']],
    ['_describe?prety=true', 200, ['no parameter `prety`; did you mean `pretty`?']],
    ['_count?f=d%C3%A9partement:ne:x&a%0D%0Ab=%22', 200, ['no field `d%C3%A9partement`', 'no parameter `a%0D%0Ab`']],
  ])('of %s', async (path, status, notices) => {
    const found = await noticesOf(`/explore/shut/${path}`)
    expect(found).toEqual({ status, notices })
    expect((await noticesOf(`/explore/shut/${path}`, {}, { method: 'HEAD' })).notices).toEqual(notices)
    expect((await noticesOf(`/arlas/explore/shut/${path}`)).notices).toEqual(notices)
  })

  it('comes with answers from the cache, with 304, and only with the request it belongs to', async () => {
    const path = '/explore/shut/_count?f=secrett:ne:x'
    const first = await server.ask(path)
    const again = await server.ask(path, { 'if-none-match': String(first.headers.etag) })
    expect([again.status, again.headers['periplus-notice']]).toEqual([304, `"${secrett}"`])
    // the same plan, which is answered from the cache
    expect((await noticesOf('/explore/shut/_count?f=secret2:ne:x')).notices).toEqual([
      'no field `secret2`; did you mean `secret`?',
    ])
    expect((await noticesOf('/explore/shut/_count')).notices).toEqual([])
  })

  it('is for pages of other origins too, and for POST', async () => {
    const body = JSON.stringify({ filter: { f: [[{ field: 'secrett', op: 'ne', value: 'x' }]] } })
    const answer = await call(server.base, {
      method: 'POST',
      path: '/explore/shut/_count?f=x:eq:1',
      headers: { origin: 'http://localhost:3000', 'content-type': 'application/json' },
      body,
    })
    expect(answer.headers['periplus-notice']).toBe(`"${secrett}", "no parameter \`f\`"`)
    expect(String(answer.headers['access-control-expose-headers'])).toContain('periplus-notice')
  })

  it('does not name fields the caller may not see', async () => {
    const narrowed = await noticesOf('/explore/shut/_search?include=secrett', {
      'column-filter': 'shut:id,shut:secrett',
    })
    expect(narrowed).toEqual({ status: 200, notices: ['no field `secrett`'] })
    // whether it exists is not told
    const refused = await noticesOf('/explore/shut/_count?f=secrett:ne:x', { 'column-filter': 'shut:id' })
    expect(refused).toEqual({ status: 403, notices: [] })
  })

  it('is bounded', async () => {
    const many = Array.from({ length: 500 }, (_, n) => `f=unknown${n}:ne:x`).join('&')
    const { notices } = await noticesOf(`/explore/shut/_count?${many}&${'y'.repeat(20_000)}=1`)
    expect([notices.length, notices.at(-1)]).toEqual([6, '496 more'])
  })

  it('is not about parameters of other routes', async () => {
    expect((await noticesOf('/collections?unknown=1')).notices).toEqual([])
  })
})
