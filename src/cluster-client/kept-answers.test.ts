import { describe, expect, test } from 'vitest'
import { KeptAnswers } from './kept-answers.ts'

function counting(options: { fail?: boolean } = {}) {
  let time = 0
  let asked = 0
  const kept = new KeptAnswers(
    async (key: string) => {
      asked++
      if (options.fail) throw new Error(`no ${key}`)
      return `${key}${asked}`
    },
    { keepMs: 5_000, renewMs: 2_500, now: () => time },
  )
  return {
    kept,
    asked: () => asked,
    pass: async (ms: number) => {
      time += ms
      await new Promise(setImmediate)
    },
  }
}

describe('kept answers', () => {
  test('callers at the same time share one', async () => {
    const { kept, asked } = counting()
    expect(await Promise.all([kept.get('a'), kept.get('a'), kept.get('b')])).toEqual(['a1', 'a1', 'b2'])
    expect(await kept.get('a')).toBe('a1')
    expect(asked()).toBe(2)
  })

  test('are renewed while they are given out, and given out no longer when they are old', async () => {
    const { kept, pass, asked } = counting()
    await kept.get('a')
    await pass(2_500)
    expect(await Promise.all([kept.get('a'), kept.get('a')])).toEqual(['a1', 'a1'])
    await pass(0)
    expect(await kept.get('a')).toBe('a2')
    expect(asked()).toBe(2)
    await pass(5_000)
    expect(await kept.get('a')).toBe('a3')
  })

  test('a caller may want a younger one', async () => {
    const { kept, pass } = counting()
    await kept.get('a')
    await pass(1_000)
    expect(await kept.get('a', undefined, 1_000)).toBe('a2')
    expect(await kept.get('a')).toBe('a2')
  })

  test('what was asked before is forgotten, even when it was not yet here', async () => {
    const { kept } = counting()
    const before = kept.get('a')
    kept.forget()
    expect(await kept.get('a')).toBe('a2')
    expect(await before).toBe('a1')
    expect(await kept.get('a')).toBe('a2')
  })

  test('faults are told and not kept', async () => {
    const options = { fail: true }
    const { kept } = counting(options)
    await expect(kept.get('a')).rejects.toThrow('no a')
    options.fail = false
    expect(await kept.get('a')).toBe('a2')
  })

  test('a failing renewal leaves the old answer until it is too old', async () => {
    const options = { fail: false }
    const { kept, pass } = counting(options)
    await kept.get('a')
    options.fail = true
    await pass(3_000)
    expect(await kept.get('a')).toBe('a1')
    await pass(1_000)
    expect(await kept.get('a')).toBe('a1')
    await pass(1_000)
    await expect(kept.get('a')).rejects.toThrow('no a')
  })

  test('a caller that leaves does not disturb the others', async () => {
    const { kept } = counting()
    const controller = new AbortController()
    const leaving = kept.get('a', controller.signal)
    const staying = kept.get('a')
    controller.abort(new Error('gone'))
    await expect(leaving).rejects.toThrow('gone')
    expect(await staying).toBe('a1')
  })
})
