import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../model/json/document.ts'
import type { Mapping } from '../../../model/mapping.ts'
import type { Cursor } from '../../../query/plan/plan.ts'
import { and, everything, type Predicate } from '../../../query/plan/predicate.ts'
import type { Field } from '../../../query/schema/field.ts'
import { TaggedEngine } from '../tagged-engine.fixture.ts'

const mapping: Mapping = {
  properties: {
    id: { type: 'keyword' },
    code: { type: 'keyword' },
    kind: { type: 'keyword' },
    n: { type: 'integer' },
  },
}

/** Ids are unique. Codes are nearly unique, and some documents have none. */
const make = (i: number): JsonObject => ({
  id: `id-${String((i * 7) % 500).padStart(3, '0')}`,
  ...(i % 40 === 3 ? {} : { code: `c${i - (i % 9 === 1 ? 1 : 0)}` }),
  kind: `kind ${i % 6}`,
  n: i,
})

let tagged: TaggedEngine
let documents: Map<string, JsonObject>
let id: Field
let code: Field
let kind: Field

beforeEach(async () => {
  tagged = await TaggedEngine.open({})
  await tagged.engine.createIndex('things', mapping)
  documents = new Map()
  await put(0, 400)
  await tagged.engine.arrange('things')
  id = await tagged.field('id')
  code = await tagged.field('code')
  kind = await tagged.field('kind')
})

afterEach(() => tagged.close())

async function put(from: number, to: number): Promise<void> {
  const added = Array.from({ length: to - from }, (_, i) => [`d${from + i}`, make(from + i)] as const)
  for (const [name, document] of added) documents.set(name, document)
  await tagged.put('things', Object.fromEntries(added))
}

const equals = (field: Field, ...values: string[]): Predicate => ({ kind: 'equals', field, values })

interface Asked {
  readonly predicate?: Predicate
  readonly descending?: boolean
  readonly cursor?: Cursor
  readonly size?: number
  readonly from?: number
}

async function page({ descending = false, ...asked }: Asked): Promise<readonly JsonObject[]> {
  const sort = [{ kind: 'field', field: id, descending }] as const
  const plan = { indices: ['things'], predicate: everything, sort, size: 30, from: 0, wantsTotal: true, ...asked }
  const { hits, total } = await tagged.engine.search(plan)
  if (!asked.predicate) expect(total).toBe(documents.size)
  return hits.map(({ source }) => source)
}

/** Checks all pages of all documents in both directions, and pages with an offset. */
async function expectPagesRight(): Promise<void> {
  for (const descending of [false, true]) {
    const sign = descending ? -1 : 1
    const expected = [...documents.values()].toSorted((a, b) => (String(a.id) < String(b.id) ? -sign : sign))
    const at = (place: number, direction: Cursor['direction']): Cursor => ({
      direction,
      values: [String(expected[place]?.id)],
    })
    const pages = await page({ descending }).then((first) => [...first])
    while (pages.length < expected.length) {
      const next = await page({ descending, cursor: at(pages.length - 1, 'after') })
      expect(next.length).toBe(Math.min(30, expected.length - pages.length))
      pages.push(...next)
    }
    expect(pages).toEqual(expected)
    expect(await page({ descending, from: 17, size: 5 })).toEqual(expected.slice(17, 22))
    expect(await page({ descending, cursor: at(100, 'before'), size: 5 })).toEqual(expected.slice(95, 100))
    expect(await page({ descending, cursor: at(3, 'before'), size: 5 })).toEqual(expected.slice(0, 3))
    const nowhere: Cursor = { direction: 'after', values: ['id-1'] }
    const beyond = expected.filter((d) => (descending ? String(d.id) < 'id-1' : String(d.id) > 'id-1'))
    expect(await page({ descending, cursor: nowhere, size: 4 })).toEqual(beyond.slice(0, 4))
  }
}

