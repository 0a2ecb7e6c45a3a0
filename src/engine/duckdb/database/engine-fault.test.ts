import { expect, it } from 'vitest'
import { engineProblem, isOutOfMemory } from './engine-fault.ts'

it.each([
  'Out of Memory Error: could not allocate block of size 256.0 KiB (111.9 MiB/112.0 MiB used)',
  'TransactionContext Error: Failed to commit: failed to pin block of size 256.0 KiB (111.9 MiB/112.0 MiB used)',
])('%s: the answer names the setting', (message) => {
  const found = engineProblem(new Error(message))
  expect(found).toMatchObject({ code: 'ENGINE_UNAVAILABLE', message: expect.stringContaining('engine.memoryMiB') })
  expect(isOutOfMemory(found)).toBe(true)
})

it('other faults stay what they are', () => {
  const fault = new Error('Binder Error: no such column')
  expect(engineProblem(fault)).toBe(fault)
  expect(isOutOfMemory(fault)).toBe(false)
  expect(isOutOfMemory(engineProblem(new Error('IO Error: the disk is full')))).toBe(false)
})
