import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CellSplitter } from './split-cells.ts'

function split(text: string, chunkSize: number, longest?: number) {
  const splitter = new CellSplitter(',', longest)
  const rows = []
  for (let i = 0; i < text.length; i += chunkSize) rows.push(...splitter.push(text.slice(i, i + chunkSize)))
  return [...rows, ...splitter.end()]
}

describe('CellSplitter', () => {
  it.each<[string, unknown[]]>([
    [
      'a,b\nc,d',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    [
      'a,\r\n,b\r\n',
      [
        ['a', ''],
        ['', 'b'],
      ],
    ],
    ['"a,b","c""d"\n', [['a,b', 'c"d']]],
    ['"a\nb",c\r\n"d"\r\n', [['a\nb', 'c'], ['d']]],
    ['5" pipe,x\n', [['5" pipe', 'x']]],
    ['"",""\n', [['', '']]],
    ['\n\na\n\n', [['a']]],
  ])('%j', (text, expected) => {
    for (const chunkSize of [1, 2, 3, 100]) {
      expect(split(text, chunkSize).map((row) => ('cells' in row ? row.cells : row.reason))).toEqual(expected)
    }
  })

  it('loses one line to a fault and no other', () => {
    const text = 'a,b\n"x"y,1\n"open,2\nc,"d\ne"\nf,g\n'
    for (const chunkSize of [1, 7, 100]) {
      expect(split(text, chunkSize)).toEqual([
        { line: 1, cells: ['a', 'b'] },
        { line: 2, reason: 'has text after a closing quote', text: '"x"y,1' },
        { line: 3, reason: 'has text after a closing quote', text: '"open,2' },
        { line: 4, cells: ['c', 'd\ne'] },
        { line: 6, cells: ['f', 'g'] },
      ])
    }
    const rest = Array.from({ length: 50 }, (_, i) => `r${i},1`).join('\n')
    for (const longest of [20, 10_000]) {
      const rows = split(`"never,1\n${rest}\n`, 10, longest)
      expect(rows[0]).toEqual({ line: 1, reason: 'has an unclosed quote', text: '"never,1' })
      expect(rows).toHaveLength(51)
    }
  })

  it('gives back every cell, however the text is cut', () => {
    const cell = fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', '\r', ' ', 'é'), maxLength: 6 })
    fc.assert(
      fc.property(
        fc.array(fc.array(cell, { minLength: 2, maxLength: 4 })),
        fc.integer({ min: 1, max: 9 }),
        (rows, size) => {
          const text = rows.map((cells) => cells.map((c) => `"${c.replaceAll('"', '""')}"`).join(',')).join('\r\n')
          expect(split(text, size).map((row) => ('cells' in row ? row.cells : row))).toEqual(rows)
        },
      ),
      { numRuns: 500 },
    )
  })
})
