import { expect, it } from 'vitest'
import { countCsvRecords, countFlatgeobufFeatures, countLines, type RecordCounter } from './record-counter.ts'

/** Returns the count after each chunk of the given length. */
function countsOf(counter: RecordCounter, bytes: Uint8Array, length: number): readonly number[] {
  const counts: number[] = []
  for (let at = 0; at < bytes.length; at += length) counts.push(counter(bytes.subarray(at, at + length)))
  return counts
}

it('counts lines', () => {
  expect(countsOf(countLines(), Buffer.from('{}\n{}\n{'), 3)).toEqual([1, 2, 2])
})

it('counts records of a CSV, whatever is quoted in them', () => {
  const csv = Buffer.from('a,b\n1,"x\ny"\n2,"say ""hi""\n"\n')
  for (const length of [1, 2, 5, 100]) expect(countsOf(countCsvRecords(), csv, length).at(-1)).toBe(2)
  expect(countCsvRecords()(Buffer.from('a,b\n'))).toBe(0)
})

it('counts features of a FlatGeobuf, wherever it is cut', () => {
  const part = (length: number): Buffer => {
    const bytes = Buffer.alloc(4 + length)
    bytes.writeUInt32LE(length)
    return bytes
  }
  const file = Buffer.concat([Buffer.alloc(8), part(40), part(300), part(16), part(70_000)])
  for (const length of [1, 3, 7, 64, 1_000_000])
    expect(countsOf(countFlatgeobufFeatures(), file, length).at(-1)).toBe(3)
  expect(countFlatgeobufFeatures()(file.subarray(0, -1))).toBe(2)
  expect(countFlatgeobufFeatures()(Buffer.concat([Buffer.alloc(8), part(40)]))).toBe(0)
})
