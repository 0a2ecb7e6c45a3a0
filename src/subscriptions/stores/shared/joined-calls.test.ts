import { describe, expect, it } from 'vitest'
import { JoinedCalls } from './joined-calls.ts'

describe('joined calls', () => {
  it('go out together, those of a turn and those that come meanwhile', async () => {
    const made: (readonly number[])[] = []
    const ends: (() => void)[] = []
    const calls = new JoinedCalls<number, string>(async (questions) => {
      made.push(questions)
      await new Promise<void>((resolve) => ends.push(resolve))
      return questions.map((question) => `a${question}`)
    }, 3)
    const first = [1, 2].map((question) => calls.call(question))
    await expect.poll(() => ends.length).toBe(1)
    const later = [3, 4, 5, 6].map((question) => calls.call(question))
    ends[0]?.()
    expect(await Promise.all(first)).toEqual(['a1', 'a2'])
    await expect.poll(() => ends.length).toBe(2)
    ends[1]?.()
    await expect.poll(() => ends.length).toBe(3)
    ends[2]?.()
    expect(await Promise.all(later)).toEqual(['a3', 'a4', 'a5', 'a6'])
    expect(made).toEqual([[1, 2], [3, 4, 5], [6]])
  })

  it('wait for others when they are told to', async () => {
    const made: (readonly number[])[] = []
    const answer = async (questions: readonly number[]): Promise<readonly number[]> => {
      made.push(questions)
      return questions
    }
    const calls = new JoinedCalls(answer, 9, 5)
    const first = calls.call(1)
    // One tick later.
    await new Promise((resolve) => setImmediate(resolve))
    expect(await Promise.all([first, calls.call(2)])).toEqual([1, 2])
    expect(made).toEqual([[1, 2]])
  })

  it('fail together, and go on', async () => {
    let fails = true
    const calls = new JoinedCalls<number, number>(async (questions) => {
      if (fails) throw new Error('away')
      return questions
    }, 9)
    const both = await Promise.allSettled([calls.call(1), calls.call(2)])
    expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    fails = false
    expect(await calls.call(3)).toBe(3)
  })
})
