import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeEach, engines } from '../support/engines.ts'
import { type Answer, call } from '../support/http-client.ts'
import { createIndex, putCollection } from '../support/index-loading.ts'
import type { RunningServer } from '../support/running-server.ts'

/** Neighbours that are one number as doubles, and the ends of a long. */
const LARGE = ['9007199254740992', '9007199254740993', '9223372036854775806', '9223372036854775807'] as const
const LEAST = '-9223372036854775808'
/** Not a long any more. */
const BEYOND = ['9223372036854775808', '-9223372036854775809', '1000000000000000000000000000000'] as const

const mapping = {
  properties: {
    id: { type: 'keyword' },
    n: { type: 'long' },
    time: { type: 'date' },
    place: { type: 'geo_point' },
  },
}
const PATHS =
  '"index_name":"large","id_path":"id","geometry_path":"place","centroid_path":"place","timestamp_path":"time"'
const documentOf = (digits: string): string => `{"id":"d${digits}","n":${digits},"time":1,"place":"1,2"}`

describeEach(engines)('integers beyond 2^53 on the $name engine', (engine) => {
  let server: RunningServer
  beforeAll(async () => {
    server = await engine.start()
    const lines = [...LARGE, LEAST].map((digits) => `{"index":{"_id":"${digits}"}}\n${documentOf(digits)}\n`)
    await createIndex(server.base, 'large', mapping, lines.join(''))
    await putCollection(server.base, 'large', JSON.parse(`{${PATHS}}`))
  })
  afterAll(() => server.stop())

  /** Text is sent as it is: JSON.stringify could not write these numbers. */
  const send = (method: string, path: string, body?: string, type = 'application/json'): Promise<Answer> =>
    call(server.base, { method, path, ...(body === undefined ? {} : { body, headers: { 'content-type': type } }) })
  const refusal = ({ status, text }: Answer): unknown => [status, (JSON.parse(text) as { error?: unknown }).error]

  async function count(op: string, value: string): Promise<unknown> {
    const get = await send('GET', `/explore/large/_count?f=n:${op}:${encodeURIComponent(value)}`)
    const filter = { f: [[{ field: 'n', op, value }]] }
    const post = await send('POST', '/explore/large/_count', JSON.stringify({ filter }))
    expect(get.text).toBe(post.text)
    return (get.json() as { readonly totalnb: unknown }).totalnb
  }

  it('filters tell neighbours apart', async () => {
    for (const [i, digits] of LARGE.entries()) {
      expect(await count('eq', digits), digits).toBe(1)
      expect(await count('ne', digits), digits).toBe(4)
      expect(await count('gt', digits), digits).toBe(3 - i)
      expect(await count('range', `[${digits}<${digits}]`), digits).toBe(1)
    }
    expect([await count('eq', LEAST), await count('gt', LEAST)]).toEqual([1, 4])
    for (const digits of BEYOND) expect(await count('eq', digits), digits).toBe(0)
  })

  it('a filter value that is a number, not a text, is refused', async () => {
    for (const digits of [...LARGE, ...BEYOND]) {
      const body = `{"filter":{"f":[[{"field":"n","op":"eq","value":${digits}}]]}}`
      expect(refusal(await send('POST', '/explore/large/_count', body))).toEqual([400, 'INVALID_BODY'])
    }
  })

  it('terms and cursors keep the digits', async () => {
    const terms = (await send('GET', '/explore/large/_aggregate?agg=term:n:order-asc:on-field')).json() as {
      readonly elements: readonly { readonly key_as_string: string }[]
    }
    expect(terms.elements.map((bucket) => bucket.key_as_string)).toEqual([LEAST, ...LARGE])
    const pages: unknown[] = []
    let path: string | undefined = '/explore/large/_search?sort=n,id&size=1'
    while (path !== undefined) {
      const page = (await send('GET', path)).json() as {
        readonly hits: readonly { readonly md: { readonly id: string } }[]
        readonly links: { readonly next?: { readonly href: string } }
      }
      pages.push(...page.hits.map(({ md }) => md.id))
      path = page.links.next?.href.slice(server.base.length)
    }
    expect(pages).toEqual([LEAST, ...LARGE].map((digits) => `d${digits}`))
  })

  it('a document written by itself keeps them, on one line or several', async () => {
    for (const digits of ['9007199254740995', '9007199254740997']) {
      const pretty = digits.endsWith('7') ? documentOf(digits).replaceAll(',"', ',\r\n  "') : documentOf(digits)
      expect((await send('PUT', `/index/large/_doc/${digits}?refresh=true`, pretty)).status).toBe(201)
      expect(await count('eq', digits)).toBe(1)
      expect((await send('DELETE', `/index/large/_doc/${digits}?refresh=true`)).status).toBe(200)
    }
    for (const digits of BEYOND) {
      const refused = await send('PUT', '/index/large/_doc/x', documentOf(digits))
      expect(refusal(refused), refused.text).toEqual([400, 'INVALID_BODY'])
      const lines = `{"index":{}}\n${documentOf(digits)}\n`
      const bulk = await send('POST', '/index/large/_bulk', lines, 'application/x-ndjson')
      expect(bulk.json()).toMatchObject({ errors: true, items: [{ index: { status: 400 } }] })
    }
  })

  it.each([...LARGE, ...BEYOND])('members of bodies that are no text are refused: %s', async (digits) => {
    const post = (operation: string, body: string) => send('POST', `/explore/large/${operation}`, body)
    const aggregate = (members: string) => post('_aggregate', `{"aggregations":[{"field":"n",${members}}]}`)
    for (const member of ['size', 'from']) {
      const answer = await post('_search', `{"page":{"${member}":${digits}}}`)
      expect(refusal(answer), answer.text).toEqual([400, 'INVALID_PARAMETER'])
    }
    expect(refusal(await aggregate(`"type":"term","size":${digits}`))).toEqual([
      400,
      digits.startsWith('-') ? 'INVALID_AGGREGATION' : 'LIMIT_EXCEEDED',
    ])
    const zoom = await aggregate(`"type":"geotile","interval":{"value":${digits}}`)
    expect(refusal(zoom), zoom.text).toEqual([400, 'INVALID_AGGREGATION'])
    for (const member of [
      `"update_max_hits":${digits}`,
      `"raster_tile_width":${digits}`,
      `"raster_tile_url":{"url":"http://tiles.test/{id}","max_z":${digits}}`,
      `"inspire":{"spatial_resolution":{"value":${digits}}}`,
    ]) {
      const answer = await send('PUT', '/collections/other', `{${PATHS},${member}}`)
      expect(refusal(answer), answer.text).toEqual([400, 'INVALID_COLLECTION'])
    }
    // What is not kept is not looked at.
    expect((await send('PUT', '/collections/other', `{${PATHS},"unknown":${digits}}`)).status).toBe(200)
  })

  it.each([...LARGE, ...BEYOND])('events are refused, and name the place: %s', async (digits) => {
    const event = `{"collection":"large","event":"UPDATE","object":{"id":${digits}}}`
    const inside = `{"collection":"large","event":"UPDATE","object":{"id":1},"document":{"a":[{"b":${digits}}]}}`
    for (const [body, type, place] of [
      [event, 'application/json', 'object.id'],
      [inside, 'application/json', 'document.a[0].b'],
      [`{"events":[${inside.replace(digits, '7')},${inside}]}`, 'application/json', 'events[1].document.a[0].b'],
      [`${event.replace(digits, '7')}\n${event}\n`, 'application/x-ndjson', 'events[1].object.id'],
    ] as const) {
      const answer = await send('POST', '/events', body, type)
      expect(refusal(answer), answer.text).toEqual([400, 'INVALID_EVENT'])
      expect(answer.text).toContain(`"${place} must be`)
      expect(answer.text).toContain(`got '${digits}'`)
    }
    expect((await send('POST', '/events', event.replace(digits, `"${digits}"`))).status).toBe(202)
  })
})
