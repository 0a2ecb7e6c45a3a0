import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { describeEach } from '../../support/engines.ts'
import { must } from '../../support/http-client.ts'
import { createIndex, putCollection } from '../../support/index-loading.ts'
import type { RunningServer } from '../../support/running-server.ts'
import { tagLogs } from '../../support/tag-logs.ts'
import { finished, listed, post, type State, tagged } from './tagging-client.ts'

const mappings = {
  properties: {
    id: { type: 'keyword' },
    tags: { type: 'keyword' },
    n: { type: 'long' },
    levels: { type: 'long' },
    where: { type: 'geo_point' },
    time: { type: 'date' },
  },
}
const document = (id: string, n: number): string =>
  `{"index":{"_id":"${id}"}}\n{"id":"${id}","n":${n},"levels":[9007199254740993]}\n`

describeEach(await tagLogs())('tag requests on $where', ({ start }) => {
  let server: RunningServer
  let base: string
  beforeAll(async () => {
    server = await start()
    base = server.base
    await createIndex(base, 'ships', mappings, document('a', 1) + document('b', 2))
    const paths = { id_path: 'id', geometry_path: 'where', centroid_path: 'where', timestamp_path: 'time' }
    for (const name of ['odd', 'even', 'whole', 'large']) {
      await putCollection(base, name, { index_name: 'ships', ...paths, taggable_fields: 'tags,levels' })
    }
  })
  afterAll(() => server?.stop())

  test('are listed from an offset of the log, whichever collection has it', async () => {
    for (let i = 0; i < 6; i++) {
      const name = i % 2 === 0 ? 'even' : 'odd'
      expect((await post(base, `/write/${name}/_tag`, { tag: { path: 'tags', value: `v${i}` } })).status).toBe(200)
    }
    const offsets = async (name: string, query: string): Promise<readonly unknown[]> => {
      const list = await must(base, { path: `/status/${name}/_taglist${query}` })
      return (list as readonly { readonly offset: number }[]).map(({ offset }) => offset)
    }
    const first = Number((await listed(base, 'even'))[0]?.offset)
    const [even, odd] = [
      [first, first + 2, first + 4],
      [first + 1, first + 3, first + 5],
    ]
    expect(await offsets('even', '')).toEqual(even)
    expect(await offsets('odd', '')).toEqual(odd)
    // An offset of the other collection lies between two of its own.
    expect(await offsets('even', `?from=${first + 1}`)).toEqual(even.slice(1))
    expect(await offsets('even', `?from=${first + 2}`)).toEqual(even.slice(1))
    expect(await offsets('odd', `?from=${first + 2}&size=1`)).toEqual(odd.slice(1, 2))
    expect(await offsets('odd', `?from=${first + 5}`)).toEqual(odd.slice(2))
    expect(await offsets('even', `?from=${first + 5}`)).toEqual([])
  })

  test('need no more than a search and a tag', async () => {
    const search = { filter: { f: [[{ field: 'n', op: 'eq', value: '2' }]] } }
    const tag = { path: 'tags', value: 'alone' }
    const { id } = await tagged(base, 'whole', { search, tag })
    expect(await finished(base, 'whole', id)).toMatchObject({ action: 'ADD', updated: 1, nbRequest: 1, propagated: 1 })
    const [shown] = await listed(base, 'whole')
    const { creationTime, offset, ...rest } = shown ?? {}
    expect([typeof creationTime, typeof offset]).toEqual(['number', 'number'])
    expect(rest).toEqual({ id, action: 'ADD', collection: 'whole', propagated: -1, search, tag })
    expect(await must(base, { path: '/explore/whole/_count?f=tags:eq:alone' })).toMatchObject({ totalnb: 1 })
  })

  describe('with a large integer', () => {
    const send = (operation: string, value: string) =>
      post(base, `/write/large/${operation}`, `{"tag":{"path":"levels","value":${value}}}`)

    test.each([
      '9007199254740992',
      '9007199254740993',
      '-9007199254740993',
      '9223372036854775807',
      '9223372036854775808',
      '1'.repeat(40),
    ])('%s are refused as they were sent', async (value) => {
      for (const operation of ['_tag', '_untag']) {
        const answer = await send(operation, value)
        expect(answer.json()).toMatchObject({ status: 400, error: 'INVALID_TAG' })
        expect((answer.json() as { readonly message: string }).message).toContain(`got '${value}'`)
      }
      expect(await listed(base, 'large')).toEqual([])
    })

    test('keep those a document has', async () => {
      for (const [operation, value] of [
        ['_tag', '9007199254740991'],
        ['_tag', '-9007199254740991'],
        ['_untag', '9007199254740991'],
      ] as const) {
        const answer = await send(operation, value)
        expect(await finished(base, 'large', (answer.json() as State).id)).toMatchObject({ updated: 2, failed: 0 })
      }
      const counts = ['9007199254740993', '9007199254740992', '9007199254740991', '-9007199254740991'].map((value) =>
        must(base, { path: `/explore/large/_count?f=levels:eq:${value}` }),
      )
      expect(await Promise.all(counts)).toMatchObject([2, 0, 0, 2].map((totalnb) => ({ totalnb })))
    })
  })
})
