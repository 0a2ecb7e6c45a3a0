import { describe, expect, it } from 'vitest'
import { Progress, printBytes, printDocuments, printDuration } from './progress.ts'

function show(isTTY: boolean, total: number | undefined) {
  const written: string[] = []
  let time = 0
  const output = { isTTY, columns: 120, write: (text: string) => written.push(text) }
  const progress = new Progress(output, total, () => time)
  return {
    written,
    progress,
    at: (ms: number, bytes: number, documents: number, rejected = 0) => {
      time = ms
      progress.update({ bytes, documents, rejected })
    },
  }
}

describe('Progress', () => {
  it('draws a bar on a terminal, ten times a second at most', () => {
    const { written, at, progress } = show(true, 2048)
    at(50, 100, 1)
    at(1000, 1024, 5000, 2)
    at(1050, 1500, 5000)
    expect(written).toEqual([
      '\r\u001b[2K[##########----------]  50%  1.0 KiB of 2.0 KiB, 5,000 documents, 5,000/s, 2 rejected, 1 s left',
    ])
    progress.clear()
    expect(written.at(-1)).toBe('\r\u001b[2K')
  })

  it('writes a line now and then elsewhere', () => {
    const { written, at, progress } = show(false, undefined)
    at(1000, 10, 10)
    at(5000, 2048, 100)
    at(6000, 4096, 200)
    progress.clear()
    expect(written).toEqual(['2.0 KiB, 100 documents, 20/s\n'])
  })

  it('prints counts, sizes and durations', () => {
    expect([0, 1, 1200].map(printDocuments)).toEqual(['0 documents', '1 document', '1,200 documents'])
    expect([0, 1023, 1024, 5 * 1024 ** 3].map(printBytes)).toEqual(['0 B', '1023 B', '1.0 KiB', '5.0 GiB'])
    expect([0.4, 59, 61, 7260].map(printDuration)).toEqual(['0 s', '59 s', '1 min 1 s', '2 h 1 min'])
  })
})
