import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { WireObject } from '../../../cluster-client/cluster-client.ts'
import type { JsonObject } from '../../../model/json/document.ts'
import type { Mapping } from '../../../model/mapping.ts'
import type { SuggestPlan } from '../../../query/plan/aggregation-plan.ts'
import { everything, type Predicate } from '../../../query/plan/predicate.ts'
import { type LoadedEngine, loadEngine } from '../../duckdb/storage-states.fixture.ts'
import { clusterUnderTest } from '../cluster-under-test.fixture.ts'
import { dropTestIndices, makeTestIndex } from '../test-index.fixture.ts'
import { suggest } from './suggest.ts'

const mapping: Mapping = {
  dynamic: false,
  properties: {
    id: { type: 'keyword' },
    job: { type: 'keyword' },
    tags: { type: 'keyword' },
    note: { type: 'text' },
    listed: { type: 'text' },
    deep: { properties: { note: { type: 'text' } } },
    n: { type: 'integer' },
  },
}

/** Same mapping for a cluster, with fielddata for some texts. */
const clusterMapping: WireObject = {
  id: { type: 'keyword' },
  job: { type: 'keyword' },
  tags: { type: 'keyword' },
  note: { type: 'text', fields: { words: { type: 'text' }, raw: { type: 'keyword' } } },
  listed: { type: 'text', fielddata: true },
  deep: { properties: { note: { type: 'text' } } },
  n: { type: 'integer' },
}

const JOBS = [
  'Actor',
  'Coach',
  'Coder',
  'Cost Estimator',
  'coder',
  'a.coder',
  'a. coder',
  'co-driver',
  'x/coder',
  '_coder',
  "d'oder",
  '"Code" (%_\\)',
  'a\nCoda',
  'ΟΔΟΣ',
  'Étoile',
  'étoile',
  'écoder',
  'İzmir',
  'izmir',
  '\u212aelvin',
  '東京',
  '😀 code',
  '𐐀𐐁',
  '\uffee',
  '',
  ' ',
  `${'a'.repeat(254)}ecode`,
]
const NOTES = [
  'Ice and ice and ICE',
  ['co-op', 'the co op', "name:is l'étoile"],
  'İce Σ 東京 3.14',
  '',
  ['', 'Cold'],
  [],
  'code coder code',
  null,
  42,
]

const documents: readonly JsonObject[] = Array.from({ length: 240 }, (_, i): JsonObject => {
  const note = NOTES[i % NOTES.length] ?? null
  return {
    id: `Doc-${i % 230}.x${i % 9}`,
    job: i === 150 ? 'Tag 0' : i % 13 === 0 ? null : (JOBS[(i * 7) % JOBS.length] ?? null),
    tags: i < 120 ? `Tag ${i % 6}` : i % 3 === 0 ? [`Tag ${i % 6}`, `Co${i % 2}`, `Tag ${i % 6}`] : [],
    note,
    listed: note,
    ...(i % 3 === 0 ? { 'deep.note': note } : { deep: [{ note }, { note: 'deep' }] }),
    n: i,
  }
})

/** Lacks `tags`, and has `note` with another type. */
const other: readonly JsonObject[] = Array.from({ length: 30 }, (_, i) => ({
  job: JOBS[i % 4] ?? null,
  note: 'Coder',
  id: `Doc-${i}`,
}))
const otherMapping: Mapping = {
  dynamic: false,
  properties: { job: { type: 'keyword' }, note: { type: 'keyword' }, id: { type: 'keyword' } },
}

interface Named {
  readonly field: string
  readonly text: string
  readonly count: number
}

