import { assert, asyncProperty, constantFrom, record, subarray } from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../../model/json/document.ts'
import type { Mapping } from '../../../../model/mapping.ts'
import { holds } from '../../../../query/evaluate/evaluate.fixture.ts'
import { everything, type Predicate } from '../../../../query/plan/predicate.ts'
import { tokenize } from '../../../../query/text/text-analysis.ts'
import { beginsWord } from '../../../../query/text/word-starts.ts'
import { compareCodePoints } from '../../../../query/value/code-point-order.ts'
import { Turn } from '../../../../turn.ts'
import { segmentPart, tailPart } from '../../segment/parts.fixture.ts'
import type { NumberedPart } from '../numbered-part.ts'
import { partField, withDead } from '../page/page-parts.fixture.ts'
import { suggestGap, suggestParts } from './suggest.ts'

const mapping: Mapping = {
  dynamic: false,
  properties: {
    id: { type: 'keyword' },
    job: { type: 'keyword' },
    tags: { type: 'keyword' },
    note: { type: 'text' },
    n: { type: 'integer' },
    ip: { type: 'ip' },
  },
}

const JOBS = [
  'Actor',
  'Coach',
  'Cost Estimator',
  'coder',
  'a.coder',
  'a. coder',
  'x/coder',
  '_coder',
  "d'oder",
  '"Code" (%_\\)',
  'a\nCoda',
  'ΟΔΟΣ',
  'Étoile',
  'İzmir',
  '\u212aelvin kilo',
  '東京',
  '😀 code',
  '\uffee',
  '',
  ' ',
  `${'a'.repeat(254)}ecode`,
]
const NOTES = [
  'Ice and ice and ICE',
  ['co-op', 'the co op', 'l’étoile'],
  'İce Σ 東京 3.14',
  '',
  'code coder code',
  null,
]

const documentsFrom = (first: number, count: number): JsonObject[] =>
  Array.from({ length: count }, (_, k): JsonObject => {
    const i = first + k
    return {
      id: `Doc-${i % 2311}.x${i % 9}`,
      job: i % 13 === 0 ? null : (JOBS[(i * i + (i % 5)) % JOBS.length] ?? null),
      tags: i % 3 === 0 ? [`Tag ${i % 71}`, `Co${i % 2}`, `Tag ${i % 71}`] : [],
      note: NOTES[(i * 7) % NOTES.length] ?? null,
      n: i,
    }
  })

const field = (path: string) => partField(mapping, path)

interface Store {
  readonly parts: readonly NumberedPart[]
  readonly documents: readonly JsonObject[]
}

/** A segment, a tail and a second segment; rows of the first two are dead, few or many. */
function storeOf(count: number, small: number, deadStep: number): Store {
  const all = documentsFrom(0, count + 2 * small)
  const every = (length: number) => Array.from({ length: Math.ceil(length / deadStep) }, (_, i) => i * deadStep)
  const parts = [
    withDead(segmentPart(mapping, all.slice(0, count)), every(count)),
    withDead(tailPart(mapping, all.slice(count, count + small), count), every(small)),
    segmentPart(mapping, all.slice(count + small), count + small),
  ]
  const documents = parts.flatMap((part) =>
    Array.from({ length: part.rows }, (_, row) => row)
      .filter((row) => part.live.isLive(row))
      .map((row) => all[part.seqs.seq(row)] ?? {}),
  )
  return { parts: parts.map((part) => ({ part, table: 0 })), documents }
}

const valuesOf = (value: unknown): string[] =>
  value === null || value === undefined ? [] : Array.isArray(value) ? value.map(String) : [String(value)]

function expected(documents: readonly JsonObject[], paths: readonly string[], prefix: string, size: number) {
  const terms = paths.flatMap((path) => {
    const counts = new Map<string, number>()
    for (const document of documents) {
      const values = valuesOf(document[path])
      for (const text of new Set(path === 'note' ? values.flatMap(tokenize) : values)) {
        counts.set(text, (counts.get(text) ?? 0) + 1)
      }
    }
    return [...counts].filter(([text]) => beginsWord(text, prefix)).map(([text, count]) => ({ path, text, count }))
  })
  const byField = (path: string): number => paths.indexOf(path)
  return terms
    .sort((a, b) => b.count - a.count || compareCodePoints(a.text, b.text) || byField(a.path) - byField(b.path))
    .slice(0, size)
}

const prefixes = ['', 'c', 'co', 'code', 'cost e', 'est', 'is', 'k', 'oder', '_', '%', '.', '"', '(', ' ', '\n', 'é']
const others = ['ét', 'οδοσ', 'i', 'iz', '東', '😀', '\uffee', '3', 'ecode', 'doc-1', 'x1', 'tag 1', 't', 'd', 'none']

const predicates: readonly Predicate[] = [
  everything,
  { kind: 'nothing' },
  { kind: 'range', field: field('n'), lower: { value: 20n, inclusive: true } },
  {
    kind: 'range',
    field: field('n'),
    lower: { value: 100n, inclusive: true },
    upper: { value: 120n, inclusive: true },
  },
  { kind: 'equals', field: field('job'), values: ['coder', 'Coach'] },
]

describe.each([
  ['of which few rows are dead', 5000, 100, 50],
  ['of which many rows are dead', 3000, 1000, 3],
  ['that are small', 50, 90, 10],
])('suggesting terms of parts %s', (_, count, small, deadStep) => {
  let store: Store
  beforeAll(() => {
    store = storeOf(count, small, deadStep)
  })

  it('returns the most frequent ones', async () => {
    const plans = record({
      paths: subarray(['id', 'job', 'tags', 'note'], { minLength: 1 }),
      prefix: constantFrom(...prefixes, ...others),
      size: constantFrom(1, 3, 10, 10_000),
      predicate: constantFrom(...predicates),
    })
    await assert(
      asyncProperty(plans, async ({ paths, prefix, size, predicate }) => {
        const plan = { indices: ['a'], predicate, fields: paths.map(field), prefix, size }
        expect(suggestGap(plan, store.parts)).toBeUndefined()
        const found = await suggestParts(plan, store.parts, new Turn())
        const selected = store.documents.filter((document) => holds(predicate, document))
        const rows = found.map(({ field: f, text, count: n }) => ({ path: f.path, text, count: n }))
        expect(rows).toEqual(expected(selected, paths, prefix, size))
      }),
      { numRuns: 80 },
    )
  })
})

describe('the suggestion gap', () => {
  it('tells of fields without terms', () => {
    const part = tailPart(mapping, [{ ip: '10.0.0.1' }])
    const plan = { indices: [], predicate: everything, fields: [field('ip')], prefix: '', size: 1 }
    expect(suggestGap(plan, [{ part, table: 0 }])).toContain('IP')
  })
})
