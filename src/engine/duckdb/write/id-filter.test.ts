import { describe, expect, it } from 'vitest'
import { IdFilter } from './id-filter.ts'

describe('IdFilter', () => {
  it('never forgets an id, over several layers', () => {
    const filter = new IdFilter()
    for (let i = 0; i < 200_000; i++) filter.add(`doc-${i}`)
    for (let i = 0; i < 200_000; i++) if (!filter.add(`doc-${i}`)) throw new Error(`forgot doc-${i}`)
  })

  it('takes few ids that are new for known ones', () => {
    const filter = new IdFilter()
    for (let i = 0; i < 200_000; i++) filter.add(`doc-${i}`)
    let wrong = 0
    for (let i = 0; i < 200_000; i++) if (filter.add(`other-${i}`)) wrong++
    expect(wrong).toBeLessThan(200)
  })

  it('is empty at first', () => {
    const filter = new IdFilter()
    expect([filter.add('a'), filter.add('a'), filter.add('b')]).toEqual([false, true, false])
  })
})
