import { describe, expect, it } from 'vitest'
import { type Head, readyHeads } from './tag-lanes.ts'

const head = (collection: string, offset: number, ...indices: string[]): Head => ({ collection, offset, indices })
const names = (waiting: readonly Head[], running: readonly Head[] = []) =>
  readyHeads(waiting, running).map((h) => h.collection)

describe('lanes', () => {
  it('lets independent collections go side by side', () => {
    expect(names([head('a', 5, 'x'), head('b', 2, 'y')])).toEqual(['b', 'a'])
  })

  it('keeps the order of the log where indices are shared', () => {
    expect(names([head('a', 5, 'x'), head('b', 2, 'x', 'y')])).toEqual(['b'])
  })

  it('waits for what is under way, also when that is later in the log', () => {
    expect(names([head('a', 1, 'x')], [head('b', 9, 'x')])).toEqual([])
    expect(names([head('a', 1, 'x')], [head('b', 9, 'y')])).toEqual(['a'])
  })

  it('does not overtake a head that waits itself', () => {
    const waiting = [head('a', 1, 'x', 'y'), head('b', 2, 'y')]
    expect(names(waiting, [head('c', 0, 'x')])).toEqual([])
  })

  it('lets a collection without indices fail at once, one record at a time', () => {
    expect(names([head('gone', 3)], [head('a', 1, 'x')])).toEqual(['gone'])
    expect(names([head('gone', 3)], [head('gone', 2)])).toEqual([])
  })
})
