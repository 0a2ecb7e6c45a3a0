import { describe, expect, it } from 'vitest'
import { readAhead } from './read-ahead.ts'

/** Counts up and records the calls. */
async function* numbers(notes: string[], most: number): AsyncIterable<number> {
  try {
    for (let n = 1; n <= most; n++) {
      notes.push(`made ${n}`)
      yield n
    }
  } finally {
    notes.push('over')
  }
}

describe('readAhead', () => {
  it('has the next value made while one is worked on, and no more', async () => {
    const notes: string[] = []
    for await (const n of readAhead(numbers(notes, 3), new AbortController())) {
      await new Promise(setImmediate)
      notes.push(`done ${n}`)
    }
    expect(notes).toEqual(['made 1', 'made 2', 'done 1', 'made 3', 'done 2', 'over', 'done 3'])
  })

  it('ends the source when the reader leaves, and stops what is under way', async () => {
    const notes: string[] = []
    const stop = new AbortController()
    for await (const _ of readAhead(numbers(notes, 9), stop)) break
    expect(notes).toEqual(['made 1', 'made 2', 'over'])
    expect(stop.signal.aborted).toBe(true)
  })

  it('tells a failure when its turn comes', async () => {
    async function* failing(): AsyncIterable<number> {
      yield 1
      throw new Error('no second')
    }
    const seen: number[] = []
    const reading = async (): Promise<void> => {
      for await (const n of readAhead(failing(), new AbortController())) {
        await new Promise(setImmediate)
        seen.push(n)
      }
    }
    await expect(reading()).rejects.toThrow('no second')
    expect(seen).toEqual([1])
  })
})
