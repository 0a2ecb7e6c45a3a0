import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../model/json/document.ts'
import type { Mapping } from '../../../model/mapping.ts'
import { everything, type Predicate } from '../../../query/plan/predicate.ts'
import { tokenize } from '../../../query/text/text-analysis.ts'
import { beginsWord } from '../../../query/text/word-starts.ts'
import { compareCodePoints } from '../../../query/value/code-point-order.ts'
import { type LoadedEngine, listOf, loadEngine, storageStates } from '../storage-states.fixture.ts'

const mapping: Mapping = {
  dynamic: false,
  properties: {
    id: { type: 'keyword' },
    job: { type: 'keyword' },
    tags: { type: 'keyword' },
    note: { type: 'text' },
    n: { type: 'integer' },
  },
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
  'İzmir',
  'izmir',
  '東京',
  '😀 code',
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
]

/** Documents of the first half have at most one tag, so that the first with several come later. */
const documents: readonly JsonObject[] = Array.from(
  { length: 240 },
  (_, i): JsonObject => ({
    id: `Doc-${i % 230}.x${i % 9}`,
    job: i === 150 ? 'Tag 0' : i % 13 === 0 ? null : (JOBS[(i * i) % JOBS.length] ?? null),
    tags: i < 120 ? `Tag ${i % 6}` : i % 3 === 0 ? [`Tag ${i % 6}`, `Co${i % 2}`, `Tag ${i % 6}`] : [],
    note: NOTES[i % NOTES.length] ?? null,
    n: i,
  }),
)

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

interface Term {
  readonly field: string
  readonly text: string
  readonly count: number
}

/** Computes the expected terms directly from the documents. */
function expected(paths: readonly string[], prefix: string, size: number, chosen: readonly JsonObject[]): Term[] {
  const terms = paths.flatMap((field) => {
    const counts = new Map<string, number>()
    for (const document of chosen) {
      const values = listOf(document[field]).map(String)
      const matching = field === 'note' ? values.flatMap(tokenize) : values
      for (const text of new Set(matching)) counts.set(text, (counts.get(text) ?? 0) + 1)
    }
    return [...counts].map(([text, count]) => ({ field, text, count })).filter(({ text }) => beginsWord(text, prefix))
  })
  return terms
    .sort(
      (a, b) =>
        b.count - a.count || compareCodePoints(a.text, b.text) || paths.indexOf(a.field) - paths.indexOf(b.field),
    )
    .slice(0, size)
}

describe.each(storageStates)('suggesting terms of documents %s', (state) => {
  let loaded: LoadedEngine

  beforeAll(async () => {
    loaded = await loadEngine(state, [
      { name: 'a', mapping, documents },
      { name: 'b', mapping: otherMapping, documents: other },
    ])
  })
  afterAll(() => loaded.close())

  const suggest = async (
    paths: readonly string[],
    prefix: string,
    size: number,
    predicate: Predicate = everything,
    indices: readonly string[] = ['a'],
  ): Promise<Term[]> => {
    const fields = paths.map(loaded.field)
    const found = await loaded.engine.suggest({ indices, predicate, fields, prefix, size })
    return found.map(({ field, text, count }) => ({ field: field.path, text, count }))
  }

  const all = ['id', 'job', 'tags', 'note']
  const prefixes = [
    '',
    'c',
    'co',
    'code',
    'cost e',
    'est',
    'is',
    'e',
    'oder',
    '_',
    '%',
    '.',
    '"',
    '(',
    ' ',
    '\n',
    'co op',
  ]
  const unusual = [
    'é',
    'ét',
    'οδοσ',
    'σ',
    'i',
    'iz',
    '東',
    '京',
    '😀',
    '\uffee',
    '3',
    '1',
    'ecode',
    'doc-1',
    'x1',
    'none',
  ]

  it.each([...prefixes, ...unusual])('that begin with %j', async (prefix) => {
    for (const path of all)
      expect(await suggest([path], prefix, 1000)).toEqual(expected([path], prefix, 1000, documents))
    expect(await suggest(all, prefix, 1000)).toEqual(expected(all, prefix, 1000, documents))
    expect(await suggest(all, prefix, 3)).toEqual(expected(all, prefix, 3, documents))
  })

  it('of the documents selected only', async () => {
    const predicate: Predicate = {
      kind: 'range',
      field: loaded.field('n'),
      lower: { value: 50n, inclusive: true },
      upper: { value: 180n, inclusive: false },
    }
    const chosen = documents.slice(50, 180)
    for (const prefix of ['', 'co', 't'])
      expect(await suggest(all, prefix, 1000, predicate)).toEqual(expected(all, prefix, 1000, chosen))
    expect(await suggest(all, 'co', 10, { kind: 'nothing' })).toEqual([])
  })

  it('of documents found by their identifier', async () => {
    const predicate: Predicate = { kind: 'equals', field: loaded.field('id'), values: ['Doc-3.x3', 'Doc-200.x2'] }
    const chosen = documents.filter((d) => d.id === 'Doc-3.x3' || d.id === 'Doc-200.x2')
    expect(await suggest(all, '', 1000, predicate)).toEqual(expected(all, '', 1000, chosen))
  })

  it('added up over indices, where they have the field as it is', async () => {
    const both = ['a', 'b']
    const chosen = [...documents, ...other.map(({ note: _note, ...rest }) => rest)]
    for (const prefix of ['', 'co', 'doc', 'tag'])
      expect(await suggest(all, prefix, 1000, everything, both)).toEqual(expected(all, prefix, 1000, chosen))
    expect(await suggest(['tags', 'note'], 'co', 10, everything, ['b'])).toEqual([])
  })

  it('in the order of the fields where all else is equal', async () => {
    const predicate: Predicate = { kind: 'equals', field: loaded.field('n'), values: [150n] }
    const forth = await suggest(['tags', 'job'], '', 10, predicate)
    const back = await suggest(['job', 'tags'], '', 10, predicate)
    expect(forth).toEqual(expected(['tags', 'job'], '', 10, documents.slice(150, 151)))
    expect(back).toEqual(expected(['job', 'tags'], '', 10, documents.slice(150, 151)))
  })
})
