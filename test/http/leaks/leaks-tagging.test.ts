import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeEach, engines } from '../../support/engines.ts'
import type { GuardedServer } from '../access/guarded-server.ts'
import { finished, post, type State } from '../tagging/tagging-client.ts'
import { startTwoWorlds, type TwoWorlds, tenantA } from './two-worlds.ts'

/** Tenant A with a field for tags among its columns. */
const ofA = { ...tenantA, 'column-filter': `${tenantA['column-filter']},shared:labels` }
const labels = (value: string) => ({ path: 'labels', value })

describeEach(engines)('on the $name engine, what tenant A tags', (engine) => {
  let worlds: TwoWorlds
  beforeAll(async () => {
    worlds = await startTwoWorlds(engine)
    for (const world of [worlds.whole, worlds.without]) {
      world.carryOut()
      // One value all documents have: a way from those of A to those of B.
      await apply(
        world,
        '_tag',
        { tag: labels('all'), filter: { f: [[{ field: 'tenant', op: 'eq', value: 'A' }]] } },
        {},
      )
    }
    const rest = ['0', '3'].map((from) => ({ field: 'id', op: 'range', value: `[B${from}<B${Number(from) + 2}]` }))
    for (const expression of rest) {
      await apply(worlds.whole, '_tag', { tag: labels('all'), filter: { f: [[expression]] } }, {})
    }
    expect(await idsWith(worlds.whole, 'all')).toHaveLength(10)
  })
  afterAll(() => worlds?.stop())

  async function apply(
    world: GuardedServer,
    operation: '_tag' | '_untag',
    body: unknown,
    headers: Readonly<Record<string, string>> = ofA,
  ): Promise<State> {
    const answer = await post(world.base, `/write/shared/${operation}`, body, headers)
    expect(answer.status, answer.text).toBe(200)
    return finished(world.base, 'shared', (answer.json() as State).id)
  }

  /** Of all documents, by whoever may see them. */
  async function idsWith(world: GuardedServer, label: string): Promise<readonly string[]> {
    const answer = await world.ask(`/explore/shared/_search?f=labels:eq:${label}&size=100&sort=id`)
    const { hits } = answer.json() as { readonly hits: readonly { readonly md: { readonly id: string } }[] }
    return hits.map(({ md }) => md.id)
  }

  const everything = ['A0', 'A1', 'A2', 'A3']

  test.each([
    ['a tag without a search', { tag: labels('t1') }, 't1', everything],
    [
      'a search for what A has not',
      { tag: labels('t2'), search: { filter: { f: [[{ field: 'seen', op: 'ne', value: 'av0' }]] } } },
      't2',
      ['A1', 'A3'],
    ],
    [
      'partition filters of its own',
      { tag: labels('t3'), partitionFilter: [{}, { f: [[{ field: 'id', op: 'eq', value: 'B1' }]] }] },
      't3',
      everything,
    ],
    [
      'only documents of others',
      { tag: labels('t4'), filter: { f: [[{ field: 'id', op: 'like', value: 'B.*' }]] } },
      't4',
      [],
    ],
    [
      'a propagation over a value that all have',
      { tag: labels('t5'), propagation: { field: 'labels' } },
      't5',
      everything,
    ],
    [
      'a propagation from documents of others',
      {
        tag: labels('t6'),
        filter: { f: [[{ field: 'id', op: 'eq', value: 'B1' }]] },
        propagation: { field: 'labels' },
      },
      't6',
      [],
    ],
  ])('%s stays among its documents', async (_title, body, label, ids) => {
    const [whole, without] = await Promise.all([apply(worlds.whole, '_tag', body), apply(worlds.without, '_tag', body)])
    const told = ({ updated, failed, propagated, nbRequest, failures }: State) => ({
      updated,
      failed,
      propagated,
      nbRequest,
      failures,
    })
    expect(told(whole)).toEqual(told(without))
    expect(whole.failed).toBe(0)
    expect(await idsWith(worlds.whole, label)).toEqual(ids)
  })

  test('an untag leaves the others what they have', async () => {
    await apply(worlds.whole, '_untag', { tag: { path: 'labels' } })
    expect(await idsWith(worlds.whole, 'all')).toEqual(['B0', 'B1', 'B2', 'B3', 'B4', 'B5'])
  })

  test('hidden columns, and collections of others, are closed', async () => {
    for (const path of ['leak_key', 'obj.leak_inner', 'tenant', 'nowhere']) {
      const answer = await post(worlds.whole.base, '/write/shared/_tag', { tag: { path, value: 'x' } }, ofA)
      expect(answer.json()).toMatchObject({ error: 'COLUMN_NOT_AVAILABLE', message: `Column ${path} is not available` })
    }
    for (const path of ['/write/private/_tag', '/write/private/_tagreplay?offset=0']) {
      expect((await post(worlds.whole.base, path, { tag: labels('x') }, ofA)).json()).toMatchObject({
        error: 'COLLECTION_NOT_AVAILABLE',
      })
    }
    for (const path of ['/status/private/_taglist', '/status/private/_tag/x']) {
      expect((await worlds.whole.ask(path, ofA)).json()).toMatchObject({ error: 'COLLECTION_NOT_AVAILABLE' })
    }
  })

  test('messages and logs say nothing of the filter that narrows it', async () => {
    const from = worlds.whole.lines.length
    const filter = '{"f":[[{"field":"amount","op":"eq","value":"hush"}]]}'
    for (const header of [filter, filter.slice(0, -1), '{"shared":{"hush":1}}', '["hush"]']) {
      const headers = { ...ofA, 'partition-filter': header }
      const answer = await post(worlds.whole.base, '/write/shared/_tag', { tag: labels('x') }, headers)
      expect(answer.json()).toMatchObject({ status: 400, error: 'INVALID_FILTER' })
      expect(answer.text).not.toContain('hush')
    }
    expect(JSON.stringify(worlds.whole.lines.slice(from))).not.toContain('hush')
  })
})
