import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { inBatches, PlaceSpool, type SpooledPlace } from './place-spool.ts'

const place = (i: number): SpooledPlace => ({ id: `é${'x'.repeat(i % 70)}-${i}`, at: i * 2 ** 33, size: i })

const isSame = (a: SpooledPlace, b: SpooledPlace): boolean => a.id === b.id && a.at === b.at && a.size === b.size

it.each([0, 1, 1000, 200_000])('gives %i places back in order, and leaves no file', async (count) => {
  const directory = mkdtempSync(join(tmpdir(), 'periplus-spool-'))
  const spool = new PlaceSpool(directory)
  for (let i = 0; i < count; i += 2048) {
    await spool.add(Array.from({ length: Math.min(2048, count - i) }, (_, k) => place(i + k)))
  }
  expect(spool.count).toBe(count)
  let next = 0
  let wrong = 0
  for await (const batch of spool.read({ documents: 1000, bytes: Number.MAX_SAFE_INTEGER })) {
    expect(batch.length).toBeLessThanOrEqual(1000)
    wrong += batch.filter((found, k) => !isSame(found, place(next + k))).length
    next += batch.length
  }
  expect(next).toBe(count)
  expect(wrong).toBe(0)
  expect(readdirSync(directory)).toEqual([])
  await spool.close()
  rmSync(directory, { recursive: true })
})

it('ends a batch with the document that reaches the bytes of one', async () => {
  const places = [900, 99, 1, 5000, 10, 10, 10, 10, 990].map((size, i) => ({ id: `${i}`, at: i, size }))
  const spool = new PlaceSpool(tmpdir())
  await spool.add(places)
  const limits = { documents: 3, bytes: 1000 }
  const read = await Array.fromAsync(spool.read(limits))
  expect(read.map((batch) => batch.map(({ size }) => size))).toEqual([[900, 99, 1], [5000], [10, 10, 10], [10, 990]])
  expect(Array.from(inBatches(places, limits))).toEqual(read)
  await spool.close()
})
