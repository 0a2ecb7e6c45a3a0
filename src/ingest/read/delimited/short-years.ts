import { namesTime } from '../../../mapping/field-names.ts'

const MONTH = '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)'
const DATE = new RegExp(`^(\\d{1,2})([/.-])(\\d{1,2}|${MONTH})\\2(\\d{2})(?=$|[ T]\\d)`)

/**
 * True if all cells are dates whose years have two digits. With other separators than `/` they may be codes, so that the
 * name of the column must tell that it has times.
 */
export function haveShortYears(name: string, cells: readonly string[]): boolean {
  const given = cells.map((cell) => cell.trim()).filter((cell) => cell !== '')
  if (given.length === 0) return false
  const isNamed = namesTime(name)
  return given.every((cell) => {
    const [, first, separator, second] = DATE.exec(cell) ?? []
    if (first === undefined || (separator !== '/' && !isNamed)) return false
    const [a, b] = [Number(first), Number(second)]
    if (Number.isNaN(b)) return a >= 1 && a <= 31
    return a >= 1 && b >= 1 && a <= 31 && b <= 31 && Math.min(a, b) <= 12
  })
}

/** Writes the year of a date with four digits: 50 to 99 are years of the last century. */
export function expandYear(cell: string): string {
  return cell.trim().replace(DATE, (_, first: string, separator: string, second: string, year: string) => {
    const century = Number(year) >= 50 ? '19' : '20'
    return `${first}${separator}${second}${separator}${century}${year}`
  })
}
