import { describe, expect, it } from 'vitest'
import { IdFilter } from './id-filter.ts'

describe('IdFilter', () => {
  it('never forgets an id, over several layers', () => {
    const filter = new IdFilter()
    for (let i = 0; i < 200_000; i++) filter.add(`doc-${i}`)
    for (let i = 0; i < 200_000; i++) if (!filter.mayContain(`doc-${i}`)) throw new Error(`forgot doc-${i}`)
  })

  it('names few ids that are not there', () => {
    const filter = new IdFilter()
    for (let i = 0; i < 200_000; i++) filter.add(`doc-${i}`)
    let wrong = 0
    for (let i = 0; i < 200_000; i++) if (filter.mayContain(`other-${i}`)) wrong++
    expect(wrong).toBeLessThan(200)
  })

  it('is empty at first', () => {
    expect(new IdFilter().mayContain('a')).toBe(false)
  })
})
