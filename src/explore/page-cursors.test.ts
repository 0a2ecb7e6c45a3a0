import { describe, expect, it } from 'vitest'
import type { FieldType } from '../model/field-type.ts'
import type { Cursor, SortKey } from '../query/plan/plan.ts'
import type { Field } from '../query/schema/field.ts'
import { pageCursors } from './page-cursors.ts'

const key = (path: string, type: FieldType): SortKey => {
  const field: Field = { path, type, indexed: true, nested: false }
  return { kind: 'field', field, descending: false }
}
const sort = [key('weight', 'INTEGER'), key('id', 'KEYWORD')]
const hits = [{ source: { id: 'a,1', weight: 3 } }, { source: { id: 'b\\2' } }]
const after: Cursor = { direction: 'after', values: [1n, 'x'] }
const before: Cursor = { direction: 'before', values: [9n, 'x'] }
const page = { size: 2, from: 0, sort, continuable: true }

describe('pages beside a page', () => {
  it.each([
    ['a full first page has a next', page, hits, { after: '\\N,b\\\\2' }],
    ['a short first page has none', { ...page, size: 3 }, hits, {}],
    [
      'a page after a place has a previous',
      { ...page, cursor: after },
      hits,
      { after: '\\N,b\\\\2', before: '3,a\\,1' },
    ],
    ['the last page has only that', { ...page, size: 3, cursor: after }, hits, { before: '3,a\\,1' }],
    [
      'what precedes a place is followed by it',
      { ...page, size: 3, cursor: before },
      hits,
      { after: '\\N,b\\\\2', before: '3,a\\,1' },
    ],
    ['an empty page has neither', { ...page, cursor: before }, [], {}],
    ['an order without end at the id has neither', { ...page, continuable: false }, hits, {}],
  ])('%s', (_, at, found, expected) => {
    expect(pageCursors(at, found)).toEqual(expected)
  })
})
