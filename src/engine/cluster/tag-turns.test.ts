import { expect, test } from 'vitest'
import { Turns } from './tag-turns.ts'

test('as many pieces of work are under way as there are turns, in the order they came', async () => {
  const turns = new Turns(2)
  const gates = Array.from({ length: 5 }, () => Promise.withResolvers<void>())
  const begun: number[] = []
  const all = gates.map((gate, i) =>
    turns.take(async () => {
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
