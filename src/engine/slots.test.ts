import { expect, test } from 'vitest'
import { Slots } from './slots.ts'

test('as many pieces of work are under way as there are slots, in the order they came', async () => {
  const slots = new Slots(2)
  const gates = Array.from({ length: 5 }, () => Promise.withResolvers<void>())
  const begun: number[] = []
  const all = gates.map((gate, i) =>
    slots.run(async () => {
      begun.push(i)
      await gate.promise
      if (i === 1) throw new Error('failed')
      return i
    }),
  )
  const outcomes = Promise.allSettled(all)
  await Promise.resolve()
  expect(begun).toEqual([0, 1])
  gates[1]?.resolve()
  await expect(all[1]).rejects.toThrow('failed')
  await expect.poll(() => begun).toEqual([0, 1, 2])
  for (const gate of gates) gate.resolve()
  expect((await outcomes).map(({ status }) => status)).toEqual([
    'fulfilled',
    'rejected',
    'fulfilled',
    'fulfilled',
    'fulfilled',
  ])
  expect(begun).toEqual([0, 1, 2, 3, 4])
})

test('who waits may leave, and the others keep their order', async () => {
  const slots = new Slots(1)
  const first = Promise.withResolvers<string>()
  const leaving = new AbortController()
  const begun: string[] = []
  const work = (name: string) => async (): Promise<string> => {
    begun.push(name)
    return name
  }
  const running = slots.run(() => first.promise)
  const left = slots.run(work('left'), leaving.signal)
  const last = slots.run(work('last'))
  leaving.abort(new Error('gone'))
  await expect(left).rejects.toThrow('gone')
  await expect(slots.run(work('late'), leaving.signal)).rejects.toThrow('gone')
  expect(begun).toEqual([])
  first.resolve('first')
  expect(await Promise.all([running, last])).toEqual(['first', 'last'])
  expect(begun).toEqual(['last'])
})
