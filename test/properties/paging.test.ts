import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Hits, idsOf, type Link } from '../conformance/hits.ts'
import { describeEach, engines } from '../support/engines.ts'
import { must, withQuery } from '../support/http-client.ts'
import type { RunningServer } from '../support/running-server.ts'
import { plainDocumentsFor } from './documents-for.ts'
import type { RandomDocument } from './oracle/documents.ts'
import { compareCodePoints } from './oracle/texts.ts'
import { loadRandom, tryWithin } from './random-index.ts'

type Key = 'kw' | 'n' | 'x' | 'flag' | 'seen'
interface SortItem {
  readonly key: Key
  readonly descending: boolean
}

const compareValues = (a: string | number | boolean, b: string | number | boolean): number =>
  typeof a === 'string' && typeof b === 'string' ? compareCodePoints(a, b) : Number(a) - Number(b)

/** Smallest value ascending, largest descending; missing last both ways. */
function compareBy({ key, descending }: SortItem, a: RandomDocument, b: RandomDocument): number {
  const pick = (d: RandomDocument): string | number | boolean | undefined => {
    const sorted = [...d[key]].sort(compareValues)
    return descending ? sorted.at(-1) : sorted[0]
  }
  const [x, y] = [pick(a), pick(b)]
  if (x === undefined || y === undefined) return Number(x === undefined) - Number(y === undefined)
  return compareValues(x, y) * (descending ? -1 : 1)
}

const sortText = (items: readonly SortItem[], idSign: string): string =>
  [...items.map((i) => `${i.descending ? '-' : ''}${i.key}`), `${idSign}id`].join(',')

const item: fc.Arbitrary<SortItem> = fc.record({
  key: fc.constantFrom<Key[]>('kw', 'n', 'x', 'flag', 'seen'),
  descending: fc.boolean(),
})

describeEach(engines)('pages on the $name engine', (engine) => {
  let server: RunningServer
  let documents: readonly RandomDocument[]
  beforeAll(async () => {
    server = await engine.start()
    documents = await loadRandom(plainDocumentsFor(engine), server.base, 'pages', 60)
  })
  afterAll(() => server?.stop())

  const follow = async ({ href, method, body }: Link): Promise<Hits> =>
    (await must(server.base, { method, path: href.slice(server.base.length), body })) as Hits

  async function firstPage(sort: string, size: number, post: boolean): Promise<Hits> {
    const request = post
      ? { method: 'POST', path: '/explore/pages/_search', body: { page: { sort, size } } }
      : {
          path: withQuery('/explore/pages/_search', [
            ['sort', sort],
            ['size', size],
          ]),
        }
    return (await must(server.base, request)) as Hits
  }

  const order = fc.record({
    items: fc.uniqueArray(item, { maxLength: 3, selector: (i) => i.key }),
    idSign: fc.constantFrom('', '-'),
    size: fc.integer({ min: 5, max: 40 }),
    post: fc.boolean(),
  })

  test('follow the order, make up the whole by next, and lead back by previous', async () => {
    await tryWithin(
      order,
      async ({ items, idSign, size, post }) => {
        const sort = sortText(items, idSign)
        const sorted = [...documents].sort((a, b) => {
          const first = items.map((i) => compareBy(i, a, b)).find((c) => c !== 0)
          return first ?? compareCodePoints(a.id, b.id) * (idSign === '-' ? -1 : 1)
        })
        const whole = sorted.map((d) => d.id)
        expect(idsOf(await firstPage(sort, 1000, post)), sort).toEqual(whole)

        let page = await firstPage(sort, size, post)
        let last = page
        const forwards = idsOf(page)
        while (page.links.next !== undefined) {
          page = await follow(page.links.next)
          expect(page.totalnb).toBe(documents.length)
          if (page.hits.length > 0) last = page
          forwards.push(...idsOf(page))
        }
        expect(forwards, `${sort} by next`).toEqual(whole)

        const backwards = idsOf(last)
        while (last.links.previous !== undefined) {
          last = await follow(last.links.previous)
          backwards.unshift(...idsOf(last))
        }
        expect(backwards, `${sort} by previous`).toEqual(whole)
      },
      60,
      20_000 * engine.share,
    )
  })

  test('from and size cut the same order', async () => {
    const cut = fc.record({
      items: fc.array(item, { maxLength: 2 }),
      from: fc.nat(70),
      size: fc.integer({ min: 1, max: 70 }),
    })
    await tryWithin(
      cut,
      async ({ items, from, size }) => {
        const sort = sortText(items, '')
        const whole = idsOf(await firstPage(sort, 1000, false))
        const path = withQuery('/explore/pages/_search', [
          ['sort', sort],
          ['size', size],
          ['from', from],
        ])
        const page = (await must(server.base, { path })) as Hits
        expect(idsOf(page)).toEqual(whole.slice(from, from + size))
        expect(page.totalnb).toBe(documents.length)
      },
      60,
      20_000 * engine.share,
    )
  })
})