describe('suggesting terms', () => {
  const context = clusterUnderTest()
  const indices: string[] = []
  let embedded: LoadedEngine

  beforeAll(async () => {
    embedded = await loadEngine('in a tail', [
      { name: 'a', mapping, documents },
      { name: 'b', mapping: otherMapping, documents: other },
    ])
    indices.push(await makeTestIndex(context, 'suggest', clusterMapping, documents, 3))
    const { properties } = otherMapping
    indices.push(await makeTestIndex(context, 'suggest', properties as unknown as WireObject, other))
  })
  afterAll(async () => {
    await dropTestIndices(context, indices)
    await embedded.close()
  })

  const all = ['id', 'job', 'tags', 'note', 'listed', 'deep.note']

  const planOf = (paths: readonly string[], prefix: string, size: number, predicate: Predicate): SuggestPlan => ({
    indices: indices.slice(0, 1),
    predicate,
    fields: paths.map(embedded.field),
    prefix,
    size,
  })

  const named = (found: Awaited<ReturnType<typeof suggest>>): readonly Named[] =>
    found.map(({ field, text, count }) => ({ field: field.path, text, count }))

  const compare = async (plan: SuggestPlan): Promise<readonly Named[]> => {
    const names = plan.indices.map((index) => ['a', 'b'][indices.indexOf(index)] ?? '')
    const expected = named(await embedded.engine.suggest({ ...plan, indices: names }))
    expect(named(await suggest(context, plan))).toEqual(expected)
    return expected
  }

  const ordinary = ['', 'c', 'co', 'code', 'cost e', 'est', 'is', 'e', 'oder', 'x1', 'none', 'doc-1', 'deep']
  const marks = ['_', '%', '.', '"', '(', ' ', '\n', 'co op', '\\', '#', '@', '<', '~', '&', '-', ']', '^', '*', '{']
  const unusual = ['é', 'ét', 'οδοσ', 'σ', 'i', 'iz', 'k', '東', '京', '😀', '𐐨', '\uffee', '3', '1', 'ecode', '4']

  it.each([...ordinary, ...marks, ...unusual])('that begin with %j', async (prefix) => {
    await compare(planOf(all, prefix, 1000, everything))
    await compare(planOf(all, prefix, 3, everything))
  })

  it('finds what it is meant to find', async () => {
    const found = await suggest(context, planOf(['job', 'note'], 'ic', 5, everything))
    expect(named(found)).toEqual([{ field: 'note', text: 'ice', count: 54 }])
    const coder = named(await suggest(context, planOf(['job'], 'cod', 100, everything))).map(({ text }) => text)
    expect(coder).toEqual(expect.arrayContaining(['Coder', 'coder', 'a. coder', 'x/coder', '"Code" (%_\\)']))
    expect(coder).toContain(`${'a'.repeat(254)}ecode`)
    for (const absent of ['écoder', 'a.coder', '_coder']) expect(coder).not.toContain(absent)
  })

  it('of the documents selected only', async () => {
    const some: Predicate = {
      kind: 'range',
      field: embedded.field('n'),
      lower: { value: 50n, inclusive: true },
      upper: { value: 180n, inclusive: false },
    }
    for (const prefix of ['', 'co', 't']) await compare(planOf(all, prefix, 1000, some))
    expect(await compare(planOf(all, 'co', 10, { kind: 'nothing' }))).toEqual([])
  })

  it('added up over indices, where they have the field as it is', async () => {
    for (const prefix of ['', 'co', 'doc', 'tag']) {
      await compare({ ...planOf(all, prefix, 1000, everything), indices })
    }
    const lacking = { ...planOf(['tags', 'note'], 'co', 10, everything), indices: indices.slice(1) }
    expect(await compare(lacking)).toEqual([])
  })

  it('in the order of the fields where all else is equal', async () => {
    const one: Predicate = { kind: 'equals', field: embedded.field('n'), values: [150n] }
    const forth = await compare(planOf(['tags', 'job'], '', 10, one))
    const back = await compare(planOf(['job', 'tags'], '', 10, one))
    expect(forth).not.toEqual(back)
  })

  it('of sub-fields, from where the documents have them', async () => {
    const { fields } = planOf(['note', 'job'], '', 10, everything)
    const words = fields.slice(0, 1).map((field) => ({ ...field, path: 'note.words' }))
    const raw = fields.slice(1).map((field) => ({ ...field, path: 'note.raw' }))
    const plan = planOf(['note'], 'co', 10, everything)
    const expected = named(await suggest(context, plan)).map((one) => ({ ...one, field: 'note.words' }))
    expect(expected).not.toEqual([])
    expect(named(await suggest(context, { ...plan, fields: words }))).toEqual(expected)
    const rawTerms = named(await suggest(context, { ...plan, fields: raw, prefix: 'the' }))
    expect(rawTerms).toEqual([{ field: 'note.raw', text: 'the co op', count: 27 }])
  })

  it('reads no more documents than allowed, and none where the cluster lists the tokens', async () => {
    const strict = { ...context, limits: { scan: 10 } }
    await expect(suggest(strict, planOf(['note'], 'ice', 10, everything))).rejects.toMatchObject({
      code: 'NOT_IMPLEMENTED',
    })
    expect(await suggest(strict, planOf(['listed', 'job'], 'ice', 10, everything))).toHaveLength(1)
  })

  it('has nothing for a text that no document can have', async () => {
    expect(await suggest(context, planOf(all, '\ud83d', 10, everything))).toEqual([])
    expect(await suggest(context, planOf(all, 'é'.repeat(4000), 10, everything))).toEqual([])
  })

  it('ends when it is told to', async () => {
    const reason = new Error('left')
    await expect(suggest(context, planOf(all, '', 10, everything), AbortSignal.abort(reason))).rejects.toThrow('left')
  })
})
