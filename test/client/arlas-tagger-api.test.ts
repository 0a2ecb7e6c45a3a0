import { Expression, StatusApi, type UpdateResponse, WriteApi } from 'arlas-tagger-api/api.js'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { loadSample } from '../conformance/fixtures.ts'
import { describeEach, engines } from '../support/engines.ts'
import { must } from '../support/http-client.ts'
import { PATIENT } from '../support/patience.ts'
import type { RunningServer } from '../support/running-server.ts'

const jobs = (value: string) => ({ f: [[{ field: 'params.job', op: Expression.OpEnum.Eq, value }]] })
const tag = { path: 'params.tags', value: 'v1' }

describeEach(engines)('npm arlas-tagger-api against the $name engine', (engine) => {
  let server: RunningServer
  let write: WriteApi
  let status: StatusApi

  beforeAll(async () => {
    server = await engine.start()
    await loadSample(server.base)
    const send = (url: string, init?: RequestInit): Promise<Response> => fetch(url, init)
    // The package's own default prefix: what dashboards call.
    write = new WriteApi(undefined, `${server.base}/arlas_tagger`, send)
    status = new StatusApi(undefined, `${server.base}/arlas_tagger`, send)
  })
  afterAll(() => server?.stop())

  /** As dashboards do: they ask again until progress is 100. */
  async function finished({ id = '' }: UpdateResponse, collection = 'geodata'): Promise<UpdateResponse> {
    const until = Date.now() + PATIENT.timeout
    for (;;) {
      const state = await status.taggingGet(collection, id, false)
      if (state.progress === 100) return state
      if (Date.now() > until) throw new Error(`not finished: ${JSON.stringify(state)}`)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }

  const count = async (f: string): Promise<unknown> => {
    const counted = await must(server.base, { path: `/explore/geodata/_count?f=${f}` })
    return (counted as { readonly totalnb: number }).totalnb
  }

  test('tagPost, then taggingGet until it is done', async () => {
    const body = { tag, label: 'pinktag', search: { filter: jobs('Actor') } }
    const accepted = await write.tagPost('geodata', body, false)
    expect(accepted).toMatchObject({ label: 'pinktag', action: 'ADD', progress: 0, propagated: -1 })
    expect(await finished(accepted)).toMatchObject({ id: accepted.id, updated: 59, failed: 0, propagated: 1 })
    expect(await count('params.tags:eq:v1')).toBe(59)
  })

  test('tagPost with everything the typings have', async () => {
    const body = {
      partition_filter: [jobs('Actor,Coder,Coach')],
      filter: jobs('Actor,Coder'),
      form: { pretty: true, flat: false },
      search: {
        partition_filter: [jobs('Coder')],
        filter: {},
        form: {},
        page: { size: 1 },
        projection: { includes: 'id' },
      },
      tag: { path: 'params.tags', value: 7 },
      propagation: { field: 'params.job', filter: {} },
      label: 'all of it',
    }
    expect(await finished(await write.tagPost('geodata', body, true))).toMatchObject({ updated: 62, propagated: 1 })
  })

  test('untagPost of one value, and of all', async () => {
    const one = await write.untagPost('geodata', { tag, search: { filter: jobs('Actor') } })
    expect(one.action).toBe('REMOVE')
    expect(await finished(one)).toMatchObject({ updated: 59 })
    expect(await count('params.tags:eq:v1')).toBe(0)
    const all = await write.untagPost('geodata', { tag: { path: 'params.tags' } }, true)
    expect(all.action).toBe('REMOVEALL')
    expect(await finished(all)).toMatchObject({ updated: 595 })
  })

  test('taggingGetList, and tagReplay from one of its offsets', async () => {
    const list = await status.taggingGetList('geodata', false)
    expect(list.map(({ action }) => action)).toEqual(['ADD', 'ADD', 'REMOVE', 'REMOVEALL'])
    expect(list[0]).toMatchObject({ collection: 'geodata', label: 'pinktag', tag, propagated: -1 })
    const last = list[3]
    expect(await write.tagReplay('geodata', last?.offset ?? -1, false)).toBe(last?.offset)
    expect(await finished({ id: last?.id ?? '' })).toMatchObject({ action: 'REMOVEALL', updated: 595 })
    expect(await status.taggingGetList('geodata')).toEqual(list)
  })

  test('refusals reject with the response', async () => {
    const refused = async (work: Promise<unknown>): Promise<unknown> => {
      const response: unknown = await work.catch((answer: unknown) => answer)
      return response instanceof Response
        ? [response.status, ((await response.json()) as { error: string }).error]
        : response
    }
    expect(await refused(write.tagPost('nowhere', { tag }))).toEqual([404, 'COLLECTION_NOT_FOUND'])
    expect(await refused(write.tagPost('geodata'))).toEqual([400, 'INVALID_TAG'])
    expect(await refused(write.untagPost('geodata', { tag: { path: 'id' } }))).toEqual([400, 'FIELD_NOT_TAGGABLE'])
    expect(await refused(write.tagReplay('nowhere', 0))).toEqual([404, 'COLLECTION_NOT_FOUND'])
    expect(await refused(status.taggingGet('geodata', 'nope'))).toEqual([404, 'TAG_REQUEST_NOT_FOUND'])
    expect(await refused(status.taggingGetList('nowhere'))).toEqual([404, 'COLLECTION_NOT_FOUND'])
  })
})
