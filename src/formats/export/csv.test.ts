import { expect, it } from 'vitest'
import { writeCsv } from './csv.ts'
import type { ExportColumn } from './export-column.ts'
import type { ExportRow } from './export-row.ts'

const column = (name: string): ExportColumn => ({
  name,
  field: { path: name, type: 'KEYWORD', indexed: true, nested: false },
})

const print = (names: readonly string[], ...batches: readonly ExportRow[][]): Promise<string> =>
  printFor(false, names, batches)

async function printFor(
  spreadsheet: boolean,
  names: readonly string[],
  batches: readonly ExportRow[][],
): Promise<string> {
  async function* given(): AsyncIterable<readonly ExportRow[]> {
    yield* batches
  }
  const pieces: string[] = []
  for await (const piece of writeCsv(names.map(column), given(), { spreadsheet })) pieces.push(piece)
  return pieces.join('')
}

it('has a header even without rows', async () => {
  expect(await print(['a', 'b,c'])).toBe('a,"b,c",WKT\n')
})

it('quotes what would be taken for something else', async () => {
  const cells = [['plain'], ['a,b'], ['say "hi"'], ['two\nlines'], ['cr\r']]
  expect(await print(['a', 'b', 'c', 'd', 'e'], [{ cells }])).toBe(
    'a,b,c,d,e,WKT\nplain,"a,b","say ""hi""","two\nlines","cr\r",\n',
  )
})

it('writes missing, single and several values, and the geometry', async () => {
  const rows: ExportRow[] = [
    { cells: [[], [0], [true]], geometry: { type: 'Point', coordinates: [1, -2.5] } },
    { cells: [['x', 'y'], [1.5, 2], [false]] },
  ]
  expect(await print(['a', 'b', 'c'], rows.slice(0, 1), rows.slice(1))).toBe(
    'a,b,c,WKT\n,0,true,POINT (1 -2.5)\n"[""x"",""y""]","[1.5,2]",false,\n',
  )
})

it('for spreadsheets keeps cells and names from being formulas, and numbers numbers', async () => {
  const cells = [['=1+1'], [-1.5], ['a,b'], ['@x', '=y'], []]
  const geometry = { type: 'Point', coordinates: [-1, -2.5] } as const
  expect(await printFor(true, ['=a', 'b', '-c', 'd', 'e'], [[{ cells, geometry }]])).toBe(
    `'=a,b,'-c,d,e,WKT\n'=1+1,-1.5,"a,b","[""@x"",""=y""]",,POINT (-1 -2.5)\n`,
  )
  expect(await print(['=a'], [{ cells: [['=1+1']] }])).toBe('=a,WKT\n=1+1,\n')
})
