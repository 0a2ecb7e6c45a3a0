import { describe, expect, it } from 'vitest'
import { ExportProgress } from './export-progress.ts'

function show(isTTY: boolean, total: number) {
  const written: string[] = []
  let time = 0
  const output = { isTTY, columns: 120, write: (text: string) => written.push(text) }
  const progress = new ExportProgress(output, total, () => time)
  return {
    written,
    progress,
    at: (ms: number, bytes: number, documents?: number) => {
      time = ms
      progress.update({ bytes, ...(documents === undefined ? {} : { documents }) })
    },
  }
}

describe('ExportProgress', () => {
  it('draws a bar by documents on a terminal, ten times a second at most', () => {
    const { written, at, progress } = show(true, 2000)
    at(50, 100, 1)
    at(1000, 2048, 500)
    at(1050, 4096, 600)
    expect(written).toEqual([
      '\r\u001b[2K[#####---------------]  25%  500 of 2,000 documents, 2.0 KiB, 500/s, 3 s left',
    ])
    progress.clear()
    expect(written.at(-1)).toBe('\r\u001b[2K')
  })

  it('writes a line now and then elsewhere', () => {
    const { written, at, progress } = show(false, 10)
    at(1000, 10, 1)
    at(5000, 2048, 10)
    progress.clear()
    expect(written).toEqual(['10 of 10 documents, 2.0 KiB, 2/s\n'])
  })

  it('tells bytes where documents cannot be counted', () => {
    const { written, at } = show(true, 10)
    at(1000, 2048)
    expect(written).toEqual(['\r\u001b[2K2.0 KiB'])
  })
})
