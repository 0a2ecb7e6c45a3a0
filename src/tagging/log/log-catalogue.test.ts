import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LogCatalogue } from './log-catalogue.ts'

function filled(): LogCatalogue {
  const catalogue = new LogCatalogue()
  catalogue.add(0, 'a', 'harbours')
  catalogue.add(1, 'b', 'ships')
  catalogue.add(5, 'c', 'harbours')
  return catalogue
}

describe('the catalogue of a log', () => {
  it('finds offsets by collection, by id and by place', () => {
    const catalogue = filled()
    expect([0, 1, 5, 6].map((from) => catalogue.next('harbours', from))).toEqual([0, 5, 5, undefined])
    expect([0, 1, 5, 6].map((from) => catalogue.count('harbours', from))).toEqual([2, 1, 1, 0])
    expect(['a', 'b', 'c', 'd'].map((id) => catalogue.find(id))).toEqual([0, 1, 5, undefined])
    expect([catalogue.next('tides', 0), catalogue.count('tides', 0)]).toEqual([undefined, 0])
    const positions = new Map([['harbours', 1]])
    expect(catalogue.heads(positions)).toEqual([5, 1])
    expect(catalogue.heads(new Map([['harbours', 6]]))).toEqual([1])
    expect(catalogue.counts(positions)).toEqual(
      new Map([
        ['harbours', 1],
        ['ships', 1],
      ]),
    )
    expect([catalogue.end, catalogue.size]).toEqual([6, 3])
  })

  it('is empty at first', () => {
    const catalogue = new LogCatalogue()
    expect([catalogue.end, catalogue.size, catalogue.find('a')]).toEqual([0, 0, undefined])
    expect([catalogue.heads(new Map()), catalogue.counts(new Map())]).toEqual([[], new Map()])
  })

  it('passes over an id that has come before, also for another collection', () => {
    const catalogue = filled()
    expect([catalogue.add(6, 'a', 'harbours'), catalogue.add(7, 'a', 'ships')]).toEqual([false, false])
    expect([catalogue.find('a'), catalogue.count('harbours', 0), catalogue.count('ships', 0)]).toEqual([0, 2, 1])
    expect([catalogue.end, catalogue.size]).toEqual([8, 3])
  })

  it('passes over offsets without a record', () => {
    const catalogue = filled()
    catalogue.skip(9)
    expect([catalogue.end, catalogue.next('harbours', 6)]).toEqual([10, undefined])
  })

  it('refuses offsets that do not ascend', () => {
    const catalogue = filled()
    expect(() => catalogue.add(5, 'd', 'harbours')).toThrow('offset 5 of the log follows offset 5')
    expect(() => catalogue.skip(2)).toThrow('offset 2 of the log follows offset 5')
    expect(catalogue.find('d')).toBeUndefined()
  })

  it('forgets what a retention removed', () => {
    const catalogue = filled()
    catalogue.dropBelow(2)
    expect(catalogue.counts(new Map())).toEqual(new Map([['harbours', 1]]))
    expect(['a', 'b', 'c'].map((id) => catalogue.find(id))).toEqual([undefined, undefined, 5])
    expect([catalogue.next('harbours', 0), catalogue.end, catalogue.size]).toEqual([5, 6, 1])
    catalogue.add(6, 'a', 'ships')
    expect([catalogue.find('a'), catalogue.next('ships', 0)]).toEqual([6, 6])
  })

  it('agrees with a plain list, whatever comes', () => {
    const entry = fc.record({
      step: fc.integer({ min: 1, max: 4 }),
      id: fc.integer({ min: 0, max: 150 }).map(String),
      collection: fc.constantFrom('a', 'b', 'c'),
    })
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 400 }), fc.nat(800), (entries, from) => {
        const catalogue = new LogCatalogue()
        const list: { readonly offset: number; readonly id: string; readonly collection: string }[] = []
        let offset = -1
        for (const { step, id, collection } of entries) {
          offset += step
          const isNew = !list.some((known) => known.id === id)
          expect(catalogue.add(offset, id, collection)).toBe(isNew)
          if (isNew) list.push({ offset, id, collection })
        }
        for (const collection of ['a', 'b', 'c', 'd']) {
          const own = list.filter((known) => known.collection === collection && known.offset >= from)
          expect(catalogue.next(collection, from)).toBe(own[0]?.offset)
          expect(catalogue.count(collection, from)).toBe(own.length)
        }
        for (const { id, offset: known } of list) expect(catalogue.find(id)).toBe(known)
        expect([catalogue.size, catalogue.end]).toEqual([list.length, offset + 1])
      }),
    )
  })
})