/** Checks that documents are found by their identifiers, also combined with other conditions. */
async function expectFound(): Promise<void> {
  for (const name of ['d0', 'd1', 'd2', 'd43', 'd390']) {
    const { id: value, code: own, kind: ownKind } = make(Number(name.slice(1)))
    const all = [...documents.values()]
    const withId = all.filter((d) => d.id === value)
    expect(await page({ predicate: equals(id, String(value)) })).toEqual(withId)
    expect(await page({ predicate: and([equals(id, String(value)), equals(kind, 'kind 2')]) })).toEqual(
      withId.filter((d) => d.kind === 'kind 2'),
    )
    expect(await page({ predicate: and([equals(kind, String(ownKind)), equals(id, String(value))]) })).toEqual(
      withId.filter((d) => d.kind === ownKind),
    )
    expect(await page({ predicate: equals(id, String(value)), from: 1 })).toEqual([])
    const byId = (a: JsonObject, b: JsonObject): number => (String(a.id) < String(b.id) ? -1 : 1)
    if (own === undefined) continue
    const withCode = all.filter((d) => d.code === own)
    expect(await page({ predicate: equals(code, String(own)) })).toEqual(withCode.toSorted(byId))
  }
  expect(await page({ predicate: equals(id, 'id-999') })).toEqual([])
  expect(await page({ predicate: equals(id, 'id-007', 'id-014') })).toHaveLength(2)
}

async function expectRight(): Promise<void> {
  await expectPagesRight()
  await expectFound()
}

describe('pages in the order of an identifier, and documents by it, are right', () => {
  it('when storage is in order', expectRight)

  it('after a restart', async () => {
    await tagged.restart()
    await expectRight()
  })

  it('when documents came since, and when these are in order too', async () => {
    await put(400, 420)
    await expectRight()
    await tagged.engine.arrange('things')
    await expectRight()
  })

  it('when a document was replaced by another of its identifier', async () => {
    const replaced = { ...make(43), n: -43 }
    documents.set('d43', replaced)
    await tagged.put('things', { d43: replaced })
    await expectRight()
    await tagged.engine.arrange('things')
    await expectRight()
  })

  it('when documents went, and when storage is in order again', async () => {
    const gone = ['d3', 'd43', 'd390']
    for (const name of gone) documents.delete(name)
    await tagged.engine.write(
      'things',
      gone.map((name) => ({ kind: 'delete', id: name })),
    )
    await expectRight()
    await tagged.engine.arrange('things')
    await expectRight()
  })

  it('when an edit moved sources, and when storage is in order again', async () => {
    await tagged.tag('ADD', 'known', { path: 'label', target: equals(kind, 'kind 2') })
    for (const [name, document] of documents) {
      if (document.kind === 'kind 2') documents.set(name, { ...document, label: ['known'] })
    }
    await expectRight()
    await tagged.engine.arrange('things')
    await expectRight()
  })

  it('when an edit took the identifier away from some', async () => {
    await tagged.tag('REMOVEALL', undefined, { path: 'code', target: equals(kind, 'kind 4') })
    for (const [name, document] of documents) {
      if (document.kind === 'kind 4') documents.set(name, { ...document, code: null })
    }
    await expectRight()
    await tagged.engine.arrange('things')
    await expectRight()
  })
})

it('finds identifiers that are written as long numbers', async () => {
  const long = '12345678901234567891'
  const texts = [`{"id":${long},"n":1}`, `{"id":"${long.slice(0, -1)}2","n":2}`, '{"id":7,"n":3}']
  await tagged.engine.createIndex('numbers', mapping)
  await tagged.engine.write(
    'numbers',
    texts.map((text, i) => ({ kind: 'index', id: `${i}`, source: JSON.parse(text), text })),
  )
  await tagged.engine.arrange('numbers')
  const find = async (value: string): Promise<unknown> => {
    const plan = { indices: ['numbers'], predicate: equals(id, value), sort: [], size: 5, from: 0, wantsTotal: true }
    return (await tagged.engine.search(plan)).hits.map(({ source }) => source.n)
  }
  expect(await find(long)).toEqual([1])
  expect(await find(`${long.slice(0, -1)}2`)).toEqual([2])
  expect(await find('7')).toEqual([3])
  expect(await find('12345678901234567000')).toEqual([])
})
