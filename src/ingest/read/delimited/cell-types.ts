import type { Json } from '../../../model/json/document.ts'
import { expandYear, haveShortYears } from './short-years.ts'

/** Type of the cells of one column of a delimited file; `decimalComma` is `1.234,5`, `thousands` is `1,234.5`, `shortYear` is `5/6/87`. */
export type CellType = 'number' | 'decimalComma' | 'thousands' | 'boolean' | 'json' | 'shortYear' | 'text'

// A leading zero or plus marks a code (`01234`, `+33...`), which must be kept as text.
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d*)?(?:[eE][+-]?\d+)?$|^-?\.\d+$/
const DECIMAL_COMMA = /^-?(?:0|[1-9]\d{0,2}(?:[. '’\u00a0\u202f]\d{3})+|[1-9]\d*)(?:,\d+)?$/
const THOUSANDS = /^-?(?:0|[1-9]\d{0,2}(?:[, '’\u00a0\u202f]\d{3})+|[1-9]\d*)(?:\.\d+)?$/
const BOOLEAN = /^(?:true|false)$/i
const NOTHING = new Set(['', 'NA', 'N/A', '#N/A', 'NaN', 'nan', 'NaT', 'None', 'null', 'NULL', '\\N'])
/** Empty in columns of text too, where the other forms may be words. */
const EMPTY_TEXT = new Set(['', 'NULL', 'NaT', '#N/A', '\\N'])

export interface CellHints {
  readonly name: string
  /** The name of the column suggests numbers: it is enough that most cells are numbers. */
  readonly isNumeric: boolean
  readonly delimiter: string
}

/** Returns the type that fits all cells of a sample; empty cells are ignored. */
export function typeOfCells(cells: readonly string[], { name, isNumeric, delimiter }: CellHints): CellType {
  const given = cells.map((cell) => cell.trim()).filter((cell) => !NOTHING.has(cell))
  if (given.length === 0) return 'text'
  const fits = (test: (cell: string) => boolean): boolean => {
    const count = given.filter(test).length
    return count === given.length || (isNumeric && count * 2 > given.length)
  }
  if (fits(isExactNumber)) return 'number'
  const hasComma = fits((cell) => DECIMAL_COMMA.test(cell)) && given.some((cell) => /,\d+$/.test(cell))
  const hasGroups = fits((cell) => THOUSANDS.test(cell)) && isGrouped(given)
  // `1,234` alone is a fraction where another character separates the columns
  if (hasComma && !(hasGroups && delimiter === ',')) return 'decimalComma'
  if (hasGroups) return 'thousands'
  if (haveShortYears(name, given)) return 'shortYear'
  if (given.every((cell) => BOOLEAN.test(cell))) return 'boolean'
  return given.every((cell) => parseStructure(cell) !== undefined) ? 'json' : 'text'
}

/** True if some values have a comma, or groups separated by spaces in differing numbers: `123 456 789` is a phone. */
function isGrouped(cells: readonly string[]): boolean {
  if (cells.some((cell) => cell.includes(','))) return true
  return new Set(cells.map((cell) => cell.split(/[ '’\u00a0\u202f]/).length)).size > 1
}

/** Returns the value of a cell; undefined if the cell is empty. A cell that does not fit the column type stays text. */
export function readCell(type: CellType, cell: string): Json | undefined {
  if (type === 'text') return EMPTY_TEXT.has(cell) ? undefined : cell
  const trimmed = cell.trim()
  if (NOTHING.has(trimmed)) return undefined
  switch (type) {
    case 'number':
      return isExactNumber(trimmed) ? Number(trimmed) : cell
    case 'decimalComma':
      return DECIMAL_COMMA.test(trimmed) ? Number(trimmed.replace(/[. '’\u00a0\u202f]/g, '').replace(',', '.')) : cell
    case 'thousands':
      return THOUSANDS.test(trimmed) ? Number(trimmed.replace(/[, '’\u00a0\u202f]/g, '')) : cell
    case 'boolean':
      return BOOLEAN.test(trimmed) ? trimmed.toLowerCase() === 'true' : cell
    case 'shortYear':
      return expandYear(cell)
    case 'json':
      return parseStructure(trimmed) ?? cell
  }
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
