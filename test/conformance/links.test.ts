import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { describeEach, engines } from '../support/engines.ts'
import { call, must, withQuery } from '../support/http-client.ts'
import type { RunningServer } from '../support/running-server.ts'
import { edge } from './dataset.ts'
import { loadEdge } from './fixtures.ts'
import { type Hits, idsOf, type Link } from './hits.ts'

/** Ids and labels of the small set hold commas, semicolons, slashes, backslashes are escaped in cursors. */
const sorts = ['id', '-id', 'label,id', '-label,-id', 'score,rank,id', '-seen,id', 'rank,-score,id', 'flag,label,-id']

describeEach(engines)('links on the $name engine', (engine) => {
  let server: RunningServer
  beforeAll(async () => {
    server = await engine.start()
    await loadEdge(server.base, 'edge')
  })
  afterAll(() => server?.stop())

  async function follow({ href, method, body }: Link): Promise<Hits> {
    expect(href.startsWith(`${server.base}/`)).toBe(true)
    return (await must(server.base, { method, path: href.slice(server.base.length), body })) as Hits
  }
  const first = {
    GET: async (sort: string, size: number): Promise<Hits> => {
      const path = withQuery('/explore/edge/_search', [
        ['sort', sort],
        ['size', size],
      ])
      return (await must(server.base, { path })) as Hits
    },
    POST: async (sort: string, size: number): Promise<Hits> => {
      const body = { page: { sort, size } }
      return (await must(server.base, { method: 'POST', path: '/explore/edge/_search', body })) as Hits
    },
  }

  describe.each(['GET', 'POST'] as const)('%s', (method) => {
    test.each(sorts)('next pages of sort=%s make the whole, previous pages lead back', async (sort) => {
      const whole = idsOf(await first[method](sort, 100))
      expect(whole).toHaveLength(edge.documents().length)
      const forwards: Hits[] = []
      let page: Hits | undefined = await first[method](sort, 3)
      while (page !== undefined) {
        forwards.push(page)
        page = page.links.next === undefined ? undefined : await follow(page.links.next)
      }
      expect(forwards.flatMap(idsOf)).toEqual(whole)

      const backwards: Hits[] = []
      page = forwards.findLast((p) => p.hits.length > 0)
      while (page?.links.previous !== undefined) {
        page = await follow(page.links.previous)
        backwards.unshift(page)
      }
      expect(backwards.flatMap(idsOf)).toEqual(whole.slice(0, backwards.flatMap(idsOf).length))
      expect(backwards.flatMap(idsOf).length).toBeGreaterThan(whole.length - 4)
    })

    test('self gives the same page again', async () => {
      const page = await first[method]('-seen,id', 4)
      const self = page.links.self
      expect(self).toBeDefined()
      if (self !== undefined) expect(await follow(self)).toEqual(page)
    })
  })

  test('a link keeps the alias prefix it was asked under', async () => {
    const answer = await call(server.base, { path: '/arlas/explore/edge/_search?sort=id&size=2' })
    const { links } = answer.json() as Hits
    expect(links.self?.href).toBe(`${server.base}/arlas/explore/edge/_search?sort=id&size=2`)
    expect(links.next?.href.startsWith(`${server.base}/arlas/explore/edge/_search?`)).toBe(true)
  })

  test('next keeps the other parameters and drops from', async () => {
    const query = 'f=rank:gte:1&sort=id&size=2&from=0&include=label&flat=true'
    const { links } = (await must(server.base, { path: `/explore/edge/_search?${query}` })) as Hits
    const next = new URL(links.next?.href ?? '')
    expect([...next.searchParams].sort()).toEqual([
      ['after', 'a;2'],
      ['f', 'rank:gte:1'],
      ['flat', 'true'],
      ['include', 'label'],
      ['size', '2'],
      ['sort', 'id'],
    ])
  })
})
