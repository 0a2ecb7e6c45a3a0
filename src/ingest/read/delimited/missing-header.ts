const NUMBER = /^-?\d+(?:\.\d+)?$/
const FRACTION = /^-?\d{1,3}\.\d{2,}$/

/**
 * True if the first row of a table is data: where the other rows have numbers, it has numbers too, and one of them has a
 * fraction or is negative. Headings may be numbers as well, such as years.
 */
export function lacksHeader(first: readonly string[], others: readonly (readonly string[])[]): boolean {
  const numeric = first.flatMap((cell, at) => {
    const values = others.map((row) => (row[at] ?? '').trim()).filter((value) => value !== '')
    return values.length > 0 && values.every((value) => NUMBER.test(value)) ? [cell.trim()] : []
  })
  const given = numeric.filter((cell) => cell !== '')
  return given.every((cell) => NUMBER.test(cell)) && given.some((cell) => /^-|\./.test(cell))
}

/** Returns empty headings, but for two neighbouring columns of degrees, which are named. */
export function headingsOf(rows: readonly (readonly string[])[]): readonly string[] {
  const headings = (rows[0] ?? []).map(() => '')
  const within = (at: number, most: number): boolean => {
    const values = rows.map((row) => (row[at] ?? '').trim()).filter((value) => value !== '')
    const isFine = values.every((value) => NUMBER.test(value) && Math.abs(Number(value)) <= most)
    return isFine && values.filter((value) => FRACTION.test(value)).length * 2 > values.length
  }
  for (let at = 0; at + 1 < headings.length; at++) {
    if (within(at, 90) && within(at + 1, 180)) headings.splice(at, 2, 'latitude', 'longitude')
    else if (within(at, 180) && within(at + 1, 90)) headings.splice(at, 2, 'longitude', 'latitude')
    else continue
    break
  }
  return headings
}
