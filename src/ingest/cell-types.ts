import type { Json } from '../model/json/document.ts'

/** Type of the cells of one column of a delimited file. */
export type CellType = 'number' | 'boolean' | 'json' | 'text'

// A leading zero or plus marks a code (`01234`, `+33...`), which must be kept as text.
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d*)?(?:[eE][+-]?\d+)?$|^-?\.\d+$/
const BOOLEAN = /^(?:true|false)$/i
const NOTHING = new Set(['', 'NA', 'N/A', 'NaN', 'nan', 'null', 'NULL', '\\N'])

/**
 * Returns the type that fits all cells of a sample; empty cells are ignored. If `isNumeric` (the column name suggests
 * numbers), it is enough that most cells are numbers.
 */
export function typeOfCells(cells: readonly string[], isNumeric: boolean): CellType {
  const given = cells.map((cell) => cell.trim()).filter((cell) => !NOTHING.has(cell))
  if (given.length === 0) return 'text'
  const numbers = given.filter(isExactNumber).length
  if (numbers === given.length || (isNumeric && numbers * 2 > given.length)) return 'number'
  if (given.every((cell) => BOOLEAN.test(cell))) return 'boolean'
  return given.every((cell) => parseStructure(cell) !== undefined) ? 'json' : 'text'
}

/** Returns the value of a cell; undefined if the cell is empty. A cell that does not fit the column type stays text. */
export function readCell(type: CellType, cell: string): Json | undefined {
  if (type === 'text') return cell === '' ? undefined : cell
  const trimmed = cell.trim()
  if (NOTHING.has(trimmed)) return undefined
  if (type === 'number' && isExactNumber(trimmed)) return Number(trimmed)
  if (type === 'boolean' && BOOLEAN.test(trimmed)) return trimmed.toLowerCase() === 'true'
  return (type === 'json' ? parseStructure(trimmed) : undefined) ?? cell
}

/** False for long digit strings (account numbers, 64-bit keys), which would lose digits as a double. */
function isExactNumber(cell: string): boolean {
  if (!NUMBER.test(cell)) return false
  return !/^-?\d+$/.test(cell) || Number.isSafeInteger(Number(cell))
}

function parseStructure(cell: string): Json | undefined {
  if (!/^[{[]/.test(cell)) return undefined
  try {
    const value: Json = JSON.parse(cell)
    return value
  } catch {
    // Brackets but not JSON: the column is text.
    return undefined
  }
}
